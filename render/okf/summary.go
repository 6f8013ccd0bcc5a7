package okf

import (
	"github.com/assay-register/assay/render/snapshot"
	"github.com/assay-register/assay/render/wire"
)

func (t *tree) summary(m *measured) wire.OKFSummary {
	site := t.c.Site
	s := wire.OKFSummary{OKFVersion: Version, Producer: producer, License: site.License, AsOf: t.stamp(), Concepts: len(t.concepts),
		Sections: []wire.OKFSection{}, Countries: len(t.countries), Institutions: len(t.institutions), Pages: len(t.pages),
		Bundle: wire.OKFBundle{Href: wire.Path(site, Root+"bundle.tar.gz"), MediaType: Gzip, Bytes: m.size, SHA256: m.sum,
			Files: len(t.concepts) + len(t.pages)},
		Formats: links(site)}
	for _, x := range sections {
		s.Sections = append(s.Sections, wire.OKFSection{Name: x.dir, Title: x.title, Concepts: t.counts[x.kind],
			Index: wire.Path(site, Root+x.dir+"/index.md")})
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
