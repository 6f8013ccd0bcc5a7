package static

import (
	"context"
	"fmt"
	"os/exec"
	"path/filepath"
	"testing"
	"time"
)

func BenchmarkServe(b *testing.B) {
	dir := b.TempDir()
	site := makeSite(b, dir)
	routes := addFiles(b, site)
	address := freeAddress(b)
	start(b, address, exec.CommandContext(context.Background(), "/tmp/h11-assay", "serve", "--site", site, "--addr", address,
		"--db", "sqlite:"+filepath.Join(dir, "a.db"), "--worker=false", "--log-requests=false"))
	for range 10 {
		fmt.Println(load(b, address, routes[:hotFiles], time.Second))
	}
}
