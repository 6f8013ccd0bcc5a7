package build

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"sync/atomic"
	"time"

	"github.com/assay-register/assay/build/output"
	"github.com/assay-register/assay/render/artifact"
	"github.com/assay-register/assay/render/catalog"
	"github.com/assay-register/assay/render/pack"
	"github.com/assay-register/assay/render/search/segment"
	"github.com/assay-register/assay/render/snapshot"
)

// file is the snapshot file that a build writes into a folder of them. Several goroutines
// hand documents in side by side; what is left to do with them is done one after the
// other, in an order that depends on the snapshot only.
type file struct {
	opts   *Options
	serial atomic.Int64
	// out is the file, aside holds parts of its indexes until it is complete.
	out, aside *os.File
	writer     *pack.Writer
	// before is the present file of the folder, nil for none; kept are those of its groups that are copied.
	// old is that file where it is of the form before: of that what is nowhere else is taken over.
	before, old *output.SnapshotFile
	kept        kept
	quotes      quotes
	// id is that of the snapshot, encoded the folder in which it lies encoded.
	id, encoded string
	made        pack.Directory
	written     bool
}

// intoFile builds a snapshot file, which appears with one rename.
func (r *run) intoFile(ctx context.Context, st catalog.Store) (err error) {
	unlock, err := output.Lock(r.opts.Out)
	if err != nil {
		return err
	}
	defer unlock()
	f := &file{opts: &r.opts, quotes: quotes{}}
	defer func() { err = errors.Join(err, f.close()) }()
	if err := f.open(r.problem); err != nil {
		return err
	}
	r.file = f
	if err := r.begin(ctx, st); err != nil {
		return err
	}
	err = r.all(ctx, st)
	if errors.Is(err, errUnchanged) {
		f.id = f.before.ID
		if err := r.stay(ctx, st); err != nil {
			return err
		}
		r.lap("read")
		return output.ExpireFiles(f.opts.Out, f.id, f.opts.Keep, f.opts.KeepFor, f.opts.Now)
	}
	if err != nil {
		return err
	}
	if fault := f.kept.fault.Load(); fault != nil {
		r.problem("groups of the present snapshot file were made anew: %v", *fault)
	}
	r.report.Unchanged = int64(f.made.Documents)
	if f.written {
		r.report.Unchanged = f.kept.documents.Load()
		r.report.Written, r.report.Bytes = int64(f.made.Documents)-r.report.Unchanged, f.made.Bytes-f.kept.bytes.Load()
	}
	return nil
}

// open begins a file, and clears away what a build left that was killed.
func (f *file) open(problem func(format string, args ...any)) (err error) {
	if err := errors.Join(os.RemoveAll(f.unfinished("")), os.MkdirAll(f.unfinished(""), 0o755)); err != nil {
		return err
	}
	if f.before, err = output.OpenPresent(f.opts.Out); errors.Is(err, pack.ErrForm) {
		unread := err
		if f.old, err = output.OpenFormer(f.opts.Out); err == nil && f.old == nil {
			problem("the present snapshot file could not be read for comparison: %v", unread)
		}
	}
	if err != nil {
		return err
	}
	if f.before != nil && !f.opts.Full {
		f.kept.from = f.before.Pack
	}
	if f.out, err = os.Create(f.unfinished("file")); err != nil {
		return err
	}
	if f.aside, err = os.Create(f.unfinished("aside")); err != nil {
		return err
	}
	f.writer = pack.NewWriter(f.out)
	f.writer.Spill(f.aside)
	return nil
}

func (f *file) close() error {
	var err error
	for _, out := range []*os.File{f.out, f.aside} {
		if out != nil {
			err = errors.Join(err, out.Close())
		}
	}
	if before := f.presented(); before != nil {
		err = errors.Join(err, before.Close())
	}
	return errors.Join(err, os.RemoveAll(f.unfinished("")))
}

// unfinished is a path for a file that goes when the build ends, unfinishedFile a new one.
func (f *file) unfinished(name string) string {
	return filepath.Join(f.opts.Out, output.HiddenDir, "tmp", name)
}

func (f *file) unfinishedFile() string {
	return f.unfinished(strconv.FormatInt(f.serial.Add(1), 36))
}

// presented is the file that readers of the folder get, of this form or the one before, nil for none.
func (f *file) presented() *output.SnapshotFile { return cmp.Or(f.before, f.old) }

// former calls fn for the entries of the site that this one follows.
func (f *file) former(fn func(id, slug string, published int64)) error {
	before := f.presented()
	if before == nil {
		return nil
	}
	lines, err := before.Document(snapshot.PartRoute(snapshot.LinesFile))
	if err != nil {
		return err
	}
	return output.EachLine(lines, fn)
}

// put takes the documents of a group, whose rooms it gives back. It is compressed at
// once; groups are appended one after the other.
func (f *file) put(key string, files []artifact.File) (later, error) {
	if len(files) == 0 {
		return nil, nil
	}
	hashed(files)
	number, same := f.kept.holds(key, files)
	if len(files) == 1 && len(files[0].Quotes) > 0 {
		return f.quoting(key, &files[0])
	}
	if same {
		free(files)
		return func() error { return f.writer.Keep(f.kept.from, number) }, nil
	}
	g, err := f.writer.Compressor().Compress(key, files)
	if err != nil {
		return nil, err
	}
	free(files)
	return func() error { return f.writer.Append(g) }, nil
}

// quoting takes a document that has most of its bytes from others.
func (f *file) quoting(key string, a *artifact.File) (later, error) {
	var packed bytes.Buffer
	document := a.Streamed()
	s, err := f.writer.Compressor().StreamIn(&packed, key, &document, quotingFrame, f.quotes.source)
	a.Free()
	return func() error { return f.writer.AppendStreamed(s, &packed) }, err
}

// quotingFrame is the size of the frames of such a document, in bytes.
const quotingFrame = 128 << 10

// streamed compresses a document that is too large to hold, with its gzip copy if it has
// one, and has what it quotes from where that lies. The documents that come of it are told.
func (f *file) streamed(a *artifact.File, frame int, from quotes) ([]pack.Document, later, error) {
	path := f.unfinishedFile()
	out, err := os.Create(path)
	if err != nil {
		return nil, nil, err
	}
	s, err := f.writer.Compressor().StreamIn(out, documentKey(a.Route), a, frame, from.source)
	if err := errors.Join(err, out.Close()); err != nil {
		return nil, nil, err
	}
	if number, same := f.kept.holdsStreamed(s); same && !s.Refers() {
		return s.Documents, func() error { return errors.Join(f.writer.Keep(f.kept.from, number), os.Remove(path)) }, nil
	}
	return s.Documents, func() error { return errors.Join(f.append(s, path), os.Remove(path)) }, nil
}

func (f *file) append(s *pack.Streamed, path string) error {
	in, err := os.Open(path)
	if err != nil {
		return err
	}
	defer in.Close()
	return f.writer.AppendStreamed(s, in)
}

// partFrame is the size of the frames of the encoded snapshot, in bytes: some items
// of a list lie in each.
const partFrame = 32 << 10

// reading streams a file.
func reading(path string) func(io.Writer) error {
	return func(w io.Writer) error {
		in, err := os.Open(path)
		if err != nil {
			return err
		}
		defer in.Close()
		_, err = io.Copy(w, in)
		return err
	}
}

// later is what is left to do with documents, nil for nothing.
type later func() error

func (l later) do() error {
	if l == nil {
		return nil
	}
	return l()
}

// free gives back the rooms of documents that nobody reads any more.
func free(files []artifact.File) {
	for i := range files {
		files[i].Free()
	}
}

// keep takes the folder of the encoded snapshot. What a catalogue says lies among
// the documents, the search index is a section.
func (f *file) keep(folder string, c *snapshot.Catalog) error {
	f.id, f.encoded = c.ID, folder
	through := strconv.FormatInt(c.Through, 10) + "\n"
	if err := os.WriteFile(filepath.Join(folder, snapshot.ThroughFile), []byte(through), 0o644); err != nil {
		return err
	}
	for _, part := range []struct {
		name  string
		write func(io.Writer) error
	}{
		{snapshot.HeadFile, reading(filepath.Join(folder, snapshot.HeadFile))},
		{snapshot.LinesFile, reading(filepath.Join(folder, snapshot.LinesFile))},
		{snapshot.ItemsFile, itemsOf(c)},
		{snapshot.ThroughFile, reading(filepath.Join(folder, snapshot.ThroughFile))},
	} {
		document := artifact.File{Route: snapshot.PartRoute(part.name), Type: artifact.NDJSON, Class: artifact.ClassCatalog, Stream: part.write}
		_, rest, err := f.streamed(&document, partFrame, f.quotes)
		if err := errors.Join(err, rest.do()); err != nil {
			return err
		}
	}
	return nil
}

// itemsOf streams the list items, which lie among the documents of their entries already.
func itemsOf(c *snapshot.Catalog) func(io.Writer) error {
	return func(w io.Writer) error {
		for i := range c.Lines {
			item, err := c.ReadItem(&c.Lines[i])
			if err != nil {
				return err
			}
			if err := artifact.WriteQuote(w, snapshot.StreamItems, i, 0, item); err != nil {
				return err
			}
			if _, err := w.Write([]byte{'\n'}); err != nil {
				return err
			}
		}
		return nil
	}
}

// publish ends the file, waits until it is on the disk, and presents it. One that
// says what the present one says, and finds what that finds, is not kept.
func (f *file) publish(context.Context) error {
	in, err := os.Open(filepath.Join(f.encoded, segment.File))
	if err != nil {
		return err
	}
	defer in.Close()
	if err := f.writer.Section(segment.File, in); err != nil {
		return err
	}
	if f.made, err = f.writer.Close(); err != nil {
		return err
	}
	f.written = f.before == nil || f.before.Pack.Directory.Content != f.made.Content || f.before.Pack.Directory.SumOf(segment.File) != f.made.SumOf(segment.File)
	if f.written {
		// By its time the retention knows since when the file is presented.
		if err := errors.Join(f.out.Sync(), os.Chtimes(f.out.Name(), time.Time{}, f.opts.Now)); err != nil {
			return err
		}
	}
	if err := f.present(); err != nil {
		return err
	}
	return output.ExpireFiles(f.opts.Out, f.id, f.opts.Keep, f.opts.KeepFor, f.opts.Now)
}

// present lets readers of the folder get the file from now on, with what changed
// while it was built.
func (f *file) present() error {
	lock, err := lockOverlay(f.opts.Out)
	if err != nil {
		return err
	}
	defer lock.Close()
	before, err := output.Present(f.opts.Out)
	if err != nil {
		return err
	}
	if f.written {
		if err := os.Rename(f.out.Name(), filepath.Join(f.opts.Out, snapshot.FileOf(f.id))); err != nil {
			return err
		}
	}
	if err := carry(f.opts.Out, before, f.id, f.opts.Live); err != nil || !f.written {
		return err
	}
	tmp := f.unfinishedFile()
	if err := os.WriteFile(tmp, []byte(f.id+"\n"), 0o644); err != nil {
		return err
	}
	if err := output.Sync(f.opts.Out); err != nil {
		return err
	}
	return errors.Join(os.Rename(tmp, filepath.Join(f.opts.Out, snapshot.PresentFile)), output.Sync(f.opts.Out))
}
