package witness

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"golang.org/x/mod/sumdb/note"
	"golang.org/x/mod/sumdb/tlog"

	"github.com/assay-register/assay/render/translog"
)

var instant = time.Date(2026, 11, 24, 6, 0, 0, 0, time.UTC)

func key(t *testing.T, name, seed string) translog.Key {
	t.Helper()
	private, err := translog.SeedKey(name, sha256.Sum256([]byte(seed)))
	if err != nil {
		t.Fatal(err)
	}
	list, err := translog.ParseKeys(private)
	if err != nil {
		t.Fatal(err)
	}
	return list[0]
}

// files is a log of the leaves "word 0", "word 1" and so on.
func files(t *testing.T, word string, size int, k translog.Key) translog.Fetch {
	t.Helper()
	var hashes stored
	for i := range size {
		more, err := tlog.StoredHashes(int64(i), fmt.Appendf(nil, "%s %d", word, i), hashes)
		if err != nil {
			t.Fatal(err)
		}
		hashes = append(hashes, more...)
	}
	c := translog.Checkpoint{Origin: k.Name(), Tree: tlog.Tree{N: int64(size)}}
	var err error
	if c.Hash, err = tlog.TreeHash(c.N, hashes); err != nil {
		t.Fatal(err)
	}
	signed, err := c.Sign(k)
	if err != nil {
		t.Fatal(err)
	}
	all := map[string][]byte{translog.CheckpointFile: signed}
	for _, tile := range tlog.NewTiles(8, 0, c.N) {
		if all[translog.TilePath(tile)], err = tlog.ReadTileData(tile, hashes); err != nil {
			t.Fatal(err)
		}
	}
	return func(path string) ([]byte, error) {
		b, ok := all[path]
		if !ok {
			return nil, os.ErrNotExist
		}
		return b, nil
	}
}

type stored []tlog.Hash

// ReadHashes implements tlog.HashReader.
func (s stored) ReadHashes(indexes []int64) ([]tlog.Hash, error) {
	out := make([]tlog.Hash, len(indexes))
	for i, n := range indexes {
		out[i] = s[n]
	}
	return out, nil
}

func TestLook(t *testing.T) {
	log, own := key(t, "register.example/log", "log"), key(t, "witness.example/log", "witness")
	w := Witness{State: t.TempDir(), Private: own.Private, Now: instant}
	look := func(word string, size int, keys string) (*Seen, error) {
		return w.Look(files(t, word, size, log), keys)
	}

	if _, err := look("a", 300, ""); err == nil || !strings.Contains(err.Error(), "--log-key") {
		t.Errorf("a log that nobody vouched for: %v", err)
	}
	if _, err := w.Look(files(t, "a", 300, key(t, "register.example/log", "thief")), log.Public); err == nil {
		t.Error("a log that another key signed was cosigned")
	}
	if _, err := look("a", 300, ""); err == nil || !strings.Contains(err.Error(), "--log-key") {
		t.Errorf("a key that signed nothing is kept for one of the log: %v", err)
	}
	for i, size := range []int{300, 300, 70_000} {
		seen, err := look("a", size, log.Public)
		if err != nil {
			t.Fatal(err)
		}
		if i == 0 && seen.Before != 0 || i > 0 && seen.Before != 300 || seen.Now != int64(size) {
			t.Errorf("saw %+v", seen)
		}
		checkCosigned(t, seen.Cosigned, log, own)
	}
	fetched := func(change string, edit func([]byte) []byte) (*Seen, error) {
		all := files(t, "a", 70_300, log)
		return w.Look(func(path string) ([]byte, error) {
			b, err := all(path)
			if path == change {
				b = edit(slices.Clone(b))
			}
			return b, err
		}, "")
	}
	// What was done to a log, and what the witness says of it: what is wrong, and where.
	for name, c := range map[string]struct {
		attack      func() (*Seen, error)
		contradicts bool
		want        string
	}{
		"a log that lost leaves, or was rolled back": {func() (*Seen, error) { return look("a", 69_999, "") }, true, "the log had 70000 leaves and has 69999: leaves were taken away"},
		"a log of another past, forked":              {func() (*Seen, error) { return look("b", 70_300, "") }, true, "the log of 70300 leaves is no continuation of that of 70000: it was rewritten or forked"},
		"another log of the same size":               {func() (*Seen, error) { return look("b", 70_000, "") }, true, "the log has two roots of size 70000: it is forked"},
		"a tile": {func() (*Seen, error) {
			return fetched("tile/0/273", func(b []byte) []byte { b[0] ^= 1; return b })
		}, false, "of tile/2/000.p/1, tile/1/001.p/18, tile/0/274.p/156, tile/0/273)"},
		"a checkpoint": {func() (*Seen, error) {
			return fetched("checkpoint", func(b []byte) []byte { return bytes.Replace(b, []byte("\n70300\n"), []byte("\n70301\n"), 1) })
		}, false, "is not signed by the key of register.example/log"},
		"garbage": {func() (*Seen, error) {
			return fetched("checkpoint", func([]byte) []byte { return bytes.Repeat([]byte{0xff, '\n'}, 100) })
		}, false, "not a checkpoint of a log"},
		"nothing": {func() (*Seen, error) { return fetched("checkpoint", func([]byte) []byte { return nil }) }, false, "not a checkpoint of a log"},
		"a size beyond numbers": {func() (*Seen, error) {
			return fetched("checkpoint", func(b []byte) []byte {
				return bytes.Replace(b, []byte("\n70300\n"), []byte("\n99999999999999999999\n"), 1)
			})
		}, false, "not a checkpoint of a log"},
		"a checkpoint without an end": {func() (*Seen, error) {
			return fetched("checkpoint", func([]byte) []byte { return make([]byte, translog.CheckpointMax+1) })
		}, false, "more than 65536 bytes"},
		"the checkpoint of another log": {func() (*Seen, error) {
			return w.Look(files(t, "a", 70_300, key(t, "other.example/log", "log")), log.Public)
		}, false, "is not signed by the key of other.example/log"},
		"a tile that is cut off": {func() (*Seen, error) {
			return fetched("tile/0/273", func(b []byte) []byte { return b[:100] })
		}, false, "tile/0/273"},
		"another key": {func() (*Seen, error) { return w.Look(files(t, "a", 70_300, key(t, "register.example/log", "old")), "") }, false,
			"is not signed by the key of register.example/log"},
	} {
		_, err := c.attack()
		if err == nil || errors.Is(err, ErrContradiction) != c.contradicts || !strings.Contains(err.Error(), c.want) || !strings.HasPrefix(err.Error(), "/log/checkpoint: ") ||
			c.contradicts && !strings.Contains(err.Error(), w.State) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if kept, _ := filepath.Glob(filepath.Join(w.State, "*", "contradiction")); len(kept) != 1 {
		t.Errorf("the evidence was not kept: %v", kept)
	}
	if _, err := look("a", 70_001, ""); err != nil {
		t.Errorf("the true log after an attack: %v", err)
	}
}

func checkCosigned(t *testing.T, cosigned []byte, log, own translog.Key) {
	t.Helper()
	c, err := translog.NewCosigner(own.Private, instant)
	if err != nil {
		t.Fatal(err)
	}
	verifier, err := translog.CosignVerifier(c.Public())
	if err != nil {
		t.Fatal(err)
	}
	n, err := note.Open(cosigned, note.VerifierList(verifier))
	if err != nil || len(n.Sigs) != 1 || len(n.UnverifiedSigs) != 1 {
		t.Errorf("the cosigned checkpoint: %v\n%s", err, cosigned)
	}
	keys, err := translog.Verifiers(log.Public)
	if err != nil {
		t.Fatal(err)
	}
	if _, _, err := translog.OpenCheckpoint(cosigned, keys...); err != nil {
		t.Errorf("the log's own signature: %v", err)
	}
}
