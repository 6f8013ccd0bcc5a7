// Package sourcetest helps the tests of the connectors: it finds the real
// inputs that lie beside the repository, and collects what a connector says.
package sourcetest

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/assay-register/assay/build/harvest/source"
)

// Now is the time of the harvest in tests.
var Now = time.Date(2026, 11, 21, 9, 0, 0, 0, time.UTC)

// Shared returns the path of a file or folder of the real inputs: below
// ASSAY_SHARED if that is set, else below the folder shared that lies beside
// the repository or above. Standards lie in ASSAY_STANDARDS if that is set, as
// .ci/standards.sh leaves them. The test is skipped when there are none.
func Shared(t testing.TB, path string) string {
	t.Helper()
	if standard, ok := strings.CutPrefix(filepath.ToSlash(path), "standards/"); ok && os.Getenv("ASSAY_STANDARDS") != "" {
		return filepath.Join(os.Getenv("ASSAY_STANDARDS"), filepath.FromSlash(standard))
	}
	if dir := os.Getenv("ASSAY_SHARED"); dir != "" {
		return filepath.Join(dir, path)
	}
	dir, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for ; ; dir = filepath.Dir(dir) {
		if _, err := os.Stat(filepath.Join(dir, "shared", "data")); err == nil {
			return filepath.Join(dir, "shared", path)
		}
		if dir == filepath.Dir(dir) {
			t.Skip("the real inputs are not here: no folder shared/data beside the repository, ASSAY_SHARED not set")
		}
	}
}

// Outcome is everything a connector emitted and rejected.
type Outcome struct {
	Drafts     []source.Draft
	Rejections []source.Rejection
}

// Run runs a connector to its end and fails the test on an error, and on a draft without
// what the source published of it.
func Run(t testing.TB, c source.Connector, in source.Input) Outcome {
	t.Helper()
	var o Outcome
	if in.Now.IsZero() {
		in.Now = Now
	}
	err := c.Run(context.Background(), in,
		func(d source.Draft) error { o.Drafts = append(o.Drafts, d); return nil },
		func(r source.Rejection) error { o.Rejections = append(o.Rejections, r); return nil })
	if err != nil {
		t.Fatal(err)
	}
	for i := range o.Drafts {
		if d := &o.Drafts[i]; len(d.Raw) == 0 || d.RawMedia == "" {
			t.Fatalf("%s has no record as it was published", d.Place)
		}
	}
	return o
}

// Codes counts the rejections by code.
func (o *Outcome) Codes() map[source.Code]int {
	m := map[source.Code]int{}
	for _, r := range o.Rejections {
		m[r.Code]++
	}
	return m
}

// ByName returns the draft with a name, or fails the test.
func (o *Outcome) ByName(t testing.TB, name string) *source.Draft {
	t.Helper()
	for i := range o.Drafts {
		if o.Drafts[i].Entry.Name == name {
			return &o.Drafts[i]
		}
	}
	t.Fatalf("no draft named %q", name)
	return nil
}
