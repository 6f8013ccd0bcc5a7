package build

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"testing"

	"github.com/assay-register/assay/build/output"
	"github.com/assay-register/assay/render/artifact"
	"github.com/assay-register/assay/render/pack"
)

// TestAgain: what a build reads of the present file has its hash, or all is made anew.
func TestAgain(t *testing.T) {
	body := []byte("a part of a table")
	var packed bytes.Buffer
	w := pack.NewWriter(&packed)
	for route, sum := range map[string][sha256.Size]byte{"/whole": sha256.Sum256(body), "/damaged": sha256.Sum256(nil)} {
		g, err := w.Compressor().Compress(route, []artifact.File{{Route: route, Type: artifact.Parquet, Body: body, Sums: &artifact.Sums{Body: sum}}})
		if err := errors.Join(err, w.Append(g)); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := w.Close(); err != nil {
		t.Fatal(err)
	}
	x, err := pack.Open(bytes.NewReader(packed.Bytes()), int64(packed.Len()))
	if err != nil {
		t.Fatal(err)
	}
	f := &file{before: &output.SnapshotFile{Pack: x}}
	for route, want := range map[string]error{"/whole": nil, "/damaged": errRecords, "/none": errRecords} {
		var got bytes.Buffer
		if err := f.again(route, &got); !errors.Is(err, want) {
			t.Errorf("%s: %v", route, err)
		}
		if want == nil && !bytes.Equal(got.Bytes(), body) {
			t.Errorf("%s: %q", route, got.Bytes())
		}
	}
}
