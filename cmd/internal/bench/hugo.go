//go:build linux

package main

import (
	"cmp"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"os"
	"path"
	"path/filepath"

	"github.com/assay-register/assay/build/output"
	"github.com/assay-register/assay/render/wire"
)

// hugoParts are the answers about an entry from which its page can be made.
var hugoParts = []string{"quality-score", "checks", "provenance", "relations", "alternatives", "related"}

// hugoVerb writes what a built site says of each entry as one JSON file an
// entry, so that another generator can make the same pages of the same data.
func hugoVerb(flags *flag.FlagSet) func(context.Context) error {
	site := flags.String("site", "out", "folder of a built site")
	out := flags.String("out", "entries", "folder to write into")
	return func(ctx context.Context) error {
		s, err := output.OpenPresent(*site)
		if err != nil {
			return err
		}
		if s == nil {
			return fmt.Errorf("%s holds no snapshot file", *site)
		}
		defer s.Close()
		return s.Each(ctx, func(l *wire.RouteLine) error {
			if l.Class != "entry" || l.SameAs != "" || path.Dir(l.Route) != "/api/v1/entries" {
				return nil
			}
			if err := mergeEntry(s, l.Route, *out); err != nil {
				return fmt.Errorf("%s: %w", l.Route, err)
			}
			return nil
		})
	}
}

func mergeEntry(s *output.SnapshotFile, route, out string) error {
	merged := map[string]json.RawMessage{}
	for _, part := range append([]string{""}, hugoParts...) {
		in, err := s.Document(path.Join(route, part))
		if err != nil {
			return err
		}
		if merged[cmp.Or(part, "entry")], err = io.ReadAll(in); err != nil {
			return err
		}
	}
	body, err := json.Marshal(merged)
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(out, filepath.Base(route)+".json"), body, 0o644)
}
