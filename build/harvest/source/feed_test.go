package source_test

import (
	"archive/zip"
	"bytes"
	"context"
	"errors"
	"io"
	"io/fs"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/assay-register/assay/build/harvest/source"
	"github.com/assay-register/assay/build/harvest/source/feedtest"
)

// feed collects the records of {"list":[…]} and goes on as next says.
func feed(got *[]string, next func(source.Page) string) *source.Feed {
	return &source.Feed{Paths: []string{"list"}, First: "https://a.gov/1", Next: next,
		Each: func(j *source.JSON, it source.Item, seed string) error {
			*got = append(*got, j.Place(it)+" "+string(it.Raw)+" "+seed)
			return nil
		}}
}

func collect(codes *[]source.Code) func(source.Rejection) error {
	return func(r source.Rejection) error { *codes = append(*codes, r.Code); return nil }
}

func TestFeedLive(t *testing.T) {
	pages := map[string]string{"https://a.gov/1": `{"list":[1,2],"next":"2"}`, "https://a.gov/2": `{"list":[3`, "https://a.gov/3": `{"list":[]}`}
	next := func(p source.Page) string {
		if strings.HasSuffix(p.URL, "1") {
			return "https://a.gov/2"
		}
		return "https://a.gov/3"
	}
	var got []string
	var codes []source.Code
	s := &feedtest.Site{Answer: func(u string) string { return pages[u] }}
	in := s.Input("https://a.gov", nil)
	if err := feed(&got, next).Run(t.Context(), &in, collect(&codes)); err != nil {
		t.Fatal(err)
	}
	if len(got) != 3 || got[2] != "https://a.gov/2:1 3 https://a.gov/2" || len(codes) != 1 || codes[0] != source.CodeBrokenJSON || strings.Join(s.Marks, " ") != "https://a.gov/2 https://a.gov/3" {
		t.Errorf("got %q, %v, marks %v", got, codes, s.Marks)
	}
}

// A portal under maintenance answers every page with the same or another page
// for people.
func TestFeedLeavesErrorPages(t *testing.T) {
	n := 0
	s := &feedtest.Site{Answer: func(string) string { n++; return "<html>" + strings.Repeat("x", n) }}
	var got []string
	var codes []source.Code
	in := s.Input("https://a.gov", nil)
	next := func(p source.Page) string { return source.NextOffset(p, "start", -1) }
	if err := feed(&got, next).Run(t.Context(), &in, collect(&codes)); err != nil || len(s.Asked) != 1 || len(codes) != 1 || codes[0] != source.CodeBrokenJSON {
		t.Errorf("%v, asked %v, %v", err, s.Asked, codes)
	}
}

func TestFeedStops(t *testing.T) {
	broken := errors.New("disk full")
	s := &feedtest.Site{Answer: func(string) string { return `{"list":[1]}` }}
	in := s.Input("https://a.gov", nil)
	in.Mark = func(string) error { return broken }
	var got []string
	if err := feed(&got, func(source.Page) string { return "https://a.gov/2" }).Run(t.Context(), &in, nil); !errors.Is(err, broken) {
		t.Errorf("a failed mark: %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	in = feedtest.File("in", []byte(`{"list":[1]}`), "https://a.gov")
	if err := feed(&got, nil).Run(ctx, &in, nil); !errors.Is(err, context.Canceled) {
		t.Errorf("a cancelled run: %v", err)
	}
	in = source.Input{Name: "nothing"}
	if err := feed(&got, nil).Run(t.Context(), &in, nil); err == nil {
		t.Error("no input gave no error")
	}
}

// unreadable is a file that nobody may open.
type unreadable struct{ fstest.MapFS }

func (u unreadable) Open(name string) (fs.File, error) {
	if name == "b.json" {
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrPermission}
	}
	return u.MapFS.Open(name)
}

func TestFeedFiles(t *testing.T) {
	files := fstest.MapFS{"a.json": {Data: []byte(`{"list":[1]}`)}, "b.json": {Data: []byte(`[2]`)}, "sub/c.jsonl": {Data: []byte("{}\n{}\n")},
		"empty.json": {}, "note.txt": {Data: []byte("[9]")}}
	var got []string
	var codes []source.Code
	in := source.Input{Name: "dir", Files: unreadable{files}}
	if err := feed(&got, nil).Run(t.Context(), &in, collect(&codes)); err != nil {
		t.Fatal(err)
	}
	if len(got) != 3 || got[1] != "dir/sub/c.jsonl:1 {} " || len(codes) != 2 || codes[0] != source.CodeUnreadable || codes[1] != source.CodeNoRecords {
		t.Errorf("got %q, %v", got, codes)
	}
}

func TestFeedArchive(t *testing.T) {
	var packed bytes.Buffer
	w := zip.NewWriter(&packed)
	for name, text := range map[string]string{"x/a.json": `[1,2]`, "x/readme.md": "no"} {
		f, err := w.Create(name)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := io.WriteString(f, text); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	var got []string
	var codes []source.Code
	in := feedtest.File("dump.zip", packed.Bytes(), "https://a.gov/")
	if err := feed(&got, nil).Run(t.Context(), &in, collect(&codes)); err != nil || len(got) != 2 || got[0] != "dump.zip/x/a.json:1 1 https://a.gov/" || len(codes) > 0 {
		t.Errorf("got %q, %v, %v", got, codes, err)
	}
}
