package main

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// licenceFile are the names under which modules keep their licences.
var licenceFile = regexp.MustCompile(`(?i)^(licen[cs]es?|copying|notice|patents|unlicense)([-.].*)?$`)

// licenceTexts are the texts of the program's own licence, of Go's and of those
// of all modules that are compiled into it on any platform, by module. A module
// without a text is an error.
func licenceTexts(ctx context.Context) ([]entry, error) {
	root, err := exec.CommandContext(ctx, "go", "env", "GOROOT").Output()
	if err != nil {
		return nil, fmt.Errorf("go env: %w", err)
	}
	dirs := map[string]string{"go": strings.TrimSpace(string(root))}
	for _, p := range platforms {
		cmd := exec.CommandContext(ctx, "go", "list", "-deps", "-f", "{{with .Module}}{{if not .Main}}{{.Path}}\t{{.Dir}}{{end}}{{end}}", "./cmd/assay")
		cmd.Env = p.env()
		out, err := cmd.Output()
		if err != nil {
			return nil, fmt.Errorf("go list: %w", err)
		}
		for line := range strings.Lines(string(out)) {
			if path, dir, found := strings.Cut(strings.TrimSpace(line), "\t"); found {
				dirs[path] = dir
			}
		}
	}
	own, err := os.ReadFile("LICENSE")
	if err != nil {
		return nil, err
	}
	list := []entry{{name: "LICENSE", mode: 0o644, body: own}}
	for _, path := range slices.Sorted(maps.Keys(dirs)) {
		texts, err := licencesOf(path, dirs[path])
		if err != nil {
			return nil, err
		}
		list = append(list, texts...)
	}
	return list, nil
}

func licencesOf(path, dir string) ([]entry, error) {
	found, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	var list []entry
	for _, f := range found {
		name := filepath.Join("licences", filepath.FromSlash(path), f.Name())
		switch {
		case !licenceFile.MatchString(f.Name()):
		case f.IsDir():
			texts, err := folder(filepath.Join(dir, f.Name()), name)
			if err != nil {
				return nil, err
			}
			list = append(list, texts...)
		default:
			body, err := os.ReadFile(filepath.Join(dir, f.Name()))
			if err != nil {
				return nil, err
			}
			list = append(list, entry{name: filepath.ToSlash(name), mode: 0o644, body: body})
		}
	}
	if len(list) == 0 {
		return nil, fmt.Errorf("%s has no licence text: it cannot be part of a release", path)
	}
	return list, nil
}

// writeLicences writes the texts below a directory.
func writeLicences(ctx context.Context, dir string) error {
	texts, err := licenceTexts(ctx)
	if err != nil {
		return err
	}
	for _, e := range texts {
		path := filepath.Join(dir, filepath.FromSlash(e.name))
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, e.body, 0o644)); err != nil {
			return err
		}
	}
	return nil
}
