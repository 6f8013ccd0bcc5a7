package transfer_test

import (
	"bytes"
	"context"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/assay-register/assay/build/transfer"
	"github.com/assay-register/assay/dynamic/store/sqlite"
)

// BenchmarkImport measures entries of 3 kB per second. The goal is 8,000 on
// two processors.
func BenchmarkImport(b *testing.B) {
	const entries = 10_000
	from := open(b)
	rich(b, from, 2)
	var lines bytes.Buffer
	words := strings.Repeat("official open data of a public body, ", 65)
	for n := range entries {
		fmt.Fprintln(&lines, bare(n, fmt.Sprintf(`,"upstream_ref":"h:k:%d","description":"%s"`, n, words[n%30:])))
	}
	merged := lines.Bytes()
	to, err := sqlite.Open(context.Background(), filepath.Join(b.TempDir(), "full.db"))
	if err != nil {
		b.Fatal(err)
	}
	defer to.Close()
	if _, err := transfer.Import(context.Background(), to, bytes.NewReader(merged), transfer.Options{Now: now}); err != nil {
		b.Fatal(err)
	}
	for name, data := range map[string][]byte{"merge": merged, "restore": export(b, to)} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				st, err := sqlite.Open(context.Background(), filepath.Join(b.TempDir(), "a.db"))
				if err != nil {
					b.Fatal(err)
				}
				if _, err := transfer.Import(context.Background(), st, bytes.NewReader(data), transfer.Options{Now: now}); err != nil {
					b.Fatal(err)
				}
				_ = st.Close()
			}
			b.ReportMetric(float64(entries)*float64(b.N)/b.Elapsed().Seconds(), "entries/s")
			b.SetBytes(int64(len(data)))
		})
	}
	b.Run("unchanged", func(b *testing.B) {
		for b.Loop() {
			if _, err := transfer.Import(context.Background(), to, bytes.NewReader(merged), transfer.Options{Now: now}); err != nil {
				b.Fatal(err)
			}
		}
		b.ReportMetric(float64(entries)*float64(b.N)/b.Elapsed().Seconds(), "entries/s")
	})
}
