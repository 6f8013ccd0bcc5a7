// Package ckan reads catalogues that run CKAN: live through the action API
// (package_search), or what was captured of it: a package_search answer, a
// package_show answer, the inner result of either, an array of packages, or
// JSON lines as ckanapi dumps them.
package ckan

import (
	"context"
	"net/url"
	"path"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/assay-register/assay/build/harvest/source"
)

// Kind is the word for this connector in `assay harvest --kind`.
const Kind = "ckan"

// rows is how many packages are asked for at once; CKAN's own upper bound is
// 1000 and a site may lower it.
const rows = 200

// lists hold packages; group_show and organization_show list some too.
var lists = []string{"result.results", "result.packages", "results", "packages", "result"}

// Connector implements source.Connector. The filters of its source are fq, q,
// organization, groups and tags of package_search; base, the address of the
// portal that captured files are of; and language, that of its texts.
type Connector struct{}

// Run implements source.Connector.
func (Connector) Run(ctx context.Context, in source.Input, emit func(source.Draft) error, reject func(source.Rejection) error) error {
	m := mapper{in: &in, base: base(in.Portal()), emit: emit, reject: reject}
	feed := source.Feed{Paths: lists, Keep: captured, Each: m.each}
	if in.Fetch != nil {
		u, err := in.Address()
		if err != nil {
			return err
		}
		feed.First = search(base(u.String()), &in)
		feed.Next = func(p source.Page) string {
			if m.failed {
				return ""
			}
			total := -1
			if !p.Body.Head("result.count", &total) {
				total = -1
			}
			return source.NextOffset(p, "start", total)
		}
	}
	return feed.Run(ctx, &in, reject)
}

// Catalogue implements source.Describer: an answer names the portal in the
// address of its help.
func (Connector) Catalogue(ctx context.Context, in source.Input) (source.Catalogue, error) {
	feed := source.Feed{Paths: lists}
	return feed.Describe(ctx, &in, func(j *source.JSON) (c source.Catalogue) {
		var help string
		if j.Head("help", &help) {
			c.Names(base(help))
		}
		return c
	}, nil)
}

// captured takes JSON files, and answers saved under the path of their request.
func captured(name string) bool {
	b := path.Base(name)
	return source.JSONFile(name) || strings.Contains(b, "package_search") || strings.Contains(b, "package_show")
}

// base is the address of the portal: what stands before the API and the pages
// of the catalogue. A portal can itself lie below a path with such a word.
func base(raw string) string {
	u, err := url.Parse(raw)
	if err != nil || u.Host == "" {
		return ""
	}
	return u.Scheme + "://" + u.Host + strings.TrimRight(inPortal.ReplaceAllString(u.Path, ""), "/")
}

// inPortal is the path of something in a portal.
var inPortal = regexp.MustCompile(`(?:/api/(?:[0-9]/)?(?:action|rest|search|util)(?:/.*)?|/api(?:/[0-9])?/?|/dataset(?:/.*)?)$`)

// search is the address of the first page. The order by id keeps the pages
// together while packages are added.
func search(base string, in *source.Input) string {
	q := url.Values{"rows": {strconv.Itoa(rows)}, "start": {"0"}, "sort": {"id asc"}}
	if text := in.Source.Filters["q"]; text != "" {
		q.Set("q", text)
	}
	var clauses []string
	if fq := in.Source.Filters["fq"]; fq != "" {
		clauses = append(clauses, "+("+fq+")")
	}
	for _, field := range []string{"organization", "groups", "tags"} {
		if v := in.Source.Filters[field]; v != "" {
			clauses = append(clauses, "+"+field+":"+strconv.Quote(v))
		}
	}
	if !in.Since.IsZero() {
		clauses = append(clauses, "+metadata_modified:["+in.Since.UTC().Format(time.RFC3339)+" TO *]")
	}
	if len(clauses) > 0 {
		q.Set("fq", strings.Join(clauses, " "))
	}
	return base + "/api/3/action/package_search?" + q.Encode()
}
