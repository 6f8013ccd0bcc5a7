// Package buildtest makes registers of any size for tests of the batch build,
// changes them as a curator or a harvest would, and reads published trees back
// without any of the code that wrote them.
package buildtest

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"gopkg.in/yaml.v3"
)

// seed is what is taken from one record of the sample register: real names in
// many scripts, addresses, tags. Verdicts and histories are made up.
type seed struct {
	Name          string    `yaml:"name"`
	NameEn        string    `yaml:"name_en"`
	Lang          string    `yaml:"lang"`
	Type          string    `yaml:"type"`
	URL           string    `yaml:"url"`
	Homepage      string    `yaml:"homepage"`
	Docs          string    `yaml:"docs"`
	Repo          string    `yaml:"repo"`
	Description   string    `yaml:"description"`
	DescriptionEn string    `yaml:"description_en"`
	Country       string    `yaml:"country"`
	Institution   string    `yaml:"institution"`
	License       string    `yaml:"license"`
	Auth          string    `yaml:"auth"`
	Access        string    `yaml:"access"`
	Tags          []string  `yaml:"tags"`
	Formats       []string  `yaml:"formats"`
	Themes        []string  `yaml:"themes"`
	Modified      time.Time `yaml:"modified"`
}

// readSeeds reads the sample register from the source tree, because Go lets
// nobody outside cmd import its package.
func readSeeds() ([]seed, error) {
	root, err := moduleRoot()
	if err != nil {
		return nil, err
	}
	files, err := filepath.Glob(filepath.Join(root, "cmd", "internal", "sample", "register", "*.yaml"))
	if err != nil {
		return nil, err
	}
	var seeds []seed
	for _, file := range files {
		if filepath.Base(file) == "portals.yaml" {
			continue
		}
		b, err := os.ReadFile(file)
		if err != nil {
			return nil, err
		}
		var list []seed
		if err := yaml.Unmarshal(b, &list); err != nil {
			return nil, fmt.Errorf("%s: %w", file, err)
		}
		seeds = append(seeds, list...)
	}
	if len(seeds) < 100 {
		return nil, fmt.Errorf("%d records in the sample register, 100 are expected", len(seeds))
	}
	return seeds, nil
}

func moduleRoot() (string, error) {
	dir, err := os.Getwd()
	if err != nil {
		return "", err
	}
	for {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			return dir, nil
		}
		up := filepath.Dir(dir)
		if up == dir {
			return "", errors.New("no go.mod above the working directory")
		}
		dir = up
	}
}
