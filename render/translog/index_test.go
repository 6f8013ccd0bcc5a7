package translog

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"slices"
	"testing"
	"testing/fstest"
)

// TestIndex: whatever the batches, the leaves about a topic are found, in few files.
func TestIndex(t *testing.T) {
	root, random, want := fstest.MapFS{}, rand.New(rand.NewPCG(3, 4)), map[string][]int64{}
	x, err := OpenIndex(root, 0)
	if err != nil {
		t.Fatal(err)
	}
	for x.size < 20_000 {
		var rows []byte
		more := 1 + random.Int64N(1+random.Int64N(600))
		for n := x.size; n < x.size+more; n++ {
			id := fmt.Sprint(random.IntN(300))
			want[id] = append(want[id], n)
			rows = AppendRow(rows, TopicOf(id), n)
		}
		SortRows(rows)
		run, stay := x.Grown(more)
		var b bytes.Buffer
		if err := x.Merge(&b, stay, rows); err != nil {
			t.Fatal(err)
		}
		root[run.Name()] = &fstest.MapFile{Data: b.Bytes()}
		if x, err = OpenIndex(root, x.size+more); err != nil {
			t.Fatal(err)
		}
		if len(x.runs) > 15 {
			t.Fatalf("%d files for %d leaves", len(x.runs), x.size)
		}
	}
	shorter, err := OpenIndex(root, x.size/2)
	if err != nil {
		t.Fatal(err)
	}
	for id, numbers := range want {
		if got, err := x.Of(TopicOf(id)); err != nil || !slices.Equal(got, numbers) {
			t.Fatalf("%s: %v, want %v (%v)", id, got, numbers, err)
		}
		below := numbers[:len(numbers)-len(slices.DeleteFunc(slices.Clone(numbers), func(n int64) bool { return n < x.size/2 }))]
		if got, err := shorter.Of(TopicOf(id)); err != nil || !slices.Equal(got, below) {
			t.Fatalf("%s in half of the log: %v, want %v (%v)", id, got, below, err)
		}
	}
	if got, err := x.Of(TopicOf("nobody")); err != nil || len(got) != 0 {
		t.Errorf("nobody: %v, %v", got, err)
	}
	topics := []Topic{TopicOf("1"), TopicOf("nobody"), TopicOf("299")}
	slices.SortFunc(topics, Topic.Compare)
	if lacking, err := x.Lacking(topics); err != nil || len(lacking) != 1 || !lacking[TopicOf("nobody")] {
		t.Errorf("lacking %v, %v", lacking, err)
	}
	delete(root, x.runs[1].Name())
	if _, err := IndexRuns(root, x.size); !errors.Is(err, ErrIndex) {
		t.Errorf("a file is missing: %v", err)
	}
}

// TestCheckpoints finds the first checkpoint that has a leaf, also behind a line that is
// only half written.
func TestCheckpoints(t *testing.T) {
	var b bytes.Buffer
	var sizes []int64
	for i := range 400 {
		s := Signed{Size: int64(i*i/3 + 1), Note: fmt.Sprintf("%0*d", 1+i*37%5000, i)}
		sizes = append(sizes, s.Size)
		if err := json.NewEncoder(&b).Encode(s); err != nil {
			t.Fatal(err)
		}
	}
	whole := int64(b.Len())
	if err := CheckCheckpoints(b.Bytes()); err != nil {
		t.Error(err)
	}
	b.WriteString(`{"size":1000000,"no`)
	if CheckCheckpoints(b.Bytes()) == nil {
		t.Error("half a line is a list")
	}
	list, err := OpenCheckpoints(fstest.MapFS{CheckpointsFile: {Data: b.Bytes()}})
	if err != nil {
		t.Fatal(err)
	}
	for index := int64(0); index < sizes[len(sizes)-1]; index += 7 {
		got, _, err := list.First(index)
		i := slices.IndexFunc(sizes, func(n int64) bool { return n > index })
		if err != nil || got == nil || got.Size != sizes[i] {
			t.Fatalf("leaf %d: %+v, want %d (%v)", index, got, sizes[i], err)
		}
	}
	if got, at, err := list.First(sizes[len(sizes)-1]); err != nil || got != nil || at != whole {
		t.Errorf("behind the last one: %+v at %d of %d, %v", got, at, whole, err)
	}
	if _, err := OpenCheckpoints(fstest.MapFS{}); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("no list: %v", err)
	}
}
