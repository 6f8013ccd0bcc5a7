package snapshot

import "strings"

// PresentFile names, in a folder of snapshot files, the id of the one that readers
// get.
const PresentFile = "present"

// fileExt ends the name of a snapshot file.
const fileExt = ".snapshot"

// FileOf is the name of a snapshot's file in a folder of them.
func FileOf(id string) string { return id + fileExt }

// SumOf is the name of the file with the SHA-256 of a snapshot's file, where it is
// published, in the form of sha256sum(1).
func SumOf(id string) string { return FileOf(id) + ".sha256" }

// SigOf is the name of the file with the signed sums of a snapshot (translog.Sums),
// beside its file.
func SigOf(id string) string { return FileOf(id) + sigExt }

const sigExt = ".sig"

// IDOf is the id of the snapshot whose file has this name.
func IDOf(name string) (id string, ok bool) {
	id, ok = strings.CutSuffix(name, fileExt)
	return id, ok && IsID(id)
}

// overlayExt ends the name of what lies over a snapshot file. GonePart names the section
// of it that lists the routes which are no more, ChangesPart the one with what lists and
// searches need of the entries that changed (ReadChanges).
const (
	overlayExt  = ".overlay"
	GonePart    = "gone.json"
	ChangesPart = "changes.ndjson"
)

// OverlayOf is the name of the file that holds what changed since a snapshot.
func OverlayOf(id string) string { return id + overlayExt }

// OverlaidBy is the id of the snapshot over which the file of this name lies.
func OverlaidBy(name string) (id string, ok bool) {
	id, ok = strings.CutSuffix(name, overlayExt)
	return id, ok && IsID(id)
}

// PartRoute names a part of the encoded snapshot, such as HeadFile, among the documents of a
// snapshot file. It begins with no slash, so that no request finds it.
func PartRoute(name string) string { return "snapshot/" + name }
