package okf

import (
	"crypto/sha256"
	"testing"
	"time"

	"github.com/assay-register/assay/render/snapshot"
)

func sum256(b []byte) [32]byte { return sha256.Sum256(b) }

func freezeFrame(at time.Time) *snapshot.Frame {
	return snapshot.NewFrame(site, at, institutions, licences, nil)
}

// FuzzTree puts any text into every field of an entry and judges the bundle.
func FuzzTree(f *testing.F) {
	for _, s := range []string{"", hostile, "---\ntype: x\n---", "\xed\xa0\x80", "\x00\x01\u0085\ufeff", "[x](y)", "1. a\n# b\n```\nc", "]\\", "* [a](b) - c", "x \\"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		checkAll(t, render(t, freeze(t, noon, hostileRow(text))))
	})
}
