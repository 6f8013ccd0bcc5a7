package sitetest

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"io"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/assay-register/assay/render/artifact"
	"github.com/assay-register/assay/render/pack"
	"github.com/assay-register/assay/render/search/segment"
	"github.com/assay-register/assay/render/snapshot"
	"github.com/assay-register/assay/render/wire"
)

// Put builds the site again with other documents besides, under the same snapshot, as no
// entry changed. A name such as /a/index.html stands for the route /a and its media type.
func (s *Site) Put(documents map[string]string) error {
	for name, body := range documents {
		s.pages[name] = []byte(body)
	}
	return s.publish()
}

// PutIndex builds the site again with the search index of another one of as many entries, as a release
// does that knows other words.
func (s *Site) PutIndex(of *Site) error {
	s.index = *bytes.NewBuffer(of.index.Bytes())
	return s.publish()
}

// Overlay lays documents over the snapshot, and nothing else, as a build does when entries
// change after it; gone are routes that are no more.
func (s *Site) Overlay(documents map[string]string, gone ...string) error {
	return Overlay(s.Dir, s.Catalog.ID, documents, gone)
}

// Overlay lays documents and changes of entries over a snapshot of a folder; gone are
// routes that are no more.
func Overlay(dir, id string, documents map[string]string, gone []string, changes ...snapshot.Change) error {
	return write(dir, snapshot.OverlayOf(id), func(w *pack.Writer) error {
		for _, name := range slices.Sorted(maps.Keys(documents)) {
			if err := add(w, name, []byte(documents[name])); err != nil {
				return err
			}
		}
		b, err := json.Marshal(map[string][]string{"test": gone})
		var told bytes.Buffer
		lines := json.NewEncoder(&told)
		for i := range changes {
			err = errors.Join(err, lines.Encode(&changes[i]))
		}
		return errors.Join(err, w.Section(snapshot.GonePart, bytes.NewReader(b)), w.Section(snapshot.ChangesPart, &told))
	})
}

// publish writes the snapshot file and presents it.
func (s *Site) publish() error {
	return Publish(s.Dir, s.Catalog, bytes.NewReader(s.items), bytes.NewReader(s.index.Bytes()), func(w *pack.Writer) error {
		for _, name := range slices.Sorted(maps.Keys(s.pages)) {
			if err := add(w, name, s.pages[name]); err != nil {
				return err
			}
		}
		return nil
	})
}

// Publish writes the snapshot file of a catalogue into a folder and presents it. items are
// the rendered list items, index is the search index; fill adds the documents.
func Publish(dir string, c *snapshot.Catalog, items, index io.Reader, fill func(*pack.Writer) error) error {
	err := write(dir, snapshot.FileOf(c.ID), func(w *pack.Writer) error {
		return errors.Join(fill(w), encode(w, c, items), w.Section(segment.File, index))
	})
	if err != nil {
		return err
	}
	present := filepath.Join(dir, snapshot.PresentFile)
	return errors.Join(os.WriteFile(present+".new", []byte(c.ID+"\n"), 0o644), os.Rename(present+".new", present))
}

// encode adds the parts of the encoded snapshot.
func encode(w *pack.Writer, c *snapshot.Catalog, items io.Reader) error {
	part := func(name string, fill func(io.Writer) error) error {
		return streamed(w, &artifact.File{Route: snapshot.PartRoute(name), Type: artifact.NDJSON, Class: artifact.ClassCatalog, Stream: fill}, 32<<10)
	}
	return errors.Join(part(snapshot.HeadFile, c.EncodeHead), part(snapshot.LinesFile, c.EncodeLines),
		part(snapshot.ItemsFile, func(out io.Writer) error { _, err := io.Copy(out, items); return err }),
		part(snapshot.ThroughFile, func(out io.Writer) error {
			_, err := io.WriteString(out, strconv.FormatInt(c.Through, 10)+"\n")
			return err
		}))
}

// largeMin is the size from which a document is streamed into the file, as the ones are that
// a build does not hold.
const largeMin = 1 << 16

// add adds a document by its name.
func add(w *pack.Writer, name string, body []byte) error {
	f := artifact.File{Route: name, Type: artifact.JSON, Class: artifact.ClassEntry, Body: body,
		Sums: &artifact.Sums{Body: sha256.Sum256(body), Manifest: wire.ManifestSum(body)}}
	if artifact.HasExtension(name) {
		f.Type = artifact.TypeOf(strings.TrimPrefix(name, "/"))
		if folder, last := path.Split(name); strings.HasPrefix(last, "index.") {
			f.Route = cmp.Or(strings.TrimSuffix(folder, "/"), "/")
		}
	}
	if len(body) > largeMin {
		f.Body, f.Stream = nil, func(out io.Writer) error { _, err := out.Write(body); return err }
		return streamed(w, &f, pack.FrameMax)
	}
	g, err := w.Compressor().Compress("document "+f.Route, []artifact.File{f})
	if err != nil {
		return err
	}
	return w.Append(g)
}

// streamed adds a document that is streamed, in frames of size bytes.
func streamed(w *pack.Writer, f *artifact.File, size int) error {
	var b bytes.Buffer
	s, err := w.Compressor().StreamIn(&b, "document "+f.Route, f, size, nil)
	if err != nil {
		return err
	}
	return w.AppendStreamed(s, &b)
}

// write writes a file of a folder, which appears when it is whole.
func write(dir, name string, fill func(*pack.Writer) error) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	out, err := os.CreateTemp(dir, ".tmp-*")
	if err != nil {
		return err
	}
	w := pack.NewWriter(out)
	err = fill(w)
	_, closed := w.Close()
	if err := errors.Join(err, closed, out.Close()); err != nil {
		return errors.Join(err, os.Remove(out.Name()))
	}
	return os.Rename(out.Name(), filepath.Join(dir, name))
}
