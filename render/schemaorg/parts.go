package schemaorg

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/assay-register/assay/render/catalog"
	"github.com/assay-register/assay/render/snapshot"
)

// marshal writes compact JSON for a script element. HTML escaping, which the
// register's other JSON does without, is the point here: "<", ">", "&" and the
// two line separators of JavaScript become escapes.
func marshal(v any) ([]byte, error) {
	var b bytes.Buffer
	if err := json.NewEncoder(&b).Encode(v); err != nil {
		return nil, fmt.Errorf("schema.org block: %w", err)
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), nil
}

func address(site snapshot.Site, route string) string {
	return strings.TrimSuffix(site.BaseURL, "/") + route
}

// web lets only addresses pass that a page may link.
func web(raw string) string {
	if raw == "" || catalog.CheckURL("url", raw) != nil {
		return ""
	}
	return raw
}

// webs are the addresses that can be linked, each once.
func webs(raw ...string) []string {
	var out []string
	seen := map[string]bool{"": true}
	for _, r := range raw {
		if u := web(r); !seen[u] {
			seen[u] = true
			out = append(out, u)
		}
	}
	return out
}

func stamp(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.UTC().Format(time.RFC3339)
}

func licenceURL(spdx string) string { return "https://spdx.org/licenses/" + url.PathEscape(spdx) }

// organisation is the institution behind an entry, or the publisher as the
// source wrote it.
func organisation(s *snapshot.Scored) *named {
	e, o := s.Entry(), &named{Type: "Organization"}
	if i := s.Institution; i != nil && !e.ThirdParty {
		if s.Result.PublicSector && i.Known() {
			o.Type = "GovernmentOrganization"
		}
		o.Name, o.URL = i.Name, web(i.HomepageURL)
		o.SameAs = webs(i.Identifiers...)
		o.Identifier = slices.DeleteFunc(slices.Clone(i.Identifiers), func(id string) bool { return slices.Contains(o.SameAs, id) })
	}
	o.Name = cmp.Or(e.PublisherName, o.Name)
	if p := e.Publisher; p != nil {
		o.URL = cmp.Or(o.URL, web(p.HomepageURL))
		if p.Person {
			o.Type = "Person"
		}
	}
	if o.Name == "" {
		return nil
	}
	return o
}

func about(site snapshot.Site, s *snapshot.Scored, kind string) thing {
	e := s.Entry()
	return thing{Context: context, Type: kind, ID: address(site, "/id/"+e.ID), Name: e.Name, AlternateName: e.NameEn,
		Description: describe(site, s), URL: address(site, "/entry/"+e.Slug)}
}

// Bounds of what a block says, for it stands beside the same in the text of the page.
const (
	descriptionMax = 500
	keywordsMost   = 5
)

var kinds = map[catalog.EntryType]string{catalog.TypeAPI: "An API", catalog.TypeDataset: "A dataset", catalog.TypeMCPServer: "An MCP server"}

// describe is the entry's own description, cut at a word where it is long. Of one that has none it
// is what the register knows, for search engines demand one.
func describe(site snapshot.Site, s *snapshot.Scored) string {
	e := s.Entry()
	own := strings.TrimSpace(cmp.Or(e.Description, e.DescriptionEn))
	if runes := []rune(own); len(runes) > descriptionMax {
		cut := string(runes[:descriptionMax-1])
		if i := strings.LastIndexByte(cut, ' '); i > len(cut)/2 {
			cut = cut[:i]
		}
		return strings.TrimRight(cut, " ,;:") + "…"
	}
	if own != "" {
		return own
	}
	known := kinds[e.Type]
	if o := organisation(s); o != nil {
		known += " of " + o.Name
	}
	return known + ", listed and tested by " + site.Name + ": " + e.Name + "."
}

// creator is the organisation with a name by which the block refers to it again (JSON-LD 1.1, 4.5.1).
func creator(s *snapshot.Scored) *named {
	o := organisation(s)
	if o != nil {
		o.ID = "_:publisher"
	}
	return o
}

func workOf(s *snapshot.Scored) work {
	e := s.Entry()
	w := work{InLanguage: e.NativeLang, Keywords: e.Tags[:min(len(e.Tags), keywordsMost)], IsAccessibleForFree: free(e.FreeAccessClass),
		DatePublished: stamp(e.SourceIssuedAt), DateModified: stamp(e.SourceModifiedAt), Creator: creator(s)}
	if w.Creator != nil {
		w.Publisher = &named{ID: w.Creator.ID}
	}
	if s.Licence != nil {
		w.License = web(s.Licence.URL)
	}
	if e.Status == catalog.StatusDeprecated {
		w.CreativeWorkStatus = "Deprecated"
	}
	return w
}

// free tells whether an entry costs nothing, nil when nobody knows. A trial
// ends, and what is free for some is not free.
func free(c catalog.FreeAccessClass) *bool {
	var v bool
	switch c {
	case catalog.AccessFreeNoAuth, catalog.AccessFreeKey:
		v = true
	case catalog.AccessNotFree, catalog.AccessFreeTrial, catalog.AccessFreeOSSEdu:
	default:
		return nil
	}
	return &v
}

func offerOf(c catalog.FreeAccessClass) *offer {
	if f := free(c); f == nil || !*f {
		return nil
	}
	return &offer{Type: "Offer", Price: "0", PriceCurrency: "EUR"}
}

func size(n int64) string {
	if n <= 0 {
		return ""
	}
	return strconv.FormatInt(n, 10) + " B"
}
