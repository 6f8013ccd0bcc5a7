package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"time"
)

// platform is an operating system and a processor, as Go names them.
type platform struct{ os, arch string }

// String implements fmt.Stringer.
func (p platform) String() string { return p.os + "/" + p.arch }

// platforms are those that programs are made for.
var platforms = []platform{{"linux", "amd64"}, {"linux", "arm64"}, {"darwin", "amd64"}, {"darwin", "arm64"}}

// env is the environment of the Go command for a platform; what a user has set
// up otherwise must not show in a release.
func (p platform) env() []string {
	return append(os.Environ(), "GOOS="+p.os, "GOARCH="+p.arch, "CGO_ENABLED=0", "GOFLAGS=", "GOAMD64=v1", "GOARM64=v8.0", "GOEXPERIMENT=", "GOTOOLCHAIN=local", "GOWORK=off")
}

// compile makes the program.
func (r *release) compile(ctx context.Context, p platform) ([]byte, error) {
	dir, err := os.MkdirTemp("", "assay-release")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, "assay")
	flags := fmt.Sprintf("-s -w -buildid= -X main.release=%s -X main.commit=%s -X main.committed=%s -X main.modified=false", r.version, r.commit, r.at.Format(time.RFC3339))
	cmd := exec.CommandContext(ctx, "go", "build", "-trimpath", "-buildvcs=false", "-ldflags", flags, "-o", path, "./cmd/assay")
	cmd.Env = p.env()
	if out, err := cmd.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("%w\n%s", err, out)
	}
	return os.ReadFile(path)
}
