package sample

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/assay-register/assay/render/catalog"
)

// unseen are the specified members of an entry that no published page can
// fill, each with the reason.
var unseen = map[string]string{
	"last_seen_at":         "always null by the specification, as last_validated_at is",
	"last_validated_at":    "always null by the specification",
	"merged_into_entry_id": "a merged entry redirects to the one it was merged into; its event tells which, see TestMergedEntriesTellInto",
}

// specifiedMembers are the paths of the members of an entry's page.
func specifiedMembers(t *testing.T) (paths []string) {
	t.Helper()
	b, err := os.ReadFile(filepath.Join("..", "..", "..", "render", "wire", "testdata", "spec_members.txt"))
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(b)) {
		if f := strings.Fields(line); len(f) == 3 && (f[0] == "both" || f[0] == "entry") {
			paths = append(paths, f[1])
		}
	}
	if len(paths) < 150 {
		t.Fatalf("only %d members are specified", len(paths))
	}
	return paths
}

// TestEveryMemberCanBeSeen: each member that the specification names has a
// value on the page of at least one entry of the sample.
func TestEveryMemberCanBeSeen(t *testing.T) {
	s := built(t)
	filled := map[string]int{}
	paths := specifiedMembers(t)
	for _, id := range s.ids() {
		entry := s.read("/api/v1/entries/" + id)
		for _, path := range paths {
			if fills(entry.object, strings.Split(path, ".")) {
				filled[path]++
			}
		}
	}
	for _, path := range paths {
		switch _, excused := unseen[path]; {
		case filled[path] == 0 && !excused:
			t.Errorf("%s is empty on every page", path)
		case filled[path] > 0 && excused:
			t.Errorf("%s is filled on %d pages: it needs no excuse", path, filled[path])
		}
	}
	for path := range unseen {
		if !slices.Contains(paths, path) {
			t.Errorf("%s is not specified", path)
		}
	}
}

// fills tells whether a path leads to a value that is not empty, in any
// element of the lists on its way. A number and a truth value are never empty.
func fills(v any, path []string) bool {
	if list, ok := v.([]any); ok {
		return slices.ContainsFunc(list, func(e any) bool { return fills(e, path) })
	}
	if len(path) > 0 {
		m, _ := v.(object)
		name := strings.TrimSuffix(path[0], "[]")
		if name == "*" {
			for _, e := range m {
				if fills(e, path[1:]) {
					return true
				}
			}
			return false
		}
		return fills(m[name], path[1:])
	}
	switch v := v.(type) {
	case nil:
		return false
	case string:
		return v != ""
	case object:
		return len(v) > 0
	}
	return true
}

// TestMergedEntriesTellInto: the event of a merge says which entry goes on.
func TestMergedEntriesTellInto(t *testing.T) {
	st, _ := load(t)
	merged := 0
	err := st.View(t.Context(), func(tx catalog.Tx) error {
		list, err := tx.Events().After(t.Context(), 0, 1_000_000)
		for _, e := range list {
			if e.Type != catalog.EventMerged {
				continue
			}
			merged++
			into := slices.IndexFunc(e.Changes, func(c catalog.FieldChange) bool { return c.Field == "merged_into_id" })
			if into < 0 || !isID.MatchString(strings.Trim(string(e.Changes[into].To), `"`)) {
				t.Errorf("%s: changes %s", e.EntryID, e.Changes)
			}
		}
		return err
	})
	if err != nil || merged < 2 {
		t.Errorf("%d merges, %v", merged, err)
	}
}
