package wire

import (
	"reflect"

	"github.com/assay-register/assay/render/translog"
)

// TagLog are the operations of the log of verdicts.
const TagLog = "log"

// RouteLogKeys is where the public keys of the log are shown.
const RouteLogKeys = "/.well-known/assay-log-keys.txt"

// LogProofParams are those of a proof of the log.
func LogProofParams() []Param {
	return []Param{{Name: "entry", In: "query", Kind: KindString, Required: true, Description: "Entry id or slug.", Example: exampleSlug}}
}

// logOperations prove what the register said, and that it did not take it back (decisions-2 §H).
func logOperations() []Operation {
	ops := []Operation{
		{ID: "getLogKeyProof", Path: translog.Prefix + translog.KeysFile, Summary: "Prove the keys of the log",
			Description: "The leaves that name the keys of the log, in their order, each below the first checkpoint that has it. That checkpoint is signed by the key before it, too, " +
				"so that whoever knows one key can learn the next ones. 404 where the register keeps no log.",
			Response: reflect.TypeFor[translog.Proof](), Media: MediaJSON, Cache: CacheRevalidate, Problems: []int{404}},
		{ID: "getSums", Path: translog.Prefix + translog.SumsFile, Summary: "Signed sums of the exports",
			Description: "SHA-256 of `/snapshot.json`, which binds every document of the snapshot, and of each export, in the form of sha256sum(1) with file names below the root of the site, " +
				"as one signed note (C2SP signed-note). 404 where the register has no key.",
			Media: MediaText, Cache: CacheRevalidate, Problems: []int{404}},
		{ID: "getLogProof", Path: "/api/v1/log/proof", Summary: "Prove what the log says of an entry",
			Description: "Each leaf of the log of verdicts that is about the entry, to the byte, with the hashes that lead from it to the root of the present checkpoint, " +
				"which is signed: all that a client needs to verify it offline. 404 where the register keeps no log.",
			Params: LogProofParams(), Response: reflect.TypeFor[translog.Proof](), Media: MediaJSON, Cache: CacheShort, Problems: []int{404, 422}},
		{ID: "getLogEntry", Path: translog.Prefix + translog.EntryDir + "/{id}.json", Summary: "The same below the first checkpoints",
			Description: "Each leaf about the entry below the first checkpoint that has it, so that its proof never changes; the tiles prove later checkpoints.",
			Params:      []Param{{Name: "id", In: "path", Kind: KindString, Format: "uuid", Description: "Entry id.", Example: exampleID}},
			Response:    reflect.TypeFor[translog.Proof](), Media: MediaJSON, Cache: CacheRevalidate, Problems: []int{404}},
		{ID: "getLogCheckpoint", Path: translog.Prefix + translog.CheckpointFile, Summary: "The signed size and root of the log",
			Description: "A checkpoint (C2SP tlog-checkpoint) in a signed note. The tiles lie beside it (C2SP tlog-tiles): `/log/tile/…`.",
			Media:       MediaText, Cache: CacheRevalidate, Problems: []int{404}},
	}
	for i := range ops {
		ops[i].Tag = TagLog
	}
	return ops
}
