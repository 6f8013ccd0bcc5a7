package badge

import (
	"github.com/assay-register/assay/render/artifact"
	"github.com/assay-register/assay/render/snapshot"
)

// Class groups the badges in snapshot.json.
const Class artifact.Class = "badge"

// Prefix begins the routes of badges: Prefix, id or slug, a slash, the kind.
const Prefix = "/api/v1/badges/"

// room is enough for most badges, in bytes.
const room = 1280

// Entry renders the badges of one entry, each under its id and its slug.
func Entry(s *snapshot.Scored) ([]artifact.File, error) {
	e := s.Entry()
	kinds := Kinds()
	files := make([]artifact.File, len(kinds))
	for i, k := range kinds {
		b := OfScored(s, k)
		files[i] = artifact.File{Route: Prefix + e.ID + "/" + string(k), Alias: Prefix + e.Slug + "/" + string(k),
			Type: Type, Class: Class, Body: b.draw(artifact.Buffer(room)), Pooled: true}
	}
	return files, nil
}
