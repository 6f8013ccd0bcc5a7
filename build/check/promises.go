package check

import (
	"bufio"
	"context"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"strings"

	"github.com/assay-register/assay/build/output"
	"github.com/assay-register/assay/render/artifact"
	"github.com/assay-register/assay/render/wire"
)

// Promise is the page of an entry that was published and is another now, or gone.
type Promise struct {
	Route string `json:"route"`
	Type  string `json:"type"`
	Gone  bool   `json:"gone,omitempty"`
}

// IsEntry tells whether a line of routes.ndjson is the page of an entry, for which
// promises are kept, under its own name.
func IsEntry(l *wire.RouteLine) bool {
	return l.Class == string(artifact.ClassEntry) && l.SameAs == ""
}

// checkPromises compares with the site that was published before.
func (c *checker) checkPromises(ctx context.Context, before output.Pages) error {
	gone, err := c.tombstones(ctx)
	if err != nil {
		return err
	}
	return output.EachRoute(ctx, before, func(l *wire.RouteLine) error {
		if !IsEntry(l) {
			return nil
		}
		sum, there := c.sum(l.Route)
		if there && hex.EncodeToString(sum[:]) == l.SHA256 {
			return nil // the same page says the same
		}
		return c.promise(ctx, before, &Promise{l.Route, l.Type, !there}, gone)
	})
}

// promise holds one page to what was promised; gone are the entries with a tombstone.
func (c *checker) promise(ctx context.Context, before output.Pages, p *Promise, gone map[string]bool) error {
	if p.Gone {
		if id := p.Route[strings.LastIndexByte(p.Route, '/')+1:]; !gone[id] {
			c.report.fault(p.Route, "vanished without a tombstone")
		}
		return nil
	}
	old, err := published(ctx, before, p)
	if err != nil {
		c.report.fault(p.Route, "cannot be read in the earlier site: %v", err)
		return ctx.Err()
	}
	present, err := published(ctx, c.pages, p)
	if err != nil {
		return ctx.Err() // That it cannot be read was found before.
	}
	if old != present {
		c.report.fault(p.Route, "published_at moved from %s to %s", old, present)
	}
	return nil
}

func published(ctx context.Context, site output.Pages, p *Promise) (string, error) {
	body, err := readPage(ctx, site, p.Route, p.Type, readMax)
	if err != nil {
		return "", fmt.Errorf("%s: %w", p.Route, err)
	}
	var e struct {
		PublishedAt string `json:"published_at"`
	}
	if err := json.Unmarshal(body, &e); err != nil {
		return "", fmt.Errorf("%s: %w", p.Route, err)
	}
	return e.PublishedAt, nil
}

func (c *checker) tombstones(ctx context.Context) (map[string]bool, error) {
	gone := map[string]bool{}
	f, err := c.pages.Open(ctx, "/tombstones.ndjson", artifact.NDJSON)
	if errors.Is(err, fs.ErrNotExist) {
		return gone, nil
	}
	if err != nil {
		return nil, fmt.Errorf("/tombstones.ndjson: %w", err)
	}
	defer f.Close()
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, stoneMax)
	for n := 1; lines.Scan(); n++ {
		var t wire.Tombstone
		if err := json.Unmarshal(lines.Bytes(), &t); err != nil {
			if lines.Err() != nil {
				break // the line is cut where reading failed
			}
			return nil, fmt.Errorf("/tombstones.ndjson, line %d: %w", n, err)
		}
		gone[t.ID] = true
		c.remember(len(t.ID))
		if err := c.crowded(); err != nil {
			return nil, err
		}
	}
	if err := lines.Err(); err != nil {
		return nil, fmt.Errorf("/tombstones.ndjson: %w", err)
	}
	return gone, nil
}
