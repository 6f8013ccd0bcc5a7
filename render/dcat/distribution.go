package dcat

import (
	"cmp"
	"strconv"

	"github.com/assay-register/assay/render/catalog"
	"github.com/assay-register/assay/render/snapshot"
)

// distributions adds the files and access points of a dataset, each address
// once. A dataset without any is reached by its page.
func (g *graph) distributions(n *node, s *snapshot.Scored, d *catalog.DatasetDetails) {
	e := s.Entry()
	if len(d.Distributions) == 1 && d.Distributions[0].Format == "" && len(e.Formats) == 1 {
		// One file and one format: they belong together.
		only := d.Distributions[0]
		only.Format = e.Formats[0]
		g.distribution(n, s, &only)
	} else {
		for i := range d.Distributions {
			g.distribution(n, s, &d.Distributions[i])
		}
	}
	if n.has(dcatDistribution) {
		return
	}
	for _, page := range [...]string{d.LandingPage, e.HomepageURL, e.PrimarySourceURL} {
		if webURL(page) != "" {
			g.distribution(n, s, &catalog.Distribution{AccessURL: page})
			return
		}
	}
}

// distribution adds one dcat:Distribution (DCAT-AP 3.0.1, Distribution).
func (g *graph) distribution(n *node, s *snapshot.Scored, d *catalog.Distribution) {
	e := s.Entry()
	download := link(d.DownloadURL)
	access := link(d.AccessURL)
	if access == "" {
		access = download
	}
	if access == "" {
		return
	}
	kind, address := "access", access
	if download != "" {
		kind, address = "download", download
	}
	name := "dist-" + digest(kind, string(address))
	id := partIRI(e.ID, name)
	if g.find(id) != nil {
		return
	}
	n.link(dcatDistribution, id)
	g.ref(refDistribution, name+" "+string(access))
	x := g.node(id, classDist)
	x.add(dctTitle, distTitle(d))
	x.add(dctDescription, plain(cleanText(d.Description)))
	for _, lang := range d.Languages {
		g.code(x, dctLanguage, listLanguage, codes().language(lang))
	}
	x.link(dcatAccessURL, access)
	x.link(dcatDownloadURL, download)
	g.formatOf(x, d)
	g.size(x, s, d)
	x.add(dctModified, dated(d.ModifiedAt))
	g.reuse(x, e.ID, cmp.Or(d.LicenseID, e.LicenseID), cmp.Or(d.LicenseRaw, e.LicenseRaw), s.Licence)
	if e.Status == catalog.StatusDeprecated {
		g.code(x, admsStatus, listDistStatus, "DEPRECATED")
	}
}

// distTitle is the publisher's title, in no known language, else what a reader
// can do with the file.
func distTitle(d *catalog.Distribution) object {
	if t := plain(d.Title); t.value != "" {
		return t
	}
	verb := "Open"
	if d.DownloadURL != "" {
		verb = "Download"
	}
	if d.Format != "" {
		return tagged(verb+" "+d.Format, "en")
	}
	return tagged(verb, "en")
}

// formatOf adds the file type and the media type, both from their lists or not
// at all.
func (g *graph) formatOf(x *node, d *catalog.Distribution) {
	t := codes()
	name := t.fileType(d.Format)
	if name == "" {
		name = t.fileType(d.MediaType)
	}
	g.code(x, dctFormat, listFileType, name)
	g.code(x, dcatMediaType, listMediaType, MediaType(d.Format, d.MediaType))
}

// size is what was measured on this very file, else what the publisher says.
func (g *graph) size(x *node, s *snapshot.Scored, d *catalog.Distribution) {
	bytes := d.ByteSize
	if p := s.Row.Profile; p != nil && p.DataSizeBytes != nil && p.Source != "" && (p.Source == d.DownloadURL || p.Source == d.AccessURL) {
		bytes = *p.DataSizeBytes
	}
	if bytes > 0 {
		x.add(dcatByteSize, typed(strconv.FormatInt(bytes, 10), xsdNonNeg))
	}
}
