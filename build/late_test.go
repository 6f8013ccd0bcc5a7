package build

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/assay-register/assay/build/output"
	"github.com/assay-register/assay/render/artifact"
	"github.com/assay-register/assay/render/catalog"
)

// The page of a published entry waits for each entry that it names and whose own
// page is new, whichever way it names it.
func TestNamesUnwritten(t *testing.T) {
	t.Parallel()
	published, err := output.Open(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for _, id := range []string{"old", "written"} {
		path := published.Path("/api/v1/entries/"+id, artifact.JSON)
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, []byte("{}"), 0o644)); err != nil {
			t.Fatal(err)
		}
	}
	t.Cleanup(func() { _ = published.Close() })
	r := &tree{Tree: published, visible: []string{"fresh", "old", "written"}}
	for name, c := range map[string]struct {
		e    catalog.Entry
		want bool
	}{
		"names nothing":      {catalog.Entry{ID: "old"}, false},
		"successor":          {catalog.Entry{ID: "old", SuccessorID: "fresh"}, true},
		"member":             {catalog.Entry{ID: "old", Members: []catalog.Member{{EntryID: "fresh"}}}, true},
		"relation":           {catalog.Entry{ID: "old", Relations: []catalog.Relation{{EntryID: "written"}, {EntryID: "fresh"}}}, true},
		"written":            {catalog.Entry{ID: "old", Relations: []catalog.Relation{{EntryID: "written"}}}, false},
		"invisible":          {catalog.Entry{ID: "old", Relations: []catalog.Relation{{EntryID: "hidden"}}}, false},
		"its own page waits": {catalog.Entry{ID: "fresh", Relations: []catalog.Relation{{EntryID: "another"}}}, false},
	} {
		if got := r.namesUnwritten(&c.e); got != c.want {
			t.Errorf("%s: %t, want %t", name, got, c.want)
		}
	}
}
