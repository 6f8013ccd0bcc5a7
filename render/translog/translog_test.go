package translog

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
	"time"

	"golang.org/x/mod/sumdb/tlog"

	"github.com/assay-register/assay/render/catalog"
)

func TestPaths(t *testing.T) {
	for _, c := range []struct {
		n     int64
		width int
		want  string
	}{{0, Width, "tile/entries/000"}, {7, 3, "tile/entries/007.p/3"}, {1234067, Width, "tile/entries/x001/x234/067"}, {1000, 255, "tile/entries/x001/000.p/255"}} {
		if got := BundlePath(c.n, c.width); got != c.want {
			t.Errorf("bundle %d of %d: %s, want %s", c.n, c.width, got, c.want)
		}
	}
	if got := TilePath(tlog.Tile{H: 8, L: 2, N: 70_000, W: 1}); got != "tile/2/x070/000.p/1" {
		t.Errorf("tile: %s", got)
	}
}

func TestRange(t *testing.T) {
	var r Range
	var hashes storedHashes
	for i := range 1000 {
		if want, err := tlog.TreeHash(int64(i), hashes); err != nil || r.Tree() != (tlog.Tree{N: int64(i), Hash: want}) {
			t.Fatalf("root of %d leaves: %v, want %v (%v)", i, r.Tree(), want, err)
		}
		leaf := fmt.Append(nil, i)
		more, err := tlog.StoredHashes(int64(i), leaf, hashes)
		if err != nil {
			t.Fatal(err)
		}
		hashes = append(hashes, more...)
		r.Add(leaf)
	}
}

type storedHashes []tlog.Hash

// ReadHashes implements tlog.HashReader.
func (s storedHashes) ReadHashes(indexes []int64) ([]tlog.Hash, error) {
	out := make([]tlog.Hash, len(indexes))
	for i, n := range indexes {
		out[i] = s[n]
	}
	return out, nil
}

func TestCanonical(t *testing.T) {
	b, err := canonical(map[string]any{"b": 1.50, "a": []any{"<é>", nil, true}})
	if err != nil || string(b) != `{"a":["<é>",null,true],"b":1.5}` {
		t.Errorf("%s, %v", b, err)
	}
}

func FuzzLeaves(f *testing.F) {
	f.Add(AppendBundle(AppendBundle(nil, []byte("a")), nil))
	f.Add([]byte{0, 9, 1})
	f.Fuzz(func(t *testing.T, b []byte) {
		leaves, err := Leaves(b)
		if err != nil {
			return
		}
		var again []byte
		for _, l := range leaves {
			again = AppendBundle(again, l)
		}
		if !bytes.Equal(again, b) {
			t.Errorf("%x became %x", b, again)
		}
	})
}

func FuzzCheckpoint(f *testing.F) {
	f.Add("register.example/log\n448\nYQeZFCTCvet24u0glX5ZP2K31XIYxWeAO7Lu4Pf3PqI=\nevents 0 486 6e41\n")
	f.Add("a\n1\n\n\n")
	f.Fuzz(func(t *testing.T, text string) {
		c, err := ParseCheckpoint(text)
		if err != nil {
			return
		}
		again, err := ParseCheckpoint(c.Text())
		if err != nil || *again != *c {
			t.Errorf("%q became %+v, %v", text, again, err)
		}
	})
}

func FuzzKeys(f *testing.F) {
	f.Add("PRIVATE+KEY+register.example/log+b337eece+AdoR3hC300EI5WHv561VlcbNYNGTYPQLcBz68LIuQwF1")
	f.Fuzz(func(t *testing.T, text string) {
		if _, err := ParseKeys(text); err != nil && len(text) > 60 && strings.Contains(err.Error(), text[20:60]) {
			t.Errorf("the error tells the secret: %v", err)
		}
	})
}

func FuzzProof(f *testing.F) {
	f.Add([]byte(`{"entry":"a","leaves":[{"index":0,"leaf":"{}","path":["AA=="],"checkpoint":"x"}]}`))
	f.Fuzz(func(t *testing.T, b []byte) {
		p, err := DecodeProof(b)
		if err != nil {
			return
		}
		for i := range p.Leaves {
			if _, _, err := p.Leaves[i].Check(); err == nil {
				t.Error("a proof without a key was believed")
			}
		}
	})
}

// TestCuratorsEdit: an edit by hand is in the log, with what it touched but not what it says.
func TestCuratorsEdit(t *testing.T) {
	at := time.Date(2026, 11, 20, 9, 0, 0, 0, time.UTC)
	entry := &catalog.Entry{ID: "6f1c1b0e-55a1-5a3c-9f0e-2f4f1c7d9b11", PublishedAt: at}
	e := catalog.Event{Number: 7, Type: catalog.EventUpdated, EntryID: entry.ID, OccurredAt: at.Add(time.Hour),
		Changes: []catalog.FieldChange{{Field: "description", From: []byte(`"a"`), To: []byte(`"by Ada Lovelace"`)}}}
	if _, ok, err := Of(&e, entry, 0, "1"); ok || err != nil {
		t.Errorf("what a source says anew is in the log: %v", err)
	}
	e.Data = catalog.ByCurator
	l, ok, err := Of(&e, entry, 0, "1")
	if err != nil || !ok || l.Cause != CauseCurator || l.Evidence == "" {
		t.Fatalf("%+v, %t, %v", l, ok, err)
	}
	if b, err := l.Encode(); err != nil || strings.Contains(string(b), "Ada") {
		t.Errorf("%s, %v", b, err)
	}
}
