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
	"path/filepath"

	"github.com/assay-register/assay/render/wire"
)

// hugoParts are the answers about an entry from which its page can be made.
var hugoParts = []string{"quality-score", "checks", "provenance", "relations", "alternatives", "related"}

// hugoVerb writes what a built site says of each entry as one JSON file an
// entry, so that another generator can make the same pages of the same data.
func hugoVerb(flags *flag.FlagSet) func(context.Context) error {
	site := flags.String("site", "out", "folder of a built site")
	out := flags.String("out", "entries", "folder to write into")
	return func(context.Context) error {
		routes, err := os.Open(filepath.Join(*site, "routes.ndjson"))
		if err != nil {
			return err
		}
		defer routes.Close()
		dec := json.NewDecoder(bufio.NewReader(routes))
		for {
			var l wire.RouteLine
			if err := dec.Decode(&l); errors.Is(err, io.EOF) {
				return nil
			} else if err != nil {
				return err
			}
			if l.Class == "entry" && l.SameAs == "" && filepath.Dir(l.Route) == "/api/v1/entries" {
				if err := mergeEntry(*site, l.Route, *out); err != nil {
					return fmt.Errorf("%s: %w", l.Route, err)
				}
			}
		}
	}
}

func mergeEntry(site, route, out string) error {
	merged := map[string]json.RawMessage{}
	dir := filepath.Join(site, filepath.FromSlash(route))
	var err error
	if merged["entry"], err = os.ReadFile(filepath.Join(dir, "index.json")); err != nil {
		return err
	}
	for _, part := range hugoParts {
		if merged[part], err = os.ReadFile(filepath.Join(dir, part, "index.json")); err != nil {
			return err
		}
	}
	body, err := json.Marshal(merged)
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(out, filepath.Base(route)+".json"), body, 0o644)
}
