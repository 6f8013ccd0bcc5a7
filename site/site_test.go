package site

import (
	"io/fs"
	"testing"
)

func TestFilesAreEmbedded(t *testing.T) {
	for _, name := range []string{"assets/site.css", "assets/site.js", "strings/en.yaml", "docs/design.md"} {
		if b, err := fs.ReadFile(Files, name); err != nil || len(b) == 0 {
			t.Errorf("%s: %d bytes, %v", name, len(b), err)
		}
	}
}
