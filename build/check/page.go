package check

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"

	"github.com/assay-register/assay/build/output"
	"github.com/assay-register/assay/render/artifact"
	"github.com/assay-register/assay/render/jsonx"
	"github.com/assay-register/assay/render/pack"
	"github.com/assay-register/assay/render/translog"
	"github.com/assay-register/assay/render/wire"
)

// checkManifest recomputes answer_sha256 and row_count. All keys of our
// manifests are stamped, so the hash covers the body before the manifest.
func (c *checker) checkManifest(route string, body []byte) {
	var page struct {
		Manifest *wire.Manifest `json:"manifest"`
	}
	if json.Unmarshal(body, &page) != nil || page.Manifest == nil {
		return
	}
	c.report.Manifests++
	i := bytes.LastIndex(body, []byte(`,"manifest":{`))
	if i < 0 {
		c.report.fault(route, "manifest is not the last member")
		return
	}
	rest := append(slices.Clone(body[:i]), '}')
	if sum := sha256.Sum256(rest); hex.EncodeToString(sum[:]) != page.Manifest.AnswerSHA256 {
		c.report.fault(route, "answer_sha256 does not match the body")
	}
	if n := jsonx.Elements(rest); n != page.Manifest.RowCount {
		c.report.fault(route, "row_count is %d, the body has %d", page.Manifest.RowCount, n)
	}
}

// linkedPage are the members of a page that lead to others.
type linkedPage struct {
	Links *struct {
		wire.Links
		Entries  string  `json:"entries_href"`
		FeedAtom *string `json:"feed_atom"`
		FeedJSON *string `json:"feed_json"`
	} `json:"links"`
	Items   json.RawMessage `json:"items"`
	Formats json.RawMessage `json:"formats"`
}

// linkedItem are the members of an item that lead to an entry or an institution.
type linkedItem struct {
	ID    string    `json:"id"`
	Slug  string    `json:"slug"`
	Href  string    `json:"href"`
	Entry *wire.Ref `json:"entry"`
	// EntryID is the reference of what has an id of its own; null where it is about no entry.
	EntryID json.RawMessage `json:"entry_id"`
}

// checkLinks follows the links of a list and the references to other entries.
func (c *checker) checkLinks(route string, body []byte) {
	var page linkedPage
	// A page whose members of these names have another shape has no such links.
	if json.Unmarshal(body, &page) != nil {
		return
	}
	if l := page.Links; l != nil {
		for _, p := range []*string{&l.Self, &l.First, l.Prev, l.Next, &l.Last, &l.Entries, l.FeedAtom, l.FeedJSON} {
			if p != nil && *p != "" {
				c.follow(route, *p)
			}
		}
	}
	each(page.Items, func(i *linkedItem) { c.followItem(route, i) })
	each(page.Formats, func(f *wire.FormatLink) { c.follow(route, f.Href) })
}

func (c *checker) followItem(route string, i *linkedItem) {
	if i.Entry != nil {
		i.ID, i.Slug = i.Entry.ID, i.Entry.Slug
	}
	if len(i.EntryID) > 0 {
		i.ID, i.Slug = "", ""
		if json.Unmarshal(i.EntryID, &i.ID) != nil {
			c.report.fault(route, "entry_id is no text")
		}
	}
	if i.Slug == "" && i.Href != "" { // an institution has no slug
		c.follow(route, i.Href)
		return
	}
	for _, name := range []string{i.ID, i.Slug} {
		if name != "" {
			c.follow(route, c.base+"/api/v1/entries/"+name)
		}
	}
}

// follow looks for the page that a path leads to. What follows a question mark
// is the service's.
func (c *checker) follow(route, path string) {
	c.report.Links++
	target, _, _ := strings.Cut(strings.TrimPrefix(path, c.base), "?")
	if _, ok := c.sum(target); !ok && !selfDescribed[target] {
		c.report.fault(route, "dead link to %s", path)
	}
}

// selfDescribed are the routes that describe the others and so do not stand in
// routes.ndjson.
var selfDescribed = map[string]bool{"/routes.ndjson": true, "/snapshot.json": true}

// checkRest looks for what no route explains where that can be listed.
func (c *checker) checkRest(ctx context.Context, site output.Pages) error {
	switch site := site.(type) {
	case output.Dir:
		return c.checkFiles(ctx, string(site))
	case *output.SnapshotFile:
		return site.Pack.Each(func(f *pack.Found) error {
			route := f.Document.Route
			if strings.HasPrefix(route, "/") && !selfDescribed[route] && c.routes.find(route) == nil {
				c.report.fault(route, "a document that no route explains")
			}
			return ctx.Err()
		})
	}
	return nil
}

// checkFiles looks for files on disk that no route explains, and for
// compressed siblings that differ from their document.
func (c *checker) checkFiles(ctx context.Context, root string) error {
	expected := map[string]bool{strings.Trim(reportRoute, "/"): true}
	for route := range selfDescribed {
		expected[strings.Trim(route, "/")] = true
	}
	err := output.EachRoute(ctx, c.pages, func(l *wire.RouteLine) error {
		expected[artifact.Path(l.Route, l.Type)] = true
		return nil
	})
	if err != nil {
		return err
	}
	err = filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(root, path)
		if err != nil {
			return err
		}
		rel = filepath.ToSlash(rel)
		if d.IsDir() {
			if rel == output.HiddenDir || rel == translog.Dir || // it explains itself
				strings.HasPrefix(rel, "s/") && strings.Count(rel, "/") == 1 && rel != "s/"+c.first.Snapshot {
				return fs.SkipDir
			}
			return nil
		}
		document, sibling := output.SplitSibling(rel)
		if !expected[document] {
			c.report.fault("/"+rel, "a file that no route explains")
			return nil
		}
		if sibling != "" && !output.SameSibling(filepath.Join(root, document), path, sibling) {
			c.report.fault("/"+rel, "holds other bytes than its document")
		}
		return nil
	})
	if err != nil {
		c.report.fault("/", "cannot be walked: %v", err)
	}
	return ctx.Err()
}
