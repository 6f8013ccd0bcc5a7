package lint_test

import (
	"bytes"
	"context"
	"io"
	"strings"
	"testing"

	"github.com/assay-register/assay/build/harvest"
	"github.com/assay-register/assay/build/harvest/source"
	"github.com/assay-register/assay/build/lint"
	rules "github.com/assay-register/assay/render/lint"
)

// TestDeepNestingIsRefused: what nests deeper than any catalogue is refused before it is
// walked through, and what nests less is not.
func TestDeepNestingIsRefused(t *testing.T) {
	t.Parallel()
	repeat := strings.Repeat
	for _, c := range []struct {
		name, text string
		refused    bool
	}{
		{"lists.json", `{"dataset":[` + repeat("[", 300_000) + repeat("]", 300_000) + `]}`, true},
		{"objects.json", `{"dataset":[` + repeat(`{"a":`, 300_000) + "1" + repeat("}", 300_000) + `]}`, true},
		{"openapi.json", `{"openapi":"3.0.0","info":{},"paths":` + repeat("[", 300_000) + repeat("]", 300_000) + `}`, true},
		{"lists.yaml", "a: " + repeat("[", 1000) + repeat("]", 1000), true},
		{"elements.xml", repeat("<a>x", 100_000) + repeat("</a>", 100_000), true},
		{"fits.json", `{"dataset":[{"title":"x","a":` + repeat("[", 150) + repeat("]", 150) + `}]}`, false},
	} {
		in := source.Input{Name: c.name, Open: func(context.Context) (io.ReadCloser, error) {
			return io.NopCloser(bytes.NewReader([]byte(c.text))), nil
		}}
		kind := ""
		if strings.HasSuffix(c.name, ".xml") {
			kind = lint.KindNone
		}
		_, err := lint.Run(t.Context(), lint.Options{Input: in, Kind: kind, Connectors: harvest.Connectors(), Found: func(*rules.Finding) error { return nil }})
		if refused := err != nil && strings.Contains(err.Error(), "nested deeper than 200"); refused != c.refused {
			t.Errorf("%s: %v", c.name, err)
		}
	}
}

// TestPointersOfARecordAreBounded: a long name above many values is not repeated for each.
func TestPointersOfARecordAreBounded(t *testing.T) {
	t.Parallel()
	list, _ := run(t, "long.json", "", []byte(`{"dataset":[{"`+strings.Repeat("k", 300_000)+`":[`+strings.Repeat("0,", 100_000)+`0]}]}`))
	if len(list) == 0 {
		t.Error("nothing was found in an empty record")
	}
}
