package static

import (
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/assay-register/assay/dynamic"
)

type sink struct{ header http.Header }

func (s *sink) Header() http.Header         { return s.header }
func (s *sink) Write(b []byte) (int, error) { return len(b), nil }
func (s *sink) WriteHeader(status int)      {}

func BenchmarkYY(b *testing.B) {
	dir := b.TempDir()
	site := makeSite(b, dir)
	p := filepath.Join(site, "f", "1")
	os.MkdirAll(p, 0o755)
	os.WriteFile(p+"/1.txt", make([]byte, 4096), 0o644)
	at := time.Now().Add(-time.Hour)
	os.Chtimes(p+"/1.txt", at, at)
	for _, budget := range []int64{0, 1} {
		s, err := dynamic.New(dynamic.Config{SiteDir: site, Quiet: true, FileBudget: budget})
		if err != nil {
			b.Fatal(err)
		}
		r := httptest.NewRequest("GET", "/f/1/1.txt", nil)
		r.Body = http.NoBody
		b.Run([]string{"hot", "cold"}[budget], func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				s.Handler().ServeHTTP(&sink{http.Header{}}, r)
			}
		})
	}
}
