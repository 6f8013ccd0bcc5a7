package pack

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"io"
	"math/rand/v2"
	"testing"

	"github.com/assay-register/assay/render/artifact"
)

// TestZipped: a document and its gzip copy are read whole and in part, and what they hold is what an independent reader of gzip finds.
func TestZipped(t *testing.T) {
	t.Parallel()
	noise := make([]byte, 2*FrameMax+99)
	random := rand.NewChaCha8([32]byte{1})
	random.Read(noise)
	for name, text := range map[string][]byte{
		"nothing": {}, "a line": []byte("id,name\n"), "lines": bytes.Repeat([]byte("a line of a long table\n"), 150_000), "noise": noise,
	} {
		var file bytes.Buffer
		w := NewWriter(&file)
		streamInto(t, w, &artifact.File{Route: "/t.csv", Gzip: "/t.csv.gz", Type: artifact.CSV, Class: "export", Stream: func(out io.Writer) error {
			_, err := io.Copy(out, bytes.NewReader(text))
			return err
		}})
		if _, err := w.Close(); err != nil {
			t.Fatal(name, err)
		}
		r := open(t, file.Bytes())
		plain, err := r.Route("/t.csv")
		if got := body(t, r, plain, err); !bytes.Equal(got, text) {
			t.Errorf("%s: %d bytes are read, not %d", name, len(got), len(text))
		}
		packed, err := r.Route("/t.csv.gz")
		copied := body(t, r, packed, err)
		z, err := gzip.NewReader(bytes.NewReader(copied))
		if err != nil {
			t.Fatal(name, err)
		}
		z.Multistream(false)
		got, err := io.ReadAll(z)
		if err != nil || !bytes.Equal(got, text) || z.Name != "" || !z.ModTime.IsZero() {
			t.Errorf("%s: the copy holds %d bytes, not %d; %v, name %q, time %v", name, len(got), len(text), err, z.Name, z.ModTime)
		}
		if sum := sha256.Sum256(copied); sum != packed.Document.Sum || packed.Document.Type != artifact.Gzip || packed.Document.Class != "export" {
			t.Errorf("%s: the copy is %+v", name, packed.Document)
		}
		for _, f := range []struct {
			found *Found
			whole []byte
		}{{plain, text}, {packed, copied}} {
			c := r.Open(f.found)
			for from := 0; from < len(f.whole); from += max(1, len(f.whole)/7) {
				part := make([]byte, min(1000, len(f.whole)-from))
				if n, err := c.ReadAt(part, int64(from)); n != len(part) || !bytes.Equal(part, f.whole[from:from+n]) {
					t.Fatalf("%s: %s from %d: %d bytes, %v", name, f.found.Document.Route, from, n, err)
				}
			}
			if z := c.Zstd(); z != nil && f.found == packed {
				t.Errorf("%s: the copy is said to be zstd", name)
			}
		}
	}
}
