package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// TestExportClient runs a public client of the export format against the demo
// register, served and on disk, and compares what it wrote with our own files.
func TestExportClient(t *testing.T) {
	python, err := exec.LookPath("python3")
	if err != nil {
		if os.Getenv("CI") != "" {
			t.Fatal("python3 is missing")
		}
		t.Skip("python3 is not installed")
	}
	script := func(t *testing.T, name string, args ...string) {
		t.Helper()
		args = append([]string{filepath.Join("..", "..", ".ci", "export", name)}, args...)
		out, err := exec.Command(python, args...).CombinedOutput()
		if err != nil {
			t.Fatalf("%s: %v\n%s", name, err, out)
		}
		t.Logf("%s: %s", name, out)
	}
	t.Parallel()
	base, site, _ := serveSample(t)
	feeds, dumps := filepath.Join(site, "api", "v1", "feeds", "export"), filepath.Join(site, "api", "v1", "export")
	for name, source := range map[string]string{
		"served":          base + "/api/v1/feeds/export/json",
		"served as gzip":  base + "/api/v1/feeds/export/json.gz",
		"on disk":         filepath.Join(feeds, "json", "index.json"),
		"on disk as gzip": filepath.Join(feeds, "json.gz"),
	} {
		t.Run(name, func(t *testing.T) {
			wrote := t.TempDir()
			script(t, "client.py", source, wrote)
			script(t, "compare.py", wrote, filepath.Join(feeds, "csv", "index.csv"), filepath.Join(dumps, "entries.sqlite"))
		})
	}
	t.Run("checksums", func(t *testing.T) { script(t, "checksums.py", base+"/api/v1/export/checksums.txt") })
}
