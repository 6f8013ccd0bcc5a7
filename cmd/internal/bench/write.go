//go:build linux

package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"hash/crc32"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"

	"golang.org/x/sync/errgroup"
	"golang.org/x/sys/unix"
)

// writeVerb is the plain program that a build is measured against: it writes
// the folders, files and links of a plan with the calls that anyone would use,
// several at a time, and ends when they are on the disk, as a build does. It
// does nothing else: the bytes lie in memory already. They are as many as those
// of the site, though not always the same ones.
func writeVerb(flags *flag.FlagSet) func(context.Context) error {
	plan := flags.String("plan", "site.plan", "what to write")
	out := flags.String("out", "out", "folder to write into")
	workers := flags.Int("workers", runtime.GOMAXPROCS(0), "goroutines that write")
	return func(ctx context.Context) error {
		lines, err := os.ReadFile(*plan)
		if err != nil {
			return err
		}
		blob, err := os.ReadFile(bytesOf(*plan))
		if err != nil {
			return err
		}
		if err := os.MkdirAll(*out, 0o755); err != nil {
			return err
		}
		return writeAll(ctx, string(lines), blob, *out, *workers)
	}
}

// unitDepth is how many folders deep the units lie that workers take: an entry
// is api/v1/entries/<id>.
const unitDepth = 4

// chunkLines is about how many lines a worker takes at a time.
const chunkLines = 256

// writeAll makes the upper folders one by one, then everything below them,
// then the links.
func writeAll(ctx context.Context, lines string, blob []byte, root string, workers int) error {
	var below, links []string
	for l := range strings.Lines(lines) {
		l = strings.TrimSuffix(l, "\n")
		switch {
		case l[0] == 'l':
			links = append(links, l)
		case l[0] == 'd' && strings.Count(l, "/") < unitDepth-1:
			if err := os.Mkdir(filepath.Join(root, l[2:]), 0o755); err != nil {
				return err
			}
		default:
			below = append(below, l)
		}
	}
	for _, part := range [][]string{below, links} {
		if err := writePart(ctx, part, blob, root, workers); err != nil {
			return err
		}
	}
	return onDisk(root)
}

// onDisk waits, as a build does, until everything written is on the disk.
func onDisk(root string) error {
	f, err := os.Open(root)
	if err != nil {
		return err
	}
	defer f.Close()
	return unix.Syncfs(int(f.Fd()))
}

func writePart(ctx context.Context, lines []string, blob []byte, root string, workers int) error {
	todo := make(chan []string, workers)
	g, ctx := errgroup.WithContext(ctx)
	g.Go(func() error {
		defer close(todo)
		for len(lines) > 0 {
			n := min(chunkLines, len(lines))
			for n < len(lines) && unit(lines[n]) == unit(lines[n-1]) {
				n++
			}
			select {
			case todo <- lines[:n]:
				lines = lines[n:]
			case <-ctx.Done():
				return ctx.Err()
			}
		}
		return nil
	})
	for range workers {
		g.Go(func() error {
			for part := range todo {
				for _, l := range part {
					if err := makeOne(l, blob, root); err != nil {
						return err
					}
				}
			}
			return nil
		})
	}
	return g.Wait()
}

// unit is the path of a line up to its unit, without the kind.
func unit(line string) string {
	path, _, _ := strings.Cut(line[2:], "\t")
	end := 0
	for range unitDepth {
		i := strings.IndexByte(path[end:], '/')
		if i < 0 {
			return path
		}
		end += i + 1
	}
	return path[:end-1]
}

func makeOne(line string, blob []byte, root string) error {
	path, rest, _ := strings.Cut(line[2:], "\t")
	path = root + "/" + path
	switch line[0] {
	case 'd':
		return os.Mkdir(path, 0o755)
	case 'l':
		return os.Link(root+"/"+rest, path)
	}
	n, err := strconv.Atoi(rest)
	if err != nil {
		return fmt.Errorf("line %q of the plan", line)
	}
	return fill(path, n, blob)
}

// fill writes a file of n bytes. Most come from a place of their own, which the
// file's name decides.
func fill(path string, n int, blob []byte) error {
	if n < len(blob) {
		from := int(crc32.ChecksumIEEE([]byte(path))) % (len(blob) - n)
		return os.WriteFile(path, blob[from:from+n], 0o644)
	}
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	for n > 0 && err == nil {
		var k int
		k, err = f.Write(blob[:min(n, len(blob))])
		n -= k
	}
	return errors.Join(err, f.Close())
}
