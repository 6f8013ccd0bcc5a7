package xmltree

import (
	"bytes"
	"encoding/xml"
	"errors"
	"io"
	"strings"
	"testing"
	"testing/iotest"
)

func records(r *Reader) ([]*Node, error) {
	r.Take = func(n xml.Name) bool { return n.Local == "record" }
	var out []*Node
	for {
		n, err := r.Next()
		if errors.Is(err, io.EOF) {
			return out, nil
		}
		if err != nil {
			return out, err
		}
		out = append(out, n)
	}
}

func TestTrees(t *testing.T) {
	t.Parallel()
	const doc = `<?xml version="1.0"?><list xmlns="urn:l" xmlns:x="urn:x" total="3">
<record id="a"><x:title x:lang="de">Fl<!-- no -->üsse &amp; Seen</x:title></record>
<page><record><title>B</title><title>C</title></record></page><more>token</more></list>`
	r := New(strings.NewReader(doc), 1000)
	var around []string
	r.Enter = func(n *Node) { around = append(around, n.Name+n.Attr("total")) }
	got, err := records(r)
	if err != nil || len(got) != 2 {
		t.Fatalf("%d records, %v", len(got), err)
	}
	title := got[0].First("title")
	if title.Text != "Flüsse & Seen" || title.Space != "urn:x" || title.Attr("lang") != "de" || got[0].Attr("id") != "a" || got[0].Line != 2 {
		t.Errorf("%+v", title)
	}
	if all := got[1].All("*"); len(all) != 2 || all[1].Text != "C" || got[1].Has("none") || got[1].Value("title") != "B" {
		t.Errorf("%+v", got[1])
	}
	if strings.Join(around, ",") != "list3,page,more" {
		t.Errorf("around %v", around)
	}
}

func TestBounds(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("x", 300)
	for _, c := range []struct {
		name, doc string
		want      error
	}{
		{"doctype", `<!DOCTYPE a [<!ENTITY x "y">]><a><record>&x;</record></a>`, ErrDoctype},
		{"unknown entity", `<a><record>&x;</record></a>`, &xml.SyntaxError{}},
		{"deep", strings.Repeat("<a>", 1000), ErrTooDeep},
		{"deep in a record", "<record>" + strings.Repeat("<a>", 1000), ErrTooDeep},
		{"long text", "<a>" + long + "</a>", ErrTooLong},
		{"long attribute", `<a b="` + long + `"/>`, ErrTooLong},
		{"breaks off", "<a><record>", io.ErrUnexpectedEOF},
		{"breaks off around", "<a>", io.ErrUnexpectedEOF},
		{"unknown encoding", `<?xml version="1.0" encoding="klingon"?><a/>`, nil},
	} {
		_, err := records(New(strings.NewReader(c.doc), 200))
		var fault *Error
		var syntax *xml.SyntaxError
		if !errors.As(err, &fault) || fault.Line == 0 {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		if c.want != nil && !errors.Is(err, c.want) && !(errors.As(c.want, &syntax) && errors.As(err, &syntax)) {
			t.Errorf("%s: got %v, want %v", c.name, err, c.want)
		}
	}
}

// A record that is too long costs only itself.
func TestLongRecord(t *testing.T) {
	t.Parallel()
	doc := "<a><record>" + strings.Repeat("<b>word</b>", 50) + "</record><record>good</record></a>"
	r := New(strings.NewReader(doc), 200)
	r.Take = func(n xml.Name) bool { return n.Local == "record" }
	var fault *Error
	n, err := r.Next()
	if n != nil || !errors.As(err, &fault) || !fault.Passed {
		t.Fatalf("%v, %v", n, err)
	}
	if n, err = r.Next(); err != nil || n.Text != "good" {
		t.Errorf("%v, %v", n, err)
	}
	if _, err = r.Next(); !errors.Is(err, io.EOF) {
		t.Error(err)
	}
}

func TestReaderFails(t *testing.T) {
	t.Parallel()
	broken := errors.New("line cut")
	_, err := records(New(io.MultiReader(strings.NewReader("<a><record>"), iotest.ErrReader(broken)), 200))
	if !errors.Is(err, broken) {
		t.Error(err)
	}
}

func TestEncodings(t *testing.T) {
	t.Parallel()
	got, err := records(New(strings.NewReader("<?xml version=\"1.0\" encoding=\"iso-8859-1\"?><record>\xe9t\xe9</record>"), 200))
	if err != nil || len(got) != 1 || got[0].Text != "été" {
		t.Errorf("%v, %v", got, err)
	}
}

func TestWrite(t *testing.T) {
	t.Parallel()
	const doc = `<r:record xmlns:r="urn:r" xmlns:o="urn:o" o:about="a&lt;b"><o:x xml:lang="fr">1 &amp; 2</o:x><plain/></r:record>`
	got, err := records(New(strings.NewReader(doc), 1000))
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	if err := Write(&out, got[0]); err != nil {
		t.Fatal(err)
	}
	want := `<n1:record xmlns:n0="urn:o" xmlns:n1="urn:r" n0:about="a&lt;b"><n0:x xml:lang="fr">1 &amp; 2</n0:x><plain></plain></n1:record>`
	if out.String() != want {
		t.Errorf("got  %s\nwant %s", out.String(), want)
	}
}

// Whatever comes, the fault is one of the document and the records are bounded;
// what was read can be written.
func FuzzXMLTree(f *testing.F) {
	f.Add([]byte(`<a xmlns:b="urn:b"><record b:c="d" xml:lang="en">t<b:e/></record></a>`))
	f.Add([]byte(`<record><a>&amp;&#65;</a><![CDATA[<x>]]></record>`))
	f.Fuzz(func(t *testing.T, data []byte) {
		got, err := records(New(bytes.NewReader(data), 1<<12))
		var fault *Error
		if err != nil && !errors.As(err, &fault) {
			t.Fatalf("%v", err)
		}
		for _, n := range got {
			size := 0
			n.Each(func(n *Node) { size += len(n.Text) + len(n.Name) })
			if size > 1<<13 {
				t.Errorf("a record of %d bytes", size)
			}
			if err := Write(io.Discard, n); err != nil {
				t.Error(err)
			}
		}
	})
}
