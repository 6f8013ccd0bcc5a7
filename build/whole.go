package build

import (
	"context"
	"crypto/sha256"
	"fmt"
	"sync"

	"golang.org/x/sync/errgroup"

	"github.com/assay-register/assay/build/dump"
	"github.com/assay-register/assay/render"
	"github.com/assay-register/assay/render/artifact"
	"github.com/assay-register/assay/render/pack"
)

// documents writes the documents about the whole catalog. Formats work side by
// side; what they made is written in their own order, so that the file does not
// depend on who was first.
type documents struct {
	run  *run
	mu   sync.Mutex
	sums map[string]summed
}

// summed are the hash and the size, in bytes, of a document.
type summed struct {
	sum  [sha256.Size]byte
	size int64
}

// whole writes the documents about the whole catalog. The formats before the
// last and the dumps come first: the last one leads to what the others made.
func (r *run) whole(ctx context.Context) error {
	d := &documents{run: r, sums: map[string]summed{}}
	leading := len(r.formats) - 1
	parts := make([]batch, leading+1)
	var made sync.WaitGroup
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(max(1, r.opts.Workers))
	for i, f := range r.formats[:leading] {
		if f.Aggregates == nil {
			continue
		}
		made.Add(1)
		g.Go(func() error {
			defer made.Done()
			return d.format(&f, &parts[i])
		})
	}
	// Some formats alone have not the fragments that the dumps are made of.
	if r.opts.Formats == nil {
		// Every format has begun when this one does, so it may wait for them.
		g.Go(func() error {
			return dump.Whole(ctx, r.catalog, r.file.unfinished("dump"), func(route string) ([sha256.Size]byte, int64, bool) {
				made.Wait()
				return d.sum(route)
			}, r.file.again, d.dumped())
		})
	}
	if err := g.Wait(); err != nil {
		return err
	}
	if err := d.format(&r.formats[leading], &parts[leading]); err != nil {
		return err
	}
	for _, part := range parts {
		if err := part.settle(); err != nil {
			return err
		}
	}
	return nil
}

func (d *documents) format(f *render.Format, out *batch) error {
	if f.Aggregates == nil {
		return nil
	}
	one := d.into(out, d.run.file.quotes)
	var pages languages
	err := f.Aggregates(d.run.catalog, func(f artifact.File) error {
		before := pages.add(&f)
		if len(before) > 0 {
			if err := d.together(before, out); err != nil {
				return err
			}
		}
		if f.Page != "" {
			return nil
		}
		return one(f)
	})
	if err == nil && len(pages) > 0 {
		err = d.together(pages, out)
	}
	if err != nil {
		return fmt.Errorf("%s: %w", f.Name, err)
	}
	return nil
}

// languages are files of one page.
type languages []artifact.File

// add takes the next file. It returns those before, if they are of another page.
func (l *languages) add(f *artifact.File) (before []artifact.File) {
	if len(*l) > 0 && (*l)[0].Page != f.Page {
		before, *l = *l, nil
	}
	if f.Page != "" {
		*l = append(*l, *f)
	}
	return before
}

// together takes a page in all its languages, which say nearly the same. It is made only if the
// present file has not the page of the same basis.
func (d *documents) together(files []artifact.File, out *batch) error {
	key, basis := "page "+files[0].Page, files[0].Basis
	h, err := d.run.held(key, basis)
	if h != nil {
		out.add(d.run.keepHeld(h, 0))
		return nil
	}
	if err == nil {
		err = made(files)
	}
	if err != nil {
		return fmt.Errorf("page %s: %w", files[0].Page, err)
	}
	rest, err := d.run.file.put(key, files)
	out.add(d.run.based(key, basis, nil, rest))
	return err
}

// made makes the files that are not made yet.
func made(files []artifact.File) (err error) {
	for i := range files {
		if files[i], err = files[i].Made(); err != nil {
			return err
		}
	}
	return nil
}

// into is the place to emit files to that stand alone, whose hashes are kept for those that name
// them.
func (d *documents) into(out *batch, from quotes) render.Emit {
	return func(f artifact.File) error {
		if err := d.put(f, out, from); err != nil {
			return fmt.Errorf("document %s: %w", f.Route, err)
		}
		return nil
	}
}

// dumped is the place to emit the dumps to. Nobody appends while the formats work, so they are appended at once:
// a document may quote another one, by its route, only where that has its place.
func (d *documents) dumped() render.Emit {
	before := quotes{}
	return func(f artifact.File) error {
		var one batch
		if err := d.into(&one, before)(f); err != nil {
			return err
		}
		before.put(f.Route, 0, d.run.file.writer.Next(), 0, 0)
		return one.settle()
	}
}

func (d *documents) note(list []pack.Document) {
	d.mu.Lock()
	defer d.mu.Unlock()
	for i := range list {
		d.sums[list[i].Route] = summed{list[i].Sum, list[i].Size}
	}
}

func (d *documents) sum(route string) ([sha256.Size]byte, int64, bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	s, ok := d.sums[route]
	return s.sum, s.size, ok
}

// put takes a document: from the present file if that has the one of the same basis.
func (d *documents) put(f artifact.File, out *batch, from quotes) error {
	key := documentKey(f.Route)
	h, err := d.run.held(key, f.Basis)
	if err != nil {
		return err
	}
	if h != nil {
		d.note(h.documents)
		out.add(d.run.keepHeld(h, 0))
		return nil
	}
	if f.Stream != nil {
		return d.stream(key, &f, out, from)
	}
	if f, err = f.Made(); err != nil {
		return err
	}
	files := []artifact.File{f}
	hashed(files)
	d.note([]pack.Document{{Route: f.Route, Sum: files[0].Sums.Body, Size: int64(len(f.Body))}})
	rest, err := d.run.alone(files[0])
	out.add(d.run.based(key, f.Basis, nil, rest))
	return err
}

func (d *documents) stream(key string, f *artifact.File, out *batch, from quotes) error {
	documents, rest, err := d.run.file.streamed(f, pack.FrameMax, from)
	d.note(documents)
	out.add(d.run.based(key, f.Basis, nil, rest))
	return err
}
