//go:build linux

package main

import (
	"context"
	"fmt"
	"syscall"
	"time"
)

// sitePerEntry is what one entry of a site takes on the disk, in bytes.
const sitePerEntry = 350 << 10

// reuse is how long ext4 keeps off inodes that were freed (recently_deleted in
// fs/ext4/ialloc.c). A program that makes files before that time spends most of
// it looking for other ones, so a run must not come soon after a clean-up.
const reuse = 310 * time.Second

// sites are the folders that the programs write into, a new one for each run.
// They stay until the last run if the disk has room for all.
type sites struct {
	ctx     context.Context
	c       *config
	keep    bool
	made    []string
	cleaned time.Time
}

func (c *config) sitesOf(ctx context.Context, n int) *sites {
	free, err := freeAt(c.dir)
	keep := err == nil && free > int64(n)*(roomPerEntry+int64(2*c.runs)*sitePerEntry)
	if !keep {
		say("%d entries: no room for all sites, so each run waits %s after the one before is removed", n, reuse)
	}
	return &sites{ctx: ctx, c: c, keep: keep}
}

// next is the folder of the next run, and what to do when it has ended.
func (s *sites) next() (site string, done func()) {
	time.Sleep(time.Until(s.cleaned.Add(reuse)))
	site = s.c.path(fmt.Sprintf("site-%d", len(s.made)+1))
	s.made = append(s.made, site)
	return site, func() {
		if !s.keep {
			s.clean()
		}
	}
}

func (s *sites) clean() {
	for _, site := range s.made {
		_, _ = child(s.ctx, nil, "clean", "-dir", site)
	}
	settle()
	s.cleaned = time.Now()
}

func freeAt(dir string) (int64, error) {
	var fs syscall.Statfs_t
	err := syscall.Statfs(dir, &fs)
	return int64(fs.Bavail) * fs.Bsize, err
}
