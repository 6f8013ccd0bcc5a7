package okf

import (
	"github.com/assay-register/assay/render/snapshot"
	"github.com/assay-register/assay/render/wire"
)

// Summary is the answer of okf/summary (specification, "Catalog and OKF
// exports": version, counts, endpoint links). It names no snapshot: it is a
// function of the sources, as the bundle is.
type Summary struct {
	OKFVersion string `json:"okf_version"`
	Producer   string `json:"producer"`
	License    string `json:"license"`
	// AsOf is the last change of the content.
	AsOf         string            `json:"as_of"`
	Concepts     int               `json:"concepts"`
	Sections     []Section         `json:"sections"`
	Countries    int               `json:"countries"`
	Institutions int               `json:"institutions"`
	Pages        int               `json:"index_pages"`
	Bundle       Bundle            `json:"bundle"`
	Formats      []wire.FormatLink `json:"formats"`
}

// Section is one directory of the bundle.
type Section struct {
	Name     string `json:"name"`
	Title    string `json:"title"`
	Concepts int    `json:"concepts"`
	Index    string `json:"index"`
}

// Bundle is the archive of the whole tree.
type Bundle struct {
	Href      string `json:"href"`
	MediaType string `json:"media_type"`
	Bytes     int64  `json:"bytes"`
	SHA256    string `json:"sha256"`
	Files     int    `json:"files"`
}

func (t *tree) summary(m *measured) Summary {
	site := t.c.Site
	s := Summary{OKFVersion: Version, Producer: producer, License: site.License, AsOf: t.stamp(), Concepts: len(t.concepts),
		Sections: []Section{}, Countries: len(t.countries), Institutions: len(t.institutions), Pages: len(t.pages),
		Bundle:  Bundle{wire.Path(site, Root+"bundle.tar.gz"), Gzip, m.size, m.sum, len(t.concepts) + len(t.pages)},
		Formats: links(site)}
	for _, x := range sections {
		s.Sections = append(s.Sections, Section{x.dir, x.title, t.counts[x.kind], wire.Path(site, Root+x.dir+"/index.md")})
	}
	return s
}

func links(site snapshot.Site) []wire.FormatLink {
	out := []wire.FormatLink{
		{Name: "Root index", MediaType: "text/markdown", Href: wire.Path(site, Root+"index.md")},
		{Name: "Log", MediaType: "text/markdown", Href: wire.Path(site, Root+"log.md")},
	}
	for _, s := range append([]string{"countries", "institutions"}, dirs()...) {
		out = append(out, wire.FormatLink{Name: "Index of " + s, MediaType: "text/markdown", Href: wire.Path(site, Root+s+"/index.md")})
	}
	return append(out, wire.FormatLink{Name: "Bundle (OKF " + Version + ", tar and gzip)", MediaType: Gzip, Href: wire.Path(site, Root+"bundle.tar.gz")})
}

func dirs() []string {
	out := make([]string, len(sections))
	for i, s := range sections {
		out[i] = s.dir
	}
	return out
}
