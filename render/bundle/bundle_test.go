package bundle_test

import (
	"archive/zip"
	"bytes"
	"strings"
	"testing"

	"github.com/assay-register/assay/render/bundle"
)

// TestWhatIsNoBundle is told in words that name the file, without a gap where no other error is.
func TestWhatIsNoBundle(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		file string
		body []byte
		want string
	}{
		{bundle.EntryFile, make([]byte, 8<<20+1), bundle.EntryFile + " is longer than 8 MiB"},
		{bundle.ManifestFile, []byte(`{"version":2}`), bundle.ManifestFile + " is of version 2, not 1"},
		{bundle.ManifestFile, []byte(`{`), bundle.ManifestFile + " is missing or no JSON"},
	} {
		var b bytes.Buffer
		z := zip.NewWriter(&b)
		w, err := z.Create(c.file)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := w.Write(c.body); err != nil {
			t.Fatal(err)
		}
		if err := z.Close(); err != nil {
			t.Fatal(err)
		}
		if _, err := bundle.Read(b.Bytes()); err == nil || !strings.Contains(err.Error(), c.want) || strings.Contains(err.Error(), "%!") {
			t.Errorf("%s: %v, want %q", c.file, err, c.want)
		}
	}
}
