package search

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/assay-register/assay/build/index"
	"github.com/assay-register/assay/cmd/internal/sample"
	"github.com/assay-register/assay/dynamic/query"
	"github.com/assay-register/assay/dynamic/sitetest"
	"github.com/assay-register/assay/dynamic/store/storetest/pgtest"
	"github.com/assay-register/assay/render/catalog"
	"github.com/assay-register/assay/render/pack"
	"github.com/assay-register/assay/render/search"
	"github.com/assay-register/assay/render/snapshot"
	"github.com/assay-register/assay/render/wire"
)

func TestMain(m *testing.M) { pgtest.Main(m) }

// document is one entry as the engines beside ours get it.
type document struct {
	id, title, tags, institution, body string
	item                               []byte
	line                               snapshot.Line
}

// site writes what the service reads: a snapshot file with its index.
type site struct {
	dir      string
	frame    *snapshot.Frame
	draft    *snapshot.Draft
	items    *os.File
	out      *bufio.Writer
	offset   int64
	index    *index.Index
	analyser search.Analyser
	// indexing is the time that the index alone took.
	indexing time.Duration
}

func newSite(b testing.TB, institutions []catalog.Institution, licences []catalog.Licence, sources []catalog.Source) *site {
	b.Helper()
	dir := *siteDir
	if dir == "" {
		dir = b.TempDir()
	}
	items, err := os.Create(filepath.Join(b.TempDir(), "items"))
	check(b, err)
	frame := snapshot.NewFrame(snapshot.Site{BaseURL: "https://assay.example", Name: "Assay", License: "CC0-1.0"}, sample.Instant, institutions, licences, sources)
	return &site{dir: dir, frame: frame, draft: snapshot.NewDraft(frame), items: items, out: bufio.NewWriterSize(items, 1<<20),
		index: index.New(func(name string) (*os.File, error) { return os.Create(filepath.Join(dir, name)) })}
}

// add freezes the next entry in the order of the ids.
func (s *site) add(row *catalog.Row) (*document, error) {
	folded := search.Fold(row.Entry.Name)
	scored := s.frame.Score(row, folded)
	line := snapshot.NewLine(scored, folded)
	item, cells, err := wire.EncodeItem(scored)
	if err != nil {
		return nil, err
	}
	line.Cells, line.Item = cells, snapshot.Span{Offset: s.offset, Length: len(item)}
	s.out.Write(item)
	s.offset += int64(len(item)) + 1
	began := time.Now()
	d := search.Project(row, scored.Institution)
	if err := s.index.Add(s.analyser.Analyse(&d)); err != nil {
		return nil, err
	}
	s.indexing += time.Since(began)
	return plain(&d, line, item), errors.Join(s.out.WriteByte('\n'), s.draft.Add(line, nil))
}

// plain is a document as texts.
func plain(d *search.Document, line snapshot.Line, item []byte) *document {
	join := func(fields ...search.Field) string {
		var out []string
		for _, f := range fields {
			for _, t := range d[f] {
				out = append(out, t.Value)
			}
		}
		return strings.Join(out, "\n")
	}
	return &document{id: line.ID, title: join(search.FieldTitle), tags: join(search.FieldTags), institution: join(search.FieldInstitution),
		body: join(search.FieldProfile, search.FieldText), item: item, line: line}
}

// finish writes the rest and opens the snapshot.
func (s *site) finish(b testing.TB) *query.Library {
	b.Helper()
	check(b, s.out.Flush())
	c := s.draft.Finish(s.items)
	words, err := os.Create(filepath.Join(b.TempDir(), "words"))
	check(b, err)
	began := time.Now()
	check(b, s.index.Finish(words, c))
	s.indexing += time.Since(began)
	rewind := func(f *os.File) error { _, err := f.Seek(0, io.SeekStart); return err }
	check(b, errors.Join(s.index.Close(), rewind(s.items), rewind(words)))
	check(b, sitetest.Publish(s.dir, c, s.items, words, func(*pack.Writer) error { return nil }))
	check(b, errors.Join(s.items.Close(), words.Close()))
	l, err := query.Open(s.dir, slog.New(slog.DiscardHandler), nil)
	check(b, err)
	return l
}

func check(b testing.TB, err error) {
	b.Helper()
	if err != nil {
		b.Fatal(err)
	}
}

// ours answers with the search of the register.
type ours struct{ library *query.Library }

func (o *ours) find(ctx context.Context, q string, n int) ([]string, error) {
	r, err := query.ParseSearch(parameters(q, n))
	if err != nil {
		return nil, err
	}
	p, err := o.library.Current().SearchPage(ctx, r, time.Now)
	if err != nil {
		return nil, err
	}
	var page struct {
		Items []struct {
			Entry struct {
				ID string `json:"id"`
			} `json:"entry"`
		} `json:"items"`
	}
	if err := json.Unmarshal(p.Body, &page); err != nil {
		return nil, err
	}
	ids := make([]string, len(page.Items))
	for i := range page.Items {
		ids[i] = page.Items[i].Entry.ID
	}
	return ids, nil
}
