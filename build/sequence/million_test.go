package sequence

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/assay-register/assay/render/catalog"
	"github.com/assay-register/assay/render/translog"
)

// changesAYear is how often a verdict about an entry changes, about.
const changesAYear = 4

// TestMillion: a log of a million leaves is verified by a program that shares no code with
// this one; what a reader fetches for one entry and what a year of a million entries takes
// stay within their bounds. Without ASSAY_SOAK=1 it has 20,000 leaves.
func TestMillion(t *testing.T) {
	leaves := 20_000
	if os.Getenv("ASSAY_SOAK") == "1" {
		leaves = 1_000_000
	}
	signer, key := keys(t)
	dir := filepath.Join(t.TempDir(), "log")
	f, err := Open(dir, signer)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	took := grow(t, f, leaves)
	log, err := translog.OpenLog(os.DirFS(dir))
	if err != nil {
		t.Fatal(err)
	}
	defer log.Close()
	began, largest := time.Now(), 0
	const asked = 200
	for i := range asked {
		id := entryOf(i * (leaves / changesAYear / asked))
		p, err := log.Now(id)
		if err != nil || len(p.Leaves) != changesAYear {
			t.Fatalf("%s: %d leaves, %v", id, len(p.Leaves), err)
		}
		for j := range p.Leaves {
			if _, _, err := p.Leaves[j].Check(key); err != nil {
				t.Fatal(err)
			}
		}
		b, err := json.Marshal(p)
		if err != nil {
			t.Fatal(err)
		}
		largest = max(largest, len(b))
		first, err := log.First(id)
		if err != nil {
			t.Fatal(err)
		}
		if b, err = json.Marshal(first); err != nil {
			t.Fatal(err)
		}
		if err := f.put(translog.EntryDir+"/"+id+".json", b); err != nil {
			t.Fatal(err)
		}
	}
	each := time.Since(began) / asked
	tiles, index := sizeOf(t, filepath.Join(dir, translog.TileDir)), sizeOf(t, filepath.Join(dir, translog.IndexDir))
	year := tiles / int64(leaves) * changesAYear * 1_000_000
	t.Logf("%d leaves: written in %v, tiles %d bytes, index %d bytes; tiles of a year of a million entries %d MB; an entry is proven by at most %d bytes in %v",
		leaves, took, tiles, index, year>>20, largest, each)
	if year > 2<<30 {
		t.Errorf("the tiles of a year take %d bytes", year)
	}
	if largest > 60_000 {
		t.Errorf("an entry is proven by %d bytes", largest)
	}
	began = time.Now()
	out, err := exec.Command("node", "--max-old-space-size=4096", "../../.ci/node/verify-log.mjs", dir, signer.Public, "--older", filepath.Join(dir, "older")).CombinedOutput()
	if err != nil || !strings.Contains(string(out), fmt.Sprintf("%d leaves, %d proofs", leaves, asked*changesAYear)) {
		t.Errorf("%s: %v", out, err)
	}
	t.Logf("verified in %v: %s", time.Since(began), out)
}

func entryOf(n int) string { return catalog.NewID("entry", fmt.Sprint(n)) }

// grow appends leaves as a register of a quarter as many entries makes them in a year, and
// keeps an older checkpoint aside.
func grow(t *testing.T, f *Folder, leaves int) time.Duration {
	t.Helper()
	at, took := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC), time.Duration(0)
	states := []catalog.EventKind{catalog.EventCreated, catalog.EventVerified, catalog.EventFailing, catalog.EventScoreChanged}
	var batch []leaf
	for i := range leaves {
		e := catalog.Event{Number: int64(i + 1), Type: states[i*changesAYear/leaves], EntryID: entryOf(i % (leaves / changesAYear)), OccurredAt: at.Add(time.Duration(i) * 8 * time.Second)}
		switch e.Type {
		case catalog.EventScoreChanged:
			e.Changes = []catalog.FieldChange{{Field: "mqa_score", From: json.RawMessage(`71.25`), To: json.RawMessage(`64.5`)}}
		case catalog.EventCreated:
			e.Changes = []catalog.FieldChange{{Field: "verification_state", From: json.RawMessage(`null`), To: json.RawMessage(`"UNVERIFIED"`)}}
		default:
			e.Changes = []catalog.FieldChange{{Field: "verification_state", From: json.RawMessage(`"VERIFIED"`), To: json.RawMessage(`"FAILING"`)},
				{Field: "status", From: json.RawMessage(`"active"`), To: json.RawMessage(`"degraded"`)}}
		}
		l, ok, err := translog.Of(&e, &catalog.Entry{ID: e.EntryID, PublishedAt: at}, 0, "1")
		if err != nil || !ok {
			t.Fatalf("event %d: %t, %v", e.Number, ok, err)
		}
		b, err := l.Encode()
		if err != nil {
			t.Fatal(err)
		}
		if batch = append(batch, leaf{b, translog.TopicOf(l.About())}); len(batch) == batchLeaves || i == leaves-1 {
			began := time.Now()
			if err := f.append(batch, translog.Cursor{Number: e.Number, Hash: l.Evidence}); err != nil {
				t.Fatal(err)
			}
			took += time.Since(began)
			batch = batch[:0]
			if i < leaves*2/3 {
				if err := os.WriteFile(f.path("older"), f.signed, 0o600); err != nil {
					t.Fatal(err)
				}
			}
		}
		if len(batch) == 777 && i < leaves/2 { // a checkpoint amid a tile
			if err := f.append(batch, translog.Cursor{Number: e.Number, Hash: l.Evidence}); err != nil {
				t.Fatal(err)
			}
			batch = batch[:0]
			if err := os.WriteFile(f.path("older"), f.signed, 0o600); err != nil {
				t.Fatal(err)
			}
		}
	}
	return took
}

func sizeOf(t *testing.T, dir string) (n int64) {
	t.Helper()
	err := filepath.WalkDir(dir, func(_ string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			info, err := d.Info()
			if err != nil {
				return err
			}
			n += info.Size()
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return n
}
