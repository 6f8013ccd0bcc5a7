package profile

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestSharedData profiles every table and document of the shared samples, if
// they are there: metadata of real catalogues, in many shapes.
func TestSharedData(t *testing.T) {
	root := filepath.Join("..", "..", "..", "shared", "data")
	if _, err := os.Stat(root); err != nil {
		t.Skip("no shared samples")
	}
	counts := map[string]int{}
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || strings.HasSuffix(path, ".md") {
			return err
		}
		data, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		p := profiled(t, filepath.Base(path), data)
		counts[p.Kind+" "+p.Status]++
		if p.Status != StatusOK && !excused(path, &p.ErrorMessage) {
			t.Errorf("%s: %s %s: %s", path, p.Kind, p.Status, p.ErrorMessage)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Log(counts)
	if len(counts) < 4 {
		t.Errorf("only %v", counts)
	}
}

// excused are files that are no tables and no JSON: Turtle, YAML lists, archives, API
// documents that say nothing about answers or are malformed, JSON with an unexpanded
// server-side include.
func excused(path string, why *string) bool {
	switch {
	case strings.Contains(path, ".ttl") || strings.HasSuffix(path, ".yml"):
		return true
	case strings.HasSuffix(path, ".tar.gz"):
		return strings.Contains(*why, "a tar archive")
	case strings.Contains(path, "uk-mock-harvest-source"):
		return strings.Contains(*why, "byte 28")
	case strings.HasSuffix(path, "registry-openapi_2025-07.yaml"):
		// A text stands there where a schema is due.
		return strings.Contains(*why, "cannot unmarshal string into value of type openapi3.Schema")
	}
	return strings.Contains(*why, "does not describe the fields of any answer")
}
