package build

import (
	"context"
	"slices"

	"github.com/assay-register/assay/render/artifact"
	"github.com/assay-register/assay/render/pack"
)

// link writes the pages that set each entry beside others: those whose basis is that of
// the build before, as they lie in the present file.
func (r *run) link(ctx context.Context) error {
	return r.each(ctx, "relations", len(r.catalog.Lines), batchSize, func(i int) (later, error) {
		id := r.catalog.Lines[i].ID
		key, basis := linkedKey(id), r.basisOf(i)
		h, err := r.held(key, basis)
		if err != nil {
			return nil, err
		}
		if h != nil && r.feedLog.stands(i, id, h.documents) {
			return r.keepHeld(h, i), nil
		}
		files, err := r.related(i)
		if err != nil {
			return nil, err
		}
		if err := r.feedLog.see(i, id, files); err != nil {
			return nil, err
		}
		quoted := quotedIn(files, i)
		rest, err := r.file.put(key, files)
		return r.based(key, basis, quoted, r.placing(quoted, i, rest)), err
	})
}

// related makes what the formats say of an entry beside others.
func (r *run) related(ordinal int) ([]artifact.File, error) {
	var files []artifact.File
	for _, f := range r.formats {
		if f.Related == nil {
			continue
		}
		made, err := f.Related(r.catalog, ordinal)
		if err != nil {
			return nil, err
		}
		files = append(files, made...)
	}
	return files, nil
}

// basisOf is a hash of all that these show, 0 if it is not known.
func (r *run) basisOf(ordinal int) uint64 {
	if r.mark == "" {
		return 0
	}
	basis := r.catalog.Beside(ordinal)
	for _, f := range r.formats {
		if f.Beside != nil {
			basis.Add(f.Beside(r.catalog, ordinal))
		}
	}
	return basis.Sum()
}

// stands takes over what the feed said last of the entry at an ordinal, whose documents are those
// of the present file; false where the feed does not know them.
func (l *feedLog) stands(ordinal int, id string, documents []pack.Document) bool {
	if !slices.ContainsFunc(documents, func(d pack.Document) bool { return d.Route == turtleRoute(id) }) {
		return true
	}
	s := standing{id: uuidOf(id)}
	at, found := slices.BinarySearchFunc(l.before, s, byUUID)
	if found {
		l.now[ordinal] = l.before[at]
	}
	return found
}
