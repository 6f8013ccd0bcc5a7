//go:build linux

package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
)

// A plan is lines that say what to make, folders before what lies in them.
// They are split by tabs, so that reading them costs next to nothing:
//
//	d	api/v1
//	f	api/v1/entries/index.json	4711
//	l	api/v1/entries/slug/index.json	api/v1/entries/id/index.json
//
// Beside it lie bytes of the site, as many as stay in memory: a program that
// had to read all bytes of a large site from a disk would be slowed down by
// that, and to a disk it makes no difference which ones it gets.

// bytesOf is the name of the file of bytes beside a plan, bytesMax its size.
func bytesOf(plan string) string { return plan + ".bytes" }

const bytesMax = 256 << 20

func planVerb(flags *flag.FlagSet) func(context.Context) error {
	tree := flags.String("tree", "out", "finished site")
	out := flags.String("out", "site.plan", "file to write; the bytes go beside it")
	return func(context.Context) error {
		lines, err := os.Create(*out)
		if err != nil {
			return err
		}
		blob, err := os.Create(bytesOf(*out))
		if err != nil {
			return err
		}
		p := planner{root: *tree, lines: bufio.NewWriterSize(lines, 1<<20), blob: bufio.NewWriterSize(blob, 1<<20), names: map[uint64]string{}}
		if err := filepath.WalkDir(*tree, p.visit); err != nil {
			return err
		}
		if err := errors.Join(p.lines.Flush(), p.blob.Flush(), lines.Close(), blob.Close()); err != nil {
			return err
		}
		return json.NewEncoder(os.Stdout).Encode(p.sums)
	}
}

// treeSums describe a finished site.
type treeSums struct {
	Dirs  int   `json:"dirs"`
	Files int   `json:"files"`
	Links int   `json:"links"`
	Bytes int64 `json:"bytes"`
}

type planner struct {
	root        string
	lines, blob *bufio.Writer
	names       map[uint64]string
	sums        treeSums
	copied      int64
}

func (p *planner) visit(path string, d fs.DirEntry, err error) error {
	if err != nil || path == p.root {
		return err
	}
	rel, err := filepath.Rel(p.root, path)
	if err != nil {
		return err
	}
	if d.IsDir() {
		p.sums.Dirs++
		return p.note("d", rel)
	}
	info, err := d.Info()
	if err != nil {
		return err
	}
	stat, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		return fmt.Errorf("%s: no inode number", rel)
	}
	if stat.Nlink > 1 {
		if first, known := p.names[stat.Ino]; known {
			p.sums.Links++
			return p.note("l", rel, first)
		}
		p.names[stat.Ino] = rel
	}
	if err := p.copy(path); err != nil {
		return err
	}
	p.sums.Files++
	p.sums.Bytes += info.Size()
	return p.note("f", rel, strconv.FormatInt(info.Size(), 10))
}

func (p *planner) copy(path string) error {
	if p.copied >= bytesMax {
		return nil
	}
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	n, err := io.Copy(p.blob, io.LimitReader(f, bytesMax-p.copied))
	p.copied += n
	return err
}

func (p *planner) note(words ...string) error {
	if strings.ContainsAny(strings.Join(words, ""), "\t\n") {
		return fmt.Errorf("%q does not fit into a plan", words)
	}
	_, err := p.lines.WriteString(strings.Join(words, "\t") + "\n")
	return err
}
