//go:build linux

package main

import (
	"bufio"
	"context"
	"errors"
	"flag"
	"os"

	"github.com/assay-register/assay/cmd/internal/bench/register"
)

func generateVerb(flags *flag.FlagSet) func(context.Context) error {
	n := flags.Int("n", 10_000, "number of entries")
	seed := flags.Uint64("seed", 1, "the same seed gives the same bytes")
	checks := flags.Int("checks", 0, "checks per entry, one each six hours, with their state")
	out := flags.String("out", "register.ndjson", "file to write")
	return func(ctx context.Context) error {
		g, err := register.New(ctx)
		if err != nil {
			return err
		}
		f, err := os.Create(*out)
		if err != nil {
			return err
		}
		w := bufio.NewWriterSize(f, 1<<20)
		return errors.Join(g.Write(w, *n, *checks, *seed), w.Flush(), f.Close())
	}
}
