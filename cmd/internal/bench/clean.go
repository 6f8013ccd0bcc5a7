//go:build linux

package main

import (
	"context"
	"errors"
	"flag"
	"os"
	"path/filepath"
	"runtime"

	"golang.org/x/sync/errgroup"
)

// cleanVerb removes a folder, several branches at a time: a large site has
// more than a million folders.
func cleanVerb(flags *flag.FlagSet) func(context.Context) error {
	dir := flags.String("dir", "", "folder to remove")
	return func(context.Context) error {
		if *dir == "" {
			return errors.New("name the folder")
		}
		branch := filepath.Join(*dir, "api", "v1", "entries")
		names, err := os.ReadDir(branch)
		if err != nil {
			return os.RemoveAll(*dir)
		}
		var g errgroup.Group
		g.SetLimit(runtime.GOMAXPROCS(0))
		for _, n := range names {
			g.Go(func() error { return os.RemoveAll(filepath.Join(branch, n.Name())) })
		}
		return errors.Join(g.Wait(), os.RemoveAll(*dir))
	}
}
