package hashindex

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func spill(t testing.TB) *os.File {
	t.Helper()
	f, err := os.Create(filepath.Join(t.TempDir(), "spill"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { f.Close() })
	return f
}

func sumOf(kind string, i int) [sha256.Size]byte { return sha256.Sum256(fmt.Append(nil, kind, i)) }

// index makes an index of n pages; every third has a manifest, every tenth has
// the bytes of page 0.
func index(t testing.TB, n int) []byte {
	t.Helper()
	w, err := NewWriter(spill(t), spill(t))
	if err != nil {
		t.Fatal(err)
	}
	for i := range n {
		body, manifest := sumOf("body", i), [sha256.Size]byte{}
		if i%3 == 0 {
			manifest = sumOf("manifest", i)
		}
		if i%10 == 0 {
			body = sumOf("body", 0)
		}
		if err := w.Add(fmt.Sprintf("/api/v1/entries/%d/checks", i), body, manifest); err != nil {
			t.Fatal(err)
		}
	}
	var out bytes.Buffer
	if err := w.Finish(&out); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

func TestEveryPageIsFound(t *testing.T) {
	for _, n := range []int{0, 1, blockRoutes - 1, blockRoutes, blockRoutes + 1, 5000} {
		x, err := Open(bytes.NewReader(index(t, n)))
		if err != nil {
			t.Fatal(err)
		}
		for i := range n {
			want := Match{Route: fmt.Sprintf("/api/v1/entries/%d/checks", i)}
			if i%10 != 0 {
				if got, err := x.Find(sumOf("body", i)); err != nil || len(got) != 1 || got[0] != want {
					t.Fatalf("%d of %d: %v, %v", i, n, got, err)
				}
			}
			want.Manifest = true
			got, err := x.Find(sumOf("manifest", i))
			if err != nil || (len(got) == 1) != (i%3 == 0) || len(got) == 1 && got[0] != want {
				t.Fatalf("manifest %d of %d: %v, %v", i, n, got, err)
			}
		}
		shared, err := x.Find(sumOf("body", 0))
		if err != nil || len(shared) != min((n+9)/10, matchesMax) {
			t.Errorf("%d of %d pages share a hash, %v", len(shared), n, err)
		}
		if got, err := x.Find(sumOf("nobody", 1)); err != nil || got != nil {
			t.Errorf("an unknown hash is found: %v, %v", got, err)
		}
	}
}

func TestIndexIsCompactAndDeterministic(t *testing.T) {
	a, b := index(t, 4000), index(t, 4000)
	if !bytes.Equal(a, b) {
		t.Error("the same pages give another index")
	}
	if perPage := len(a) / 4000; perPage > 40 {
		t.Errorf("%d bytes a page", perPage)
	}
}

func TestARouteIsOneLine(t *testing.T) {
	w, err := NewWriter(spill(t), spill(t))
	if err != nil {
		t.Fatal(err)
	}
	if err := w.Add("/a\n/b", sumOf("a", 1), [sha256.Size]byte{}); err == nil {
		t.Error("a route of two lines is accepted")
	}
}

func TestManifestSum(t *testing.T) {
	sum := sumOf("x", 1)
	for body, want := range map[string][sha256.Size]byte{
		fmt.Sprintf(`{"a":1,"manifest":{"answer_sha256":"%x","live":false}}`, sum):                  sum,
		fmt.Sprintf(`{"answer_sha256":"%x","manifest":{"answer_sha256":"%x"}}`, sumOf("y", 1), sum): sum,
		`{"answer_sha256":"short"}`: {}, `{"answer_sha256":"` + strings.Repeat("z", 64) + `"}`: {}, `{}`: {}, "": {},
	} {
		if got := ManifestSum([]byte(body)); got != want {
			t.Errorf("%s: %x", body, got)
		}
	}
}

// FuzzOpen reads any bytes as an index: what is broken is an error, never a
// panic or a flood.
func FuzzOpen(f *testing.F) {
	whole := index(f, 30)
	f.Add(whole)
	f.Add(whole[:40])
	f.Add([]byte(magic))
	f.Fuzz(func(t *testing.T, b []byte) {
		x, err := Open(bytes.NewReader(b))
		if err != nil {
			return
		}
		for i := range 3 {
			x.Find(sumOf("body", i)) // broken bytes may be an error
		}
	})
}
