package build

import (
	"context"
	"errors"
	"os"
	"slices"

	"github.com/assay-register/assay/build/output"
	"github.com/assay-register/assay/render/artifact"
	"github.com/assay-register/assay/render/catalog"
)

// tree is the sink that brings a tree of files up to date in place.
type tree struct {
	*output.Tree
	opts *Options
	// visible are the ids of the entries that the snapshot shows, in order.
	visible []string
	// held are the changed pages of a published tree until the snapshot has a name,
	// late those that wait for the pages that they name.
	held *held
	late []pages
}

// openTree opens the tree of a build. The changed pages of a published one wait;
// those of a new one nobody reads.
func openTree(opts *Options) (*tree, error) {
	published, err := output.Open(opts.Out)
	if err != nil {
		return nil, err
	}
	t := &tree{Tree: published, opts: opts}
	if t.Fresh() {
		return t, nil
	}
	f, err := os.Create(t.Unfinished("held"))
	if err == nil {
		t.held, err = newHeld(f)
	}
	if err != nil {
		return nil, errors.Join(err, published.Close())
	}
	return t, nil
}

func (t *tree) close() error {
	if t.held != nil {
		t.held.close() // it goes with the unfinished files
	}
	return t.Tree.Close()
}

func (t *tree) former(fn func(id, slug string, published int64)) error {
	root := t.opts.Out
	if t.opts.before != "" {
		root = t.opts.before
	}
	return output.EachPublished(root, fn)
}

func (t *tree) page(route, mediaType string) []byte {
	body, err := os.ReadFile(t.Path(route, mediaType))
	if err != nil {
		return nil
	}
	return body
}

// entry writes the pages of an entry, or lets them wait for what they name.
func (t *tree) entry(e *catalog.Entry, made [][]artifact.File) (later, error) {
	if t.namesUnwritten(e) {
		return func() error {
			for _, files := range made {
				t.late = append(t.late, pages{e.ID, files})
			}
			return nil
		}, nil
	}
	for _, files := range made {
		if err := t.putOrHold(pages{e.ID, files}); err != nil {
			return nil, err
		}
		free(files)
	}
	return nil, nil
}

// namesUnwritten tells whether the page of an entry that readers can reach
// names a visible entry whose own page does not exist yet. Nothing leads to the
// page of a new entry before the end of the pass, so that one need not wait.
func (t *tree) namesUnwritten(e *catalog.Entry) bool {
	unwritten := func(id string) bool {
		_, visible := slices.BinarySearch(t.visible, id)
		return visible && !t.HasEntry(id)
	}
	if !unwritten(e.SuccessorID) && !slices.ContainsFunc(e.Members, func(m catalog.Member) bool { return unwritten(m.EntryID) }) &&
		!slices.ContainsFunc(e.Relations, func(x catalog.Relation) bool { return unwritten(x.EntryID) }) {
		return false
	}
	return t.HasEntry(e.ID)
}

// putOrHold writes the files of an entry, or lets those that changed wait.
func (t *tree) putOrHold(p pages) error {
	if t.held == nil {
		return t.write(p)
	}
	if t.live(p.Entry) {
		return nil
	}
	changed, err := t.Changed(p.Files)
	if err != nil {
		return err
	}
	return t.held.add(pages{p.Entry, changed})
}

func (t *tree) live(entry string) bool { return t.opts.Live != nil && t.opts.Live(entry) }

// write writes the files of an entry, unless newer ones lie there.
func (t *tree) write(p pages) error {
	if t.live(p.Entry) {
		return nil
	}
	return t.PutEntry(p.Files)
}

// release names the snapshot and writes the pages that waited for its name,
// those that name other new pages last.
func (t *tree) release(ctx context.Context, id string) error {
	if err := t.Begin(id); err != nil {
		return err
	}
	if t.held != nil {
		done := func(struct{}) error { return nil }
		err := pipeline(ctx, t.opts.Workers, t.held.each, func(p pages) (struct{}, error) { return struct{}{}, t.write(p) }, done)
		if err != nil {
			return err
		}
	}
	for _, p := range t.late {
		if err := t.write(p); err != nil {
			return err
		}
	}
	t.late = nil
	return nil
}

func (t *tree) put(_ string, files []artifact.File) (later, error) {
	for i := range files {
		if err := t.Put(files[i]); err != nil {
			return nil, err
		}
	}
	free(files)
	return nil, nil
}

func (t *tree) large(f *artifact.File, in *os.File) (later, error) {
	return nil, t.PutFile(f.Route, f.Type, in)
}

func (t *tree) zipped(route string) (*os.File, error) { return t.OpenZipped(route) }
