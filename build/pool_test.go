package build_test

import (
	"path/filepath"
	"testing"

	"github.com/assay-register/assay/build/buildtest"
	"github.com/assay-register/assay/render/artifact"
)

// TestNobodyReadsWhatWasGivenBack builds while each body that is given back is
// overwritten at once.
func TestNobodyReadsWhatWasGivenBack(t *testing.T) {
	r := register(t, 60)
	kept, spoiled := filepath.Join(tempDir(t), "kept"), filepath.Join(tempDir(t), "spoiled")
	for _, what := range []string{"from nothing", "after a change"} {
		o := options(kept, r.Now)
		mustBuild(t, r.Store, o)
		artifact.Poison(true)
		t.Cleanup(func() { artifact.Poison(false) })
		o.Out, o.Workers = spoiled, 4
		mustBuild(t, r.Store, o)
		artifact.Poison(false)
		equal(t, what, readTree(t, kept), readTree(t, spoiled))
		mustChange(t, r, buildtest.Edit)
	}
}
