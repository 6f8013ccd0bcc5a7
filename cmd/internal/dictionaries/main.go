// Command dictionaries makes the dictionaries of render/pack from what lies in the
// repository: half of each from the sample register, half from the captures with which
// the connectors of catalogues are tested (catalogues), which say what its services do
// not. Both are built into snapshot files.
//
//	go generate ./render/pack
//	go run ./cmd/internal/dictionaries check    # what new ones would save
//
// A dictionary is part of the form of a snapshot file: a change of one needs another
// magic word in render/pack, so pages may change without one. They are made again
// with the next version of the form, once that of the tables is put aside (render/pack/former.go).
package main

import (
	"bytes"
	"context"
	"crypto/sha256"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/assay-register/assay/build/output"
	"github.com/assay-register/assay/render/artifact"
	"github.com/assay-register/assay/render/pack"
)

// sizes are those of the dictionaries in bytes, chosen by measurement
// (site/docs/design.md).
var sizes = map[pack.Kind]int{pack.Record: 576 << 10, pack.Page: 832 << 10, pack.Table: 8 << 10}

// part is the most that one frame gives, in bytes, so that a large one leaves room for
// others.
const part = 128 << 10

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: dictionaries FOLDER|check")
		os.Exit(2)
	}
	if err := run(context.Background(), os.Args[1]); err != nil {
		fmt.Fprintln(os.Stderr, "dictionaries:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, folder string) error {
	tmp, err := os.MkdirTemp("", "dictionaries-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(tmp)
	sites, err := build(ctx, tmp)
	if err != nil {
		return err
	}
	all, err := read(sites)
	if err != nil {
		return err
	}
	made, err := train(all)
	if err != nil {
		return err
	}
	if folder == "check" {
		return check(os.Stdout, all, made)
	}
	for k, b := range made {
		if err := os.WriteFile(filepath.Join(folder, k.String()+".dict"), b, 0o644); err != nil {
			return err
		}
	}
	return nil
}

// samples are what frames hold before compression: of the sample register, and of the
// catalogues that were harvested into it.
type samples map[pack.Kind]*[2][][]byte

// read takes the groups of entries apart: they are nearly all of a large file.
func read(sites [2]*output.SnapshotFile) (samples, error) {
	defer sites[0].Close()
	defer sites[1].Close()
	all := samples{}
	for i, site := range sites {
		err := eachEntry(site.Pack, func(key string, files []artifact.File) error {
			_, old, err := sites[0].Pack.Number(key)
			if err != nil || i == 1 && old {
				return err
			}
			of, err := pack.Samples(key, files)
			for k, list := range of {
				if all[k] == nil {
					all[k] = &[2][][]byte{}
				}
				all[k][i] = append(all[k][i], list...)
			}
			return err
		})
		if err != nil {
			return nil, err
		}
	}
	return all, nil
}

// eachEntry calls fn for the groups of entries with their documents.
func eachEntry(x *pack.Reader, fn func(key string, files []artifact.File) error) error {
	return x.EachGroup(func(g *pack.Group) error {
		if kind, _, _ := strings.Cut(g.Key, " "); kind != "entry" && kind != "linked" {
			return nil
		}
		var files []artifact.File
		for i := range g.Documents {
			d := &g.Documents[i]
			var b bytes.Buffer
			if err := g.Write(&b, i); err != nil {
				return err
			}
			body := hashes.ReplaceAll(instants.ReplaceAll(b.Bytes(), []byte("$1:00:00")), zeros)
			files = append(files, artifact.File{Route: d.Route, Alias: d.Alias, Type: d.Type, Class: d.Class, Cache: d.Cache, Body: body,
				Sums: &artifact.Sums{Body: sha256.Sum256(body), Manifest: d.Manifest}})
		}
		return fn(g.Key, files)
	})
}

func train(all samples) (map[pack.Kind][]byte, error) {
	made := map[pack.Kind][]byte{}
	for k := pack.Stored; k <= pack.Plain; k++ {
		if !k.HasDictionary() {
			continue
		}
		if all[k] == nil || len(all[k][0]) == 0 || len(all[k][1]) == 0 {
			return nil, fmt.Errorf("there is no document of the kind %s", k)
		}
		made[k] = append(choose(all[k][0], sizes[k]/2), choose(all[k][1], sizes[k]/2)...)
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
