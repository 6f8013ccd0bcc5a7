// Command dictionaries makes the dictionaries of render/pack from the sample register,
// which it builds into a snapshot file:
//
//	go generate ./render/pack
//	go run ./cmd/internal/dictionaries check    # what new ones would save
//
// A dictionary is part of the form of a snapshot file: a change of one needs another
// magic word in render/pack, so pages may change without one. They are made again
// with the next version of the form.
package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/assay-register/assay/build/publish"
	"github.com/assay-register/assay/render/artifact"
	"github.com/assay-register/assay/render/pack"
)

// sizes are those of the dictionaries in bytes, chosen by measurement
// (site/docs/design.md).
var sizes = map[pack.Kind]int{pack.Record: 128 << 10, pack.Page: 512 << 10, pack.Relation: 96 << 10, pack.Evidence: 256 << 10, pack.Table: 8 << 10}

// part is the most that one frame gives, in bytes, so that a large one leaves room for
// others.
const part = 128 << 10

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: dictionaries FOLDER|check")
		os.Exit(2)
	}
	if err := run(os.Args[1]); err != nil {
		fmt.Fprintln(os.Stderr, "dictionaries:", err)
		os.Exit(1)
	}
}

func run(folder string) error {
	tmp, err := os.MkdirTemp("", "dictionaries-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(tmp)
	if err := build(tmp); err != nil {
		return err
	}
	samples, err := read(tmp)
	if err != nil {
		return err
	}
	made, err := train(samples)
	if err != nil {
		return err
	}
	if folder == "check" {
		return check(samples, made)
	}
	for k, b := range made {
		if err := os.WriteFile(filepath.Join(folder, k.String()+".dict"), b, 0o644); err != nil {
			return err
		}
	}
	return nil
}

// build makes a snapshot file of the sample register.
func build(folder string) error {
	cmd := exec.Command("go", "run", "github.com/assay-register/assay/cmd/assay", "demo", "--build-only", "--form", "file",
		"--out", filepath.Join(folder, "site"), "--db", "sqlite:"+filepath.Join(folder, "sample.db"))
	cmd.Stderr = os.Stderr
	return cmd.Run()
}

// samples are what frames hold before compression.
type samples map[pack.Kind][][]byte

// read takes the groups of entries apart: they are nearly all of a large file.
func read(folder string) (samples, error) {
	site, err := publish.OpenPresent(filepath.Join(folder, "site"))
	if err != nil {
		return nil, err
	}
	defer site.Close()
	all := samples{}
	var key string
	var files []artifact.File
	add := func() error {
		if kind, _, _ := strings.Cut(key, " "); kind != "entry" && kind != "linked" {
			return nil
		}
		of, err := pack.Samples(key, files)
		for k, list := range of {
			all[k] = append(all[k], list...)
		}
		return err
	}
	err = site.Pack.Each(func(f *pack.Found) error {
		if f.Key() != key {
			if err := add(); err != nil {
				return err
			}
			key, files = f.Key(), nil
		}
		var b bytes.Buffer
		d := f.Document
		files = append(files, artifact.File{Route: d.Route, Alias: d.Alias, Type: d.Type, Class: d.Class, Cache: d.Cache,
			Sums: &artifact.Sums{Body: d.Sum, Manifest: d.Manifest}})
		err := site.Pack.Verify(&b, f)
		files[len(files)-1].Body = b.Bytes()
		return err
	})
	if err == nil {
		err = add()
	}
	return all, err
}

func train(all samples) (map[pack.Kind][]byte, error) {
	made := map[pack.Kind][]byte{}
	for k := pack.Stored; k <= pack.Plain; k++ {
		if !k.HasDictionary() {
			continue
		}
		if len(all[k]) == 0 {
			return nil, fmt.Errorf("the sample register has no document of the kind %s", k)
		}
		made[k] = choose(all[k], sizes[k])
	}
	return made, nil
}

// choose takes samples from all over the list, so many that they fill a dictionary.
// The last one is nearest to what is compressed and costs least to refer to.
func choose(list [][]byte, size int) []byte {
	total := 0
	for _, b := range list {
		total += min(len(b), part)
	}
	want := max(1, len(list)*size/max(1, total))
	var out []byte
	for i := 0; i < len(list) && len(out) < size; i++ {
		if i*want/len(list) != (i-1)*want/len(list) || i == 0 {
			out = append(out, list[i][:min(len(list[i]), part, size-len(out))]...)
		}
	}
	return out
}
