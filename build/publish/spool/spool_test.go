package spool

import (
	"bytes"
	"cmp"
	"fmt"
	"io"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/klauspost/compress/gzip"
)

type pair struct {
	Key string `json:"key"`
	N   int    `json:"n"`
}

func byKey(a, b *pair) int { return cmp.Compare(a.Key, b.Key) }

// TestSorted: values come back in order whatever fits into memory, and equal ones as
// they came.
func TestSorted(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for _, limit := range []int{1, 2, 7, 1000} {
		s := NewSorted(byKey)
		s.limit = limit
		var want []pair
		for n := range 200 {
			v := pair{fmt.Sprintf("k<&%d", rng.IntN(50)), n}
			want = append(want, v)
			if err := s.Add(v); err != nil {
				t.Fatal(err)
			}
		}
		slices.SortStableFunc(want, func(a, b pair) int { return byKey(&a, &b) })
		for range 2 { // as often as one likes
			var got []pair
			for v, err := range s.All() {
				if err != nil {
					t.Fatal(err)
				}
				got = append(got, v)
			}
			if !slices.Equal(got, want) || s.Len() != len(want) {
				t.Errorf("limit %d: %v", limit, got)
			}
		}
		for range s.All() {
			break // who stops early leaves nothing running
		}
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	}
}

// TestDecodeNamesTheLine: what is damaged is told, and nothing comes behind it.
func TestDecodeNamesTheLine(t *testing.T) {
	zip := func(text string) []byte {
		var b bytes.Buffer
		w := gzip.NewWriter(&b)
		_, err := io.WriteString(w, text)
		if err != nil || w.Close() != nil {
			t.Fatal(err)
		}
		return b.Bytes()
	}
	whole := zip(strings.Repeat(`{"key":"a"}`+"\n", 3))
	for name, c := range map[string]struct {
		in     []byte
		values int
		want   string
	}{
		"whole":       {whole, 3, ""},
		"no gzip":     {[]byte("{}"), 0, "EOF"},
		"no JSON":     {zip(`{"key":"a"}` + "\n{\n{}"), 1, "line 2"},
		"a long line": {zip(strings.Repeat(" ", lineMax+1)), 0, "too long"},
		"cut":         {whole[:len(whole)-9], 3, "unexpected EOF"},
	} {
		n, failed := 0, error(nil)
		for _, err := range Decode[pair](bytes.NewReader(c.in)) {
			if err != nil {
				failed = err
			} else {
				n++
			}
		}
		if n > c.values || (failed == nil) != (c.want == "") || failed != nil && !strings.Contains(failed.Error(), c.want) {
			t.Errorf("%s: %d values, %v", name, n, failed)
		}
	}
}
