//go:build linux

package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
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
	free, err := freeAt(c.sites)
	keep := c.renew == "" && err == nil && free > int64(n)*int64(2*c.runs)*sitePerEntry
	if !keep && c.renew == "" {
		say("%d entries: no room for all sites, so each run waits %s after the one before is removed", n, reuse)
	}
	return &sites{ctx: ctx, c: c, keep: keep}
}

// next is the folder of the next run, and what to do when it has ended.
func (s *sites) next() (site string, done func(), err error) {
	if s.c.renew != "" {
		cmd := exec.CommandContext(s.ctx, "sh", "-c", s.c.renew)
		cmd.Stdout, cmd.Stderr = os.Stderr, os.Stderr
		if err := cmd.Run(); err != nil {
			return "", nil, fmt.Errorf("%s: %w", s.c.renew, err)
		}
		return filepath.Join(s.c.sites, "site"), func() {}, nil
	}
	time.Sleep(time.Until(s.cleaned.Add(reuse)))
	site = filepath.Join(s.c.sites, fmt.Sprintf("site-%d", len(s.made)+1))
	s.made = append(s.made, site)
	return site, func() {
		if !s.keep {
			s.clean()
		}
	}, nil
}

func (s *sites) clean() {
	for _, site := range s.made {
		_, _ = child(s.ctx, nil, "clean", "-dir", site)
	}
	settle()
	s.made, s.cleaned = nil, time.Now()
}

func freeAt(dir string) (int64, error) {
	var fs syscall.Statfs_t
	err := syscall.Statfs(dir, &fs)
	return int64(fs.Bavail) * fs.Bsize, err
}
