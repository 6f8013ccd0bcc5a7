package static

import (
	"context"
	"net"
	"net/http"
	"os"
	"runtime/pprof"
	"testing"
	"time"

	"github.com/assay-register/assay/dynamic"
)

func BenchmarkZZ(b *testing.B) {
	dir := b.TempDir()
	site := makeSite(b, dir)
	routes := addFiles(b, site)
	s, err := dynamic.New(dynamic.Config{SiteDir: site, Quiet: true})
	if err != nil {
		b.Fatal(err)
	}
	l, _ := net.Listen("tcp", "127.0.0.1:0")
	ctx, cancel := context.WithCancel(b.Context())
	defer cancel()
	go s.Run(ctx, l)
	for _, k := range []string{"hot", "distinct"} {
		set := routes
		if k == "hot" {
			set = routes[:hotFiles]
		}
		b.Run(k, func(b *testing.B) {
			load(b, l.Addr().String(), set, time.Second)
			f, _ := os.Create("/tmp/h11-" + k + ".prof")
			pprof.StartCPUProfile(f)
			b.ReportMetric(load(b, l.Addr().String(), set, 3*time.Second), "req/s")
			pprof.StopCPUProfile()
			f.Close()
		})
	}
	body := make([]byte, 4096)
	mem, _ := net.Listen("tcp", "127.0.0.1:0")
	go http.Serve(mem, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header()["Content-Length"] = []string{"4096"}
		w.Write(body)
	}))
	b.Run("memory", func(b *testing.B) { b.ReportMetric(load(b, mem.Addr().String(), routes, 3*time.Second), "req/s") })
	dirl, _ := net.Listen("tcp", "127.0.0.1:0")
	go http.Serve(dirl, http.FileServer(http.Dir(site)))
	b.Run("fileserver", func(b *testing.B) { b.ReportMetric(load(b, dirl.Addr().String(), routes, 3*time.Second), "req/s") })
}
