package submission_test

import (
	"strings"
	"testing"

	"github.com/assay-register/assay/render/catalog"
)

// TestDocumentsWithoutEndAreUnfit: what nests deeper than anybody reads goes to no moderator.
func TestDocumentsWithoutEndAreUnfit(t *testing.T) {
	open := func(what, with string, n int) string { return strings.Repeat(what, n) + with }
	w := newWorld(t, site{
		"deep.example/list":    text("application/json", open("[", "1", 300)+strings.Repeat("]", 300)),
		"deep.example/cut":     text("application/json", open(`{"a":`, "", 100_000)),
		"deep.example/openapi": text("application/json", `{"openapi":"3.1.0","info":{"title":"Deep","version":"1"},"x":`+open("[", "1", 300)+strings.Repeat("]", 300)+"}"),
		"deep.example/yaml":    text("application/yaml", "openapi: 3.1.0\ninfo:\n  title: Deep\n  version: 1\nx: "+open("[", "1", 300)+strings.Repeat("]", 300)+"\n"),
		"deep.example/xml":     text("application/xml", `<?xml version="1.0"?>`+open("<a>", "x", 300)+strings.Repeat("</a>", 300)),
		"deep.example/flat":    text("application/json", `{"a":"`+open("[", "", 300)+`\"[","b":[`+open("[1],", "[2]", 300)+`]}`),
	})
	for path, unfit := range map[string]bool{"list": true, "cut": true, "openapi": true, "yaml": true, "xml": true, "flat": false} {
		s, e := w.run(t, w.propose(t, catalog.Submission{URL: "http://deep.example/" + path}))
		got := s.State == catalog.SubmissionRejected && s.ReasonClass() == catalog.ReasonUnfit && strings.Contains(s.Reason(), "nested deeper than 200") && e == nil
		if got != unfit {
			t.Errorf("%s is %s (%s: %s), entry %v", path, s.State, s.ReasonClass(), s.Reason(), e)
		}
	}
}
