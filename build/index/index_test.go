package index

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/assay-register/assay/render/catalog"
	"github.com/assay-register/assay/render/search"
	"github.com/assay-register/assay/render/search/segment"
	"github.com/assay-register/assay/render/snapshot"
)

var day = time.Date(2026, 11, 21, 0, 0, 0, 0, time.UTC)

// register makes a catalog of n entries and their documents.
func register(t *testing.T, n int) (*snapshot.Catalog, []search.Document) {
	t.Helper()
	inst := catalog.Institution{ID: catalog.NewID("institution", "x"), Name: "Υπουργείο Υποδομών", NameEn: "Ministry of Infrastructure", NativeLang: "el"}
	frame := snapshot.NewFrame(snapshot.Site{BaseURL: "https://register.example"}, day, []catalog.Institution{inst}, nil, nil)
	draft := snapshot.NewDraft(frame)
	var documents []search.Document
	for i := range n {
		e := catalog.Entry{ID: fmt.Sprintf("%08d-0000-5000-8000-000000000000", i), Slug: fmt.Sprint("e", i), Name: fmt.Sprintf("Κτίρια %d", i), NameEn: fmt.Sprintf("Buildings %d", i),
			NativeLang: "el", Status: catalog.StatusActive, Tags: []string{"gis", fmt.Sprint("tag ", i%3)}, InstitutionID: inst.ID, Description: "Word number " + fmt.Sprint(i*i)}
		if i%5 == 4 {
			e.Status = catalog.StatusDeprecated
		}
		row := &catalog.Row{Entry: e}
		s := frame.Score(row, search.Fold(e.Name))
		documents = append(documents, search.Project(row, s.Institution))
		if err := draft.Add(snapshot.NewLine(s, search.Fold(e.Name)), nil); err != nil {
			t.Fatal(err)
		}
	}
	return draft.Finish(bytes.NewReader(nil)), documents
}

// build indexes the documents with a bound on the memory.
func build(t *testing.T, c *snapshot.Catalog, documents []search.Document, limit int) []byte {
	t.Helper()
	dir := t.TempDir()
	x := New(func(name string) (*os.File, error) { return os.Create(filepath.Join(dir, name)) })
	x.limit = limit
	var an search.Analyser
	for i := range documents {
		if err := x.Add(an.Analyse(&documents[i])); err != nil {
			t.Fatal(err)
		}
	}
	runs := len(x.runs)
	var out bytes.Buffer
	if err := errors.Join(x.Finish(&out, c), x.Close()); err != nil {
		t.Fatal(err)
	}
	if limit < 1<<20 && runs < 2 {
		t.Errorf("%d runs were spilled", runs)
	}
	return out.Bytes()
}

func TestASpilledIndexIsTheSame(t *testing.T) {
	c, documents := register(t, 300)
	whole := build(t, c, documents, memory)
	if spilled := build(t, c, documents, 20_000); !bytes.Equal(whole, spilled) {
		t.Error("an index that was spilled differs")
	}
	s, err := segment.Open(whole)
	if err != nil || s.Documents() != 300 || s.Find("ktiria") < 0 || s.Frequency(s.Find("ktiria")) != 300 {
		t.Fatalf("%v", err)
	}
}

func TestCompletionsAreOfWhatIsListed(t *testing.T) {
	c, documents := register(t, 10)
	s, err := segment.Open(build(t, c, documents, memory))
	if err != nil {
		t.Fatal(err)
	}
	for prefix, want := range map[string]struct {
		text  string
		kind  segment.Kind
		count uint32
	}{
		"gis": {"gis", segment.KindTag, 8}, "tag 1": {"tag 1", segment.KindTag, 2}, "minis": {"Ministry of Infrastructure", segment.KindInstitution, 8},
		"ypodom": {"Υπουργείο Υποδομών", segment.KindInstitution, 8}, "ktiria 3": {"Κτίρια 3", segment.KindTitle, 1}, "buildings 3": {"Buildings 3", segment.KindTitle, 1},
	} {
		got := s.Complete(prefix, 5)
		if len(got) != 1 || got[0].Text != want.text || got[0].Kind != want.kind || got[0].Count != want.count {
			t.Errorf("%s goes on as %+v, want %+v", prefix, got, want)
		}
	}
	if got := s.Complete("buildings 4", 5); len(got) > 0 {
		t.Errorf("a deprecated entry is suggested: %+v", got)
	}
}

func TestFinishRefusesAnotherCatalog(t *testing.T) {
	c, documents := register(t, 5)
	x := New(nil)
	var an search.Analyser
	if err := x.Add(an.Analyse(&documents[0])); err != nil {
		t.Fatal(err)
	}
	if err := x.Finish(&bytes.Buffer{}, c); err == nil {
		t.Error("one document is enough for five entries")
	}
}

func TestAFullDiskIsAnError(t *testing.T) {
	c, documents := register(t, 50)
	x := New(func(string) (*os.File, error) { return nil, errors.New("disk full") })
	x.limit = 1000
	var an search.Analyser
	var err error
	for i := range documents {
		err = errors.Join(err, x.Add(an.Analyse(&documents[i])))
	}
	if err == nil {
		t.Error("no error from the run")
	}
	if err := into(c, documents, failing{}); err == nil {
		t.Error("no error from the index")
	}
}

type failing struct{}

// Write implements io.Writer.
func (failing) Write([]byte) (int, error) { return 0, errors.New("disk full") }

func into(c *snapshot.Catalog, documents []search.Document, w failing) error {
	x := New(nil)
	var an search.Analyser
	for i := range documents {
		if err := x.Add(an.Analyse(&documents[i])); err != nil {
			return err
		}
	}
	return x.Finish(w, c)
}
