package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// smallPart is how many entries of the sample register stand for one of the small
// sample, which has every kind of page all the same.
const smallPart = 6

// smallSite gives the store and the site of a part of the sample register, for
// tests that ask for every page several times.
func smallSite(t *testing.T) (db, site string) {
	t.Helper()
	whole, _ := sampleSite(t)
	return smallSample.get(t, func(db, site string) {
		file := filepath.Join(t.TempDir(), "part.ndjson")
		part := partOf(must(t, "export", "--db", "sqlite:"+whole))
		if err := os.WriteFile(file, []byte(part), 0o600); err != nil {
			t.Fatal(err)
		}
		must(t, "import", file, "--strict", "--db", "sqlite:"+db)
		must(t, "build", "--db", "sqlite:"+db, "--out", site, "--base-url", sampleBase, "--at", "2026-11-21T01:00:00Z")
	})
}

var anyID = regexp.MustCompile(`[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}`)

// partOf keeps one entry of many, and the lines that mention none of the others.
func partOf(export string) string {
	dropped, n := map[string]bool{}, 0
	var entries []string
	for line := range strings.Lines(export) {
		if !strings.HasPrefix(line, `{"kind":"entry"`) {
			continue
		}
		if n++; n%smallPart != 0 {
			dropped[anyID.FindString(line)] = true
		} else {
			entries = append(entries, line)
		}
	}
	keeps := func(line string) bool {
		for _, id := range anyID.FindAllString(line, -1) {
			if dropped[id] {
				return false
			}
		}
		return true
	}
	for known := -1; known != len(dropped); {
		known = len(dropped)
		for _, line := range entries {
			if !keeps(line) {
				dropped[anyID.FindString(line)] = true
			}
		}
	}
	var part strings.Builder
	for line := range strings.Lines(export) {
		if keeps(line) {
			part.WriteString(line)
		}
	}
	return part.String()
}
