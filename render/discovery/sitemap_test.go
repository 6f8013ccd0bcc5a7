package discovery

import (
	"encoding/xml"
	"strings"
	"testing"
	"time"

	"github.com/assay-register/assay/render/rendertest"
	"github.com/assay-register/assay/render/snapshot"
	web "github.com/assay-register/assay/site"
)

type sitemapDocument struct {
	XMLName xml.Name
	URLs    []struct {
		Loc     string `xml:"loc"`
		Lastmod string `xml:"lastmod"`
	} `xml:",any"`
}

func checkSitemap(t testing.TB, body []byte) sitemapDocument {
	t.Helper()
	var doc sitemapDocument
	if err := xml.Unmarshal(body, &doc); err != nil || doc.XMLName.Space != sitemapSpace {
		t.Fatalf("%v: %.300s", err, body)
	}
	for _, u := range doc.URLs {
		if u.Lastmod == "" {
			continue
		}
		if _, err := time.Parse(time.RFC3339, u.Lastmod); err != nil {
			t.Error(err)
		}
	}
	return doc
}

func TestSitemapTellsTheTrueChange(t *testing.T) {
	c := fixture(t)
	docs := render(t, c)
	changed := map[string]string{}
	for _, u := range checkSitemap(t, docs["/sitemap-entries-1.xml"]).URLs {
		changed[u.Loc] = u.Lastmod
	}
	if len(changed) != len(c.Order) {
		t.Errorf("%d addresses for %d listed entries", len(changed), len(c.Order))
	}
	for i := range c.Lines {
		l := &c.Lines[i]
		if got, want := changed[address(c.Site, "/entry/"+l.Slug)], lastChange(l).Format(time.RFC3339); l.Listed() && got != want {
			t.Errorf("%s changed %q, want %q", l.Slug, got, want)
		}
		if t1 := lastChange(l); t1.Unix() > l.Changed || t1.Unix() < l.Updated {
			t.Errorf("%s: %s is before its update or after its page's change", l.Slug, t1)
		}
	}
	index := checkSitemap(t, docs["/sitemap.xml"])
	for _, u := range index.URLs {
		if docs[strings.TrimPrefix(u.Loc, c.Site.BaseURL)] == nil {
			t.Errorf("the index names %s, which is not there", u.Loc)
		}
	}
	if index.XMLName.Local != "sitemapindex" || len(index.URLs) != 1+len(web.Languages()) {
		t.Errorf("index %+v", index)
	}
}

func TestSitemapPartsAreFullAndComplete(t *testing.T) {
	c := rendertest.Freeze(t, rendertest.Site, rendertest.At, append(rendertest.Rows(), rendertest.Many(20)...))
	seen := map[string]int{}
	list := parts(c, 5)
	for i, p := range list {
		n := 0
		err := p.locations(c, "/e/", func(l location) error {
			n++
			seen[l.url]++
			if l.changed.After(p.changed) {
				t.Errorf("%s changed after its sitemap", l.url)
			}
			return nil
		})
		if err != nil || n > 5 || n < 5 && i < len(list)-1 {
			t.Errorf("part %d has %d addresses, %v", i, n, err)
		}
	}
	if len(seen) != len(c.Order) {
		t.Errorf("%d of %d entries", len(seen), len(c.Order))
	}
	if len(parts(&snapshot.Catalog{}, 5)) != 0 {
		t.Error("an empty catalog has parts")
	}
}
