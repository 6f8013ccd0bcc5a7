package okfcheck

import (
	"os"
	"testing"
)

// TestSite judges the bundle of a built site, the directory api/v1/okf of a
// tree, that ASSAY_OKF_TREE names.
func TestSite(t *testing.T) {
	dir := os.Getenv("ASSAY_OKF_TREE")
	if dir == "" {
		t.Skip("ASSAY_OKF_TREE names no tree")
	}
	for _, f := range Check(os.DirFS(dir)) {
		t.Error(f)
	}
}
