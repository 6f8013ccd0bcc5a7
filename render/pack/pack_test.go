package pack

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"runtime"
	"strings"
	"testing"

	"golang.org/x/sync/errgroup"

	"github.com/assay-register/assay/render/artifact"
)

// compressor is that of all tests.
var compressor Compressor

// entry makes the documents of one entry: a page and a record, two tiny ones with
// the same bytes, an empty one, and one that needs several frames for each 50th.
func entry(i int) []artifact.File {
	id := fmt.Sprintf("entry-%d", i)
	text := func(kind string, n int) []byte {
		var b bytes.Buffer
		for j := 0; b.Len() < n; j++ {
			fmt.Fprintf(&b, "{%q: %d, %q: \"the %s of %s\"}\n", kind, j*i, "title", kind, id)
		}
		return b.Bytes()
	}
	files := []artifact.File{
		{Route: "/api/v1/entries/" + id, Alias: "/api/v1/entries/the-" + id, Type: artifact.JSON, Class: artifact.ClassEntry, Body: text("record", 9000)},
		{Route: "/entry/" + id, Type: "text/html; charset=utf-8", Class: artifact.ClassEntry, Body: text("page", 20000)},
		{Route: "/badges/" + id + "/a", Type: "image/svg+xml", Class: artifact.ClassEntryPart, Cache: artifact.Hashed, Body: text("badge", 300)},
		{Route: "/badges/" + id + "/b", Type: "image/svg+xml", Class: artifact.ClassEntryPart, Body: text("badge", 300)},
		{Route: "/empty/" + id, Type: artifact.Text, Class: artifact.ClassEntryPart, Body: []byte{}},
	}
	files[0].Sums = &artifact.Sums{Body: sha256.Sum256(files[0].Body), Manifest: sha256.Sum256([]byte(id))}
	if i%50 == 0 {
		files = append(files, artifact.File{Route: "/large/" + id, Type: artifact.CSV, Body: text("large", 2*FrameMax+77)})
	}
	return files
}

// groups compresses n entries, with several goroutines.
func groups(t testing.TB, n int) []*Group {
	t.Helper()
	out := make([]*Group, n)
	// As many at the same time as a build has: each has an encoder of its own, of 20 MB.
	var wait errgroup.Group
	wait.SetLimit(runtime.GOMAXPROCS(0))
	for i := range n {
		wait.Go(func() (err error) {
			out[i], err = compressor.Compress(fmt.Sprint("entry ", i), entry(i))
			return err
		})
	}
	if err := wait.Wait(); err != nil {
		t.Error(err)
	}
	return out
}

func write(t testing.TB, list []*Group, section string) []byte {
	t.Helper()
	var b bytes.Buffer
	w := NewWriter(&b)
	for _, g := range list {
		if err := w.Append(g); err != nil {
			t.Fatal(err)
		}
	}
	whole := artifact.File{Route: "/entries.ndjson", Type: artifact.NDJSON, Class: artifact.ClassCatalog, Stream: stream}
	streamInto(t, w, &whole)
	if err := w.Section("search", strings.NewReader(section)); err != nil {
		t.Fatal(err)
	}
	if _, err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// streamInto adds a document that is streamed.
func streamInto(t testing.TB, w *Writer, f *artifact.File) {
	t.Helper()
	var b bytes.Buffer
	s, err := compressor.Stream(&b, "whole "+f.Route, f)
	if err == nil {
		err = w.AppendStreamed(s, &b)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// stream writes a document of several frames in uneven pieces.
func stream(out io.Writer) error {
	for i := range 3000 {
		if _, err := out.Write(bytes.Repeat([]byte{byte(i), byte(i >> 5)}, 500)); err != nil {
			return err
		}
	}
	return nil
}

func open(t testing.TB, file []byte) *Reader {
	t.Helper()
	r, err := Open(bytes.NewReader(file), int64(len(file)))
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func body(t testing.TB, r *Reader, f *Found, err error) []byte {
	t.Helper()
	if err != nil || f == nil {
		t.Fatalf("found %v, %v", f, err)
	}
	var b bytes.Buffer
	if err := r.Verify(&b, f); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func TestEveryDocumentIsFoundByRouteAndHash(t *testing.T) {
	t.Parallel()
	r := open(t, write(t, groups(t, 120), "index"))
	for i := range 120 {
		for _, f := range entry(i) {
			for _, route := range []string{f.Route, f.Alias} {
				if route == "" {
					continue
				}
				found, err := r.Route(route)
				if got := body(t, r, found, err); !bytes.Equal(got, f.Body) {
					t.Fatalf("%s has %d bytes, want %d", route, len(got), len(f.Body))
				}
				d := found.Document
				if d.Type != f.Type || d.Class != f.Class || d.Cache != f.Cache || d.Alias != f.Alias {
					t.Errorf("%s: %+v", route, d)
				}
			}
			found, err := r.Hash(sha256.Sum256(f.Body))
			if got := body(t, r, found, err); !bytes.Equal(got, f.Body) {
				t.Errorf("the hash of %s leads to other bytes", f.Route)
			}
		}
		found, err := r.Hash(sha256.Sum256(fmt.Appendf(nil, "entry-%d", i)))
		if err != nil || found == nil || found.Document.Route != fmt.Sprintf("/api/v1/entries/entry-%d", i) {
			t.Errorf("manifest of entry %d: %v, %v", i, found, err)
		}
	}
	for _, route := range []string{"", "/", "/entry/entry-120", "group entry 1"} {
		if f, err := r.Route(route); f != nil || err != nil {
			t.Errorf("%q: %v, %v", route, f, err)
		}
	}
	if f, err := r.Hash(sha256.Sum256([]byte("nothing"))); f != nil || err != nil {
		t.Errorf("an unknown hash: %v, %v", f, err)
	}
}

func TestStreamedDocumentIsWhole(t *testing.T) {
	t.Parallel()
	r := open(t, write(t, nil, ""))
	var want bytes.Buffer
	if err := stream(&want); err != nil {
		t.Fatal(err)
	}
	found, err := r.Route("/entries.ndjson")
	if got := body(t, r, found, err); !bytes.Equal(got, want.Bytes()) {
		t.Fatalf("%d bytes, want %d", len(got), want.Len())
	}
	// Parts within a frame, over the border of two, and none.
	for _, c := range [][2]int64{{0, 1}, {FrameMax - 2, 4}, {FrameMax, 10}, {2*FrameMax - 1, FrameMax / 2}, {5, 0}, {int64(want.Len()), 0}} {
		var b bytes.Buffer
		if err := r.Write(&b, found, c[0], c[1]); err != nil || !bytes.Equal(b.Bytes(), want.Bytes()[c[0]:c[0]+c[1]]) {
			t.Errorf("part %v: %d bytes, %v", c, b.Len(), err)
		}
	}
	for _, c := range [][2]int64{{-1, 1}, {0, -1}, {0, int64(want.Len()) + 1}, {int64(want.Len()), 1}} {
		if err := r.Write(io.Discard, found, c[0], c[1]); err == nil {
			t.Errorf("part %v is written", c)
		}
	}
}

// Groups that are copied give the file that compressing gives, and the section
// does not reach what stands before it.
func TestCopiedGroupsAreTheSameBytes(t *testing.T) {
	t.Parallel()
	list := groups(t, 60)
	first := write(t, list, "index")
	r := open(t, first)
	var copied []*Group
	for i := range list {
		g, err := r.Group(fmt.Sprint("entry ", i))
		if err != nil || g == nil {
			t.Fatalf("group %d: %v, %v", i, g, err)
		}
		copied = append(copied, g)
	}
	if !bytes.Equal(write(t, copied, "index"), first) {
		t.Error("a file of copied groups differs")
	}
	if a, b := r.Directory.Content, open(t, write(t, list, "another")).Directory.Content; a != b {
		t.Error("the section reaches the hash of the content")
	}
	if g, err := r.Group("entry 60"); g != nil || err != nil {
		t.Errorf("a group that is not there: %v, %v", g, err)
	}
}

// The bytes belong to the version of the form. Who changes this hash changes the
// magic word too, or every file that was written before becomes another one.
func TestBytesOfTheForm(t *testing.T) {
	t.Parallel()
	const want = "f24c838c84746775d5b240bc4d27dc32d0fb61bbe3108e7152f8b2d8c1969885"
	file := write(t, groups(t, 60), "index")
	file = append(file, deflate(bytes.Repeat([]byte("a line of a gzip copy, which is made when it is read\n"), 2000))...)
	_, _, xml := ofJSONLD(t, 3)
	file = append(file, xml...)
	for k := Stored + 1; k < kinds; k++ {
		if k.HasDictionary() {
			file = append(file, dictionary(k)...)
		}
	}
	sum := sha256.Sum256(file)
	if got := hex.EncodeToString(sum[:]); got != want {
		t.Errorf("the file has the hash %s, want %s", got, want)
	}
}

func TestSections(t *testing.T) {
	t.Parallel()
	r := open(t, write(t, nil, "some bytes"))
	if b, err := io.ReadAll(r.Section("search")); err != nil || string(b) != "some bytes" {
		t.Errorf("%q, %v", b, err)
	}
	if r.Section("other") != nil {
		t.Error("a section that is not there")
	}
}

func TestFailuresAreTold(t *testing.T) {
	t.Parallel()
	full := errors.New("no space left")
	w := NewWriter(failing{full})
	for range 100 {
		for _, g := range groups(t, 10) {
			if err := w.Append(g); err != nil && !errors.Is(err, full) {
				t.Fatal(err)
			}
		}
	}
	if _, err := w.Close(); !errors.Is(err, full) {
		t.Errorf("Close: %v", err)
	}
	for _, gzip := range []string{"", "/s.gz"} {
		fails := &artifact.File{Route: "/s", Gzip: gzip, Stream: func(io.Writer) error { return full }}
		if _, err := compressor.Stream(io.Discard, "s", fails); !errors.Is(err, full) {
			t.Errorf("Stream: %v", err)
		}
		if _, err := compressor.Stream(failing{full}, "s", &artifact.File{Route: "/s", Gzip: gzip, Stream: stream}); !errors.Is(err, full) {
			t.Errorf("Stream into a full file: %v", err)
		}
	}
	w = NewWriter(io.Discard)
	if err := w.Section("search", strings.NewReader("")); err != nil {
		t.Fatal(err)
	}
	if err := w.Append(groups(t, 1)[0]); err == nil {
		t.Error("a group after a section")
	}
	if _, err := compressor.Compress("s", []artifact.File{{Route: "/s", Stream: stream}}); err == nil {
		t.Error("a streamed document in a group")
	}
}

type failing struct{ err error }

func (f failing) Write([]byte) (int, error) { return 0, f.err }

// A file that lost its end, or bytes of which changed, is refused or gives the
// bytes that it should: never others.
func TestDamageIsSeen(t *testing.T) {
	t.Parallel()
	file := write(t, groups(t, 3), "index")
	for n := 0; n < len(file); n += len(file)/300 + 1 {
		if _, err := Open(bytes.NewReader(file[:n]), int64(n)); !errors.Is(err, ErrForm) {
			t.Fatalf("the first %d bytes: %v", n, err)
		}
	}
	seen := 0
	for at := 0; at < len(file); at += len(file)/300 + 1 {
		bad := bytes.Clone(file)
		bad[at] ^= 0x55
		if err := readAll(bad); err != nil {
			seen++
			if !errors.Is(err, ErrForm) {
				t.Fatalf("byte %d: %v", at, err)
			}
		}
	}
	if seen < 200 {
		t.Errorf("only %d changes were seen", seen)
	}
}

func TestTableFillsItsFrames(t *testing.T) {
	t.Parallel()
	g := groups(t, 1)[0]
	raw, sums := g.table()
	span := int64(len(g.data))
	if _, err := parseTable(raw, sums, span); err != nil {
		t.Fatal(err)
	}
	for _, wrong := range []int64{0, span - 1, span + 1} {
		if _, err := parseTable(raw, sums, wrong); !errors.Is(err, errTable) {
			t.Errorf("%d bytes of frames: %v", wrong, err)
		}
	}
	for n := range raw {
		if _, err := parseTable(raw[:n], sums, span); !errors.Is(err, errTable) {
			t.Errorf("the first %d bytes: %v", n, err)
		}
	}
	for n := range sums {
		if _, err := parseTable(raw, sums[:n], span); !errors.Is(err, errTable) {
			t.Errorf("the first %d bytes of hashes: %v", n, err)
		}
	}
}

// The words that stand for a part of many routes come back as they were, also where a
// text has bytes that would stand for one, and cannot be used to fill the memory.
func TestTableAbbreviates(t *testing.T) {
	t.Parallel()
	for _, routes := range [][2]string{{"/a/0005b887-d5fa", "/a/the-slug"}, {"/a/x", "/b/y"}, {"/a/long\x01name", "/a/other\x02"}, {"", ""}, {"/same-word", "/b/same-word.ttl"}} {
		g, err := compressor.Compress("key", []artifact.File{
			{Route: routes[0], Alias: routes[1], Type: artifact.JSON, Body: []byte("1")},
			{Route: routes[0] + "/part", Type: artifact.JSON, Body: []byte("2")},
		})
		if err != nil {
			t.Fatal(err)
		}
		raw, sums := g.table()
		got, err := parseTable(raw, sums, int64(len(g.data)))
		if err != nil || got.Documents[0].Route != routes[0] || got.Documents[0].Alias != routes[1] || got.Documents[1].Route != routes[0]+"/part" {
			t.Errorf("%q: %+v, %v", routes, got, err)
		}
	}
	g := &Group{Key: "k", Documents: []Document{{Route: "/" + strings.Repeat("long", 100)}}}
	for range 1000 {
		g.Documents = append(g.Documents, Document{Route: strings.Repeat(strings.Repeat("long", 100)+"/", 200)})
	}
	raw, sums := g.table()
	if _, err := parseTable(raw, sums, 0); !errors.Is(err, errTable) || len(raw) > 1<<20 {
		t.Errorf("%d bytes of table: %v", len(raw), err)
	}
}

// readAll reads every document in every way.
func readAll(file []byte) error {
	r, err := Open(bytes.NewReader(file), int64(len(file)))
	if err != nil {
		return err
	}
	return r.Each(func(f *Found) error {
		if f.Document.Size > 64<<20 {
			return fmt.Errorf("%w: too large for a test", ErrForm)
		}
		if err := r.Verify(io.Discard, f); err != nil {
			return err
		}
		if _, err := r.Route(f.Document.Route); err != nil {
			return err
		}
		_, err := r.Hash(f.Document.Sum)
		return err
	})
}

func FuzzOpen(f *testing.F) {
	g, err := compressor.Compress("g", entry(1))
	if err != nil {
		f.Fatal(err)
	}
	var b bytes.Buffer
	w := NewWriter(&b)
	if err := w.Append(g); err != nil {
		f.Fatal(err)
	}
	if _, err := w.Close(); err != nil {
		f.Fatal(err)
	}
	f.Add(b.Bytes())
	f.Add(b.Bytes()[:100])
	f.Fuzz(func(t *testing.T, file []byte) {
		if err := readAll(file); err != nil && !errors.Is(err, ErrForm) {
			t.Error(err)
		}
	})
}

func FuzzTable(f *testing.F) {
	g, err := compressor.Compress("g", entry(1))
	if err != nil {
		f.Fatal(err)
	}
	raw, sums := g.table()
	f.Add(raw, sums, int64(len(g.data)))
	f.Fuzz(func(t *testing.T, raw, sums []byte, span int64) {
		g, err := parseTable(raw, sums, span)
		if err != nil {
			return
		}
		raw, sums = g.table()
		again, err := parseTable(raw, sums, span)
		if err != nil || len(again.Documents) != len(g.Documents) || again.Key != g.Key {
			t.Errorf("read again: %v, %v", again, err)
		}
	})
}

func FuzzGroup(f *testing.F) {
	g, err := compressor.Compress("g", entry(1))
	if err != nil {
		f.Fatal(err)
	}
	b, err := g.MarshalBinary()
	if err != nil {
		f.Fatal(err)
	}
	f.Add(b)
	f.Fuzz(func(t *testing.T, b []byte) {
		var g Group
		err := g.UnmarshalBinary(b)
		for i := range g.Documents {
			if err == nil && g.Documents[i].Size < 64<<20 {
				err = g.Write(io.Discard, i)
			}
		}
		if err != nil && !errors.Is(err, ErrForm) {
			t.Error(err)
		}
	})
}

// A group that another container kept is the same group.
func TestGroupInAnotherContainer(t *testing.T) {
	t.Parallel()
	files := entry(50)
	g, err := compressor.Compress("entry 50", files)
	if err != nil {
		t.Fatal(err)
	}
	b, err := g.MarshalBinary()
	if err != nil {
		t.Fatal(err)
	}
	var got Group
	if err := got.UnmarshalBinary(b); err != nil || got.Key != g.Key {
		t.Fatalf("group %q, %v", got.Key, err)
	}
	for i, f := range files {
		var out bytes.Buffer
		if err := got.Write(&out, i); err != nil || !bytes.Equal(out.Bytes(), f.Body) {
			t.Errorf("%s: %d bytes, %v", f.Route, out.Len(), err)
		}
	}
	for n := range b {
		if err := new(Group).UnmarshalBinary(b[:n]); !errors.Is(err, ErrForm) {
			t.Fatalf("the first %d bytes: %v", n, err)
		}
	}
	if err := got.Write(io.Discard, len(files)); err == nil {
		t.Error("a document that is not there")
	}
}
