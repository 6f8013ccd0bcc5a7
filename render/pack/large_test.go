package pack

import (
	"encoding/binary"
	"fmt"
	"os"
	"runtime"
	"testing"
)

// A register of a million entries is indexed in memory that does not grow with it, but
// for the places of the groups.
func TestMillionEntriesAreIndexedInBoundedMemory(t *testing.T) {
	if os.Getenv("ASSAY_SOAK") == "" {
		t.Skip("set ASSAY_SOAK=1 to write the indexes of a million entries")
	}
	const entries, documents = 1_000_000, 20
	file, err := os.Create(t.TempDir() + "/file")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	aside, err := os.Create(t.TempDir() + "/aside")
	if err != nil {
		t.Fatal(err)
	}
	defer aside.Close()
	w := NewWriter(file)
	w.Spill(aside)
	highest := uint64(0)
	for i := range entries {
		if err := w.Append(numbered(t, i, documents)); err != nil {
			t.Fatal(err)
		}
		if i%50_000 == 0 {
			highest = max(highest, heapNow())
		}
	}
	w.indexes()
	highest = max(highest, heapNow())
	if _, err := w.Close(); err != nil {
		t.Fatal(err)
	}
	size := w.at + int64(footSize)
	info, err := file.Stat()
	if err != nil {
		t.Fatal(err)
	}
	r, err := Open(file, info.Size())
	if err != nil {
		t.Fatal(err)
	}
	for i := 0; i < entries; i += 999 {
		if f, err := r.Route(fmt.Sprintf("/e/%d/%d", i, i%documents)); err != nil || f == nil {
			t.Fatalf("entry %d: %v, %v", i, f, err)
		}
	}
	t.Logf("%d bytes, of which indexes %d and %d; heap %d bytes at most while writing, %d with a reader", size,
		w.dir.Routes.Length, w.dir.Hashes.Length, highest, heapNow())
	if highest > 256<<20 {
		t.Errorf("the heap had %d bytes", highest)
	}
}

func heapNow() uint64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}

// numbered is a group of empty documents with hashes of their own.
func numbered(t *testing.T, number, documents int) *Group {
	t.Helper()
	g := &Group{Key: fmt.Sprint("entry ", number), Documents: make([]Document, documents)}
	for i := range g.Documents {
		d := &g.Documents[i]
		d.Route, d.Type = fmt.Sprintf("/e/%d/%d", number, i), "application/json"
		d.Sum = routeSum(string(binary.BigEndian.AppendUint64([]byte{byte(i)}, uint64(number))))
	}
	if err := g.seal(&compressor); err != nil {
		t.Fatal(err)
	}
	return g
}
