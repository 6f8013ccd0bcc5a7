// Command dictionaries makes the dictionaries of render/pack from the built site
// of the sample register (assay demo --build-only --out DIR):
//
//	go run ./cmd/internal/dictionaries DIR render/pack/dictionaries
//
// A dictionary is part of the form of a snapshot file: a change of one needs
// another magic word in render/pack.
package main

import (
	"bytes"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/assay-register/assay/render/artifact"
	"github.com/assay-register/assay/render/pack"
)

// size is that of a dictionary in bytes, part the most that one document gives.
const (
	size = 96 << 10
	part = 48 << 10
)

func main() {
	if len(os.Args) != 3 {
		fmt.Fprintln(os.Stderr, "usage: dictionaries SITE FOLDER")
		os.Exit(2)
	}
	if err := run(os.Args[1], os.Args[2]); err != nil {
		fmt.Fprintln(os.Stderr, "dictionaries:", err)
		os.Exit(1)
	}
}

func run(site, folder string) error {
	samples, err := read(site)
	if err != nil {
		return err
	}
	for k := pack.Page; k.HasDictionary(); k++ {
		if len(samples[k]) == 0 {
			return fmt.Errorf("%s has no document of the kind %s", site, k)
		}
		if err := os.WriteFile(filepath.Join(folder, k.String()+".dict"), choose(samples[k]), 0o644); err != nil {
			return err
		}
	}
	return nil
}

// read sorts the documents of entries by kind, in the order of their paths.
func read(site string) (map[pack.Kind][][]byte, error) {
	samples := map[pack.Kind][][]byte{}
	err := filepath.WalkDir(site, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && strings.HasPrefix(d.Name(), ".assay") {
			return filepath.SkipDir
		}
		rel, err := filepath.Rel(site, path)
		if err != nil || d.IsDir() || !ofEntry(filepath.ToSlash(rel)) {
			return err
		}
		body, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		media := artifact.TypeOf(filepath.ToSlash(rel))
		route := "/" + filepath.ToSlash(rel)
		if strings.HasPrefix(d.Name(), "index.") {
			route = strings.TrimSuffix(route, "/"+d.Name())
		}
		kind := pack.KindOf(route, media)
		if pack.IsTiny(len(body)) {
			kind = pack.Tiny
		}
		samples[kind] = append(samples[kind], body)
		samples[pack.Table] = append(samples[pack.Table], []byte(route+media))
		return nil
	})
	return samples, err
}

// ofEntry tells whether a file shows one entry: its pages are nearly all of a
// large site.
func ofEntry(path string) bool {
	for _, prefix := range []string{"api/v1/entries/", "api/v1/badges/", "api/v1/okf/", "api/v1/feeds/", "entry/", "id/"} {
		if strings.HasPrefix(path, prefix) {
			return true
		}
	}
	return false
}

// choose takes documents from all over the list until a dictionary is full. The
// last one is nearest to what is compressed and costs least to refer to.
func choose(list [][]byte) []byte {
	step := max(1, len(list)/97)
	var out [][]byte
	n := 0
	for first := range step {
		for i := first; i < len(list) && n < size; i += step {
			b := list[i][:min(len(list[i]), part, size-n)]
			out, n = append(out, b), n+len(b)
		}
	}
	return bytes.Join(out, nil)
}
