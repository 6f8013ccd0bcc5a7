package harvest_test

import (
	"fmt"
	"net/url"
	"testing"
	"time"

	"github.com/assay-register/assay/build/harvest"
	"github.com/assay-register/assay/build/harvest/source/feedtest"
	"github.com/assay-register/assay/render/catalog"
)

// An identifier that a portal lists on its first page and on its third is one entry:
// that of the record which was modified last, wherever it stands; the other is
// counted with its place.
func TestIdentifierOnTwoPages(t *testing.T) {
	t.Parallel()
	// the titles of the record on pages one and three, and when each was modified
	type listing struct{ first, third, firstAt, thirdAt string }
	record := map[string]string{
		"ckan":  `{"id":%q,"name":%[1]q,"title":%q,"metadata_modified":"%sT00:00:00","resources":[]}`,
		"udata": `{"id":%q,"slug":%[1]q,"title":%q,"last_modified":"%sT00:00:00+00:00","resources":[]}`,
	}
	page := map[string]func(string, int) string{
		"ckan": func(one string, _ int) string {
			return fmt.Sprintf(`{"success":true,"result":{"count":3,"results":[%s]}}`, one)
		},
		"udata": func(one string, n int) string {
			next := "null"
			if n < 3 {
				next = fmt.Sprintf(`"https://x.example/api/1/datasets/?page=%d"`, n+1)
			}
			return fmt.Sprintf(`{"data":[%s],"page":%d,"next_page":%s,"total":3}`, one, n, next)
		},
	}
	number := map[string]func(url.Values) int{
		"ckan":  func(q url.Values) int { var n int; fmt.Sscan(q.Get("start"), &n); return n + 1 },
		"udata": func(q url.Values) int { n := 1; fmt.Sscan(q.Get("page"), &n); return n },
	}
	for kind := range record {
		for name, l := range map[string]listing{
			"the newer one last":  {"Old", "New", "2026-01-01", "2026-02-01"},
			"the newer one first": {"New", "Old", "2026-02-01", "2026-01-01"},
		} {
			t.Run(kind+", "+name, func(t *testing.T) {
				t.Parallel()
				w := newWorld(t)
				site := &feedtest.Site{Answer: func(raw string) string {
					u, _ := url.Parse(raw)
					n := number[kind](u.Query())
					one := fmt.Sprintf(record[kind], []string{"same", "between", "same"}[n-1], []string{l.first, "Between", l.third}[n-1], []string{l.firstAt, "2026-01-15", l.thirdAt}[n-1])
					return page[kind](one, n)
				}}
				src := w.official
				src.Kind, src.URL = kind, "https://portal.example/"
				filters := map[string]string{"only": "datasets"}
				if kind == "ckan" {
					filters = nil
				}
				for round := range 2 {
					in := site.Input(src.URL, filters)
					in.Source = src
					in.Source.Filters = filters
					w.now = w.now.Add(time.Hour)
					events := len(w.events())
					r, err := harvest.Run(w.ctx, w.st, harvest.Connectors()[kind], in, harvest.Options{Now: w.now, Complete: true, Batch: 1})
					if err != nil || r.In != 3 || r.Repeated != 1 || r.Missing != 0 || len(w.entries()) != 2 || w.named("New").Status != catalog.StatusActive {
						t.Fatalf("round %d: %v\n%s", round, err, r.Summary())
					}
					if round > 0 && len(w.events()) != events {
						t.Errorf("the same again wrote %+v", w.events()[events:])
					}
				}
			})
		}
	}
}
