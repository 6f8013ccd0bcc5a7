package screens

import (
	"net/url"
	"testing"

	"github.com/assay-register/assay/render/wire"
)

// TestSourcePortal: a box without a tick leaves a source what it is.
func TestSourcePortal(t *testing.T) {
	t.Parallel()
	for ticked, want := range map[bool]bool{true: true, false: false} {
		f := url.Values{"key": {"a"}}
		if ticked {
			f.Set("portal", "1")
		}
		body, err := source(f)
		req, ok := body.(wire.SourceRequest)
		if err != nil || !ok {
			t.Fatalf("%T, %v", body, err)
		}
		if got := req.Portal != nil; got != want || got && !*req.Portal {
			t.Errorf("ticked %v: %v", ticked, req.Portal)
		}
	}
}
