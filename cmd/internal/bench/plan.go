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
	"os"
	"path"
	"strconv"
	"strings"

	"github.com/assay-register/assay/build/output"
	"github.com/assay-register/assay/render/artifact"
	"github.com/assay-register/assay/render/wire"
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
	site := flags.String("site", "out", "folder of the snapshot files of a finished site")
	out := flags.String("out", "site.plan", "file to write; the bytes go beside it")
	return func(ctx context.Context) error {
		s, err := output.OpenPresent(*site)
		if err != nil {
			return err
		}
		if s == nil {
			return fmt.Errorf("%s holds no snapshot file", *site)
		}
		defer s.Close()
		lines, err := os.Create(*out)
		if err != nil {
			return err
		}
		blob, err := os.Create(bytesOf(*out))
		if err != nil {
			return err
		}
		p := planner{site: s, lines: bufio.NewWriterSize(lines, 1<<20), blob: bufio.NewWriterSize(blob, 1<<20), dirs: map[string]bool{".": true}}
		if err := s.Each(ctx, p.visit); err != nil {
			return err
		}
		if err := errors.Join(p.lines.Flush(), p.blob.Flush(), lines.Close(), blob.Close()); err != nil {
			return err
		}
		return json.NewEncoder(os.Stdout).Encode(p.sums)
	}
}

// treeSums describe a finished site as a directory with a file for each document.
type treeSums struct {
	Dirs  int   `json:"dirs"`
	Files int   `json:"files"`
	Links int   `json:"links"`
	Bytes int64 `json:"bytes"`
}

type planner struct {
	site        *output.SnapshotFile
	lines, blob *bufio.Writer
	dirs        map[string]bool
	sums        treeSums
	copied      int64
}

// visit notes a document as a file, its second route as a link.
func (p *planner) visit(l *wire.RouteLine) error {
	name := artifact.Path(l.Route, l.Type)
	if err := p.folder(path.Dir(name)); err != nil {
		return err
	}
	if l.SameAs != "" {
		p.sums.Links++
		return p.note("l", name, artifact.Path(l.SameAs, l.Type))
	}
	if err := p.copy(l.Route); err != nil {
		return err
	}
	p.sums.Files++
	p.sums.Bytes += int64(l.Bytes)
	return p.note("f", name, strconv.Itoa(l.Bytes))
}

// folder notes a folder, and those that it lies in, once.
func (p *planner) folder(name string) error {
	if p.dirs[name] {
		return nil
	}
	if err := p.folder(path.Dir(name)); err != nil {
		return err
	}
	p.dirs[name] = true
	p.sums.Dirs++
	return p.note("d", name)
}

func (p *planner) copy(route string) error {
	if p.copied >= bytesMax {
		return nil
	}
	in, err := p.site.Document(route)
	if err != nil {
		return err
	}
	n, err := io.Copy(p.blob, io.LimitReader(in, bytesMax-p.copied))
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
