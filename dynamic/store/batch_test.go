package store

import (
	"slices"
	"strings"
	"testing"
)

func TestInsertText(t *testing.T) {
	got := newInsert("t", "a b", "ON CONFLICT DO NOTHING").text(2)
	if want := "INSERT INTO t (a, b) VALUES ($1, $2), ($3, $4) ON CONFLICT DO NOTHING"; got != want {
		t.Errorf("got %s\nwant %s", got, want)
	}
}

func TestPlacesFitPaddedKeys(t *testing.T) {
	for n := 1; n <= batchRows; n++ {
		keys := slices.Repeat([]string{"k"}, n)
		keys[n-1] = "last"
		args := padded(keys)
		if places := strings.Count(placeList(n), "$"); places != len(args) || args[len(args)-1] != "last" {
			t.Errorf("%d keys: %d places, %d arguments", n, places, len(args))
		}
	}
}

func TestLastOf(t *testing.T) {
	type pair struct{ key, value string }
	got := lastOf([]pair{{"a", "1"}, {"b", "2"}, {"a", "3"}}, func(p *pair) string { return p.key })
	if want := []pair{{"b", "2"}, {"a", "3"}}; !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

func TestLookupKey(t *testing.T) {
	long := strings.Repeat("x", longKey)
	keys := map[string]string{}
	for _, k := range []string{"", "a", long, long + "y", long + "z", lookupKey(long + "y")} {
		stored := lookupKey(k)
		if len(stored) > longKey {
			t.Errorf("key of %d bytes is stored in %d", len(k), len(stored))
		}
		if other, ok := keys[stored]; ok {
			t.Errorf("%.20q and %.20q are stored alike", k, other)
		}
		keys[stored] = k
	}
	if lookupKey(long) != long {
		t.Error("a key that fits is changed")
	}
}

// TestStatementsStayBelowTheLimit keeps every full batch below SQLite's limit
// of parameters, the smaller one of the two.
func TestStatementsStayBelowTheLimit(t *testing.T) {
	for _, i := range []insert{insertEntries, insertEvidences, newInsert("jobs", strings.ReplaceAll(jobColumns, ",", " "), "")} {
		if n := len(i.cols) * batchRows; n > 32766 {
			t.Errorf("%s: %d parameters", i.into, n)
		}
	}
}
