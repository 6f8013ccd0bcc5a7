package dcatap

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/assay-register/assay/build/harvest/source"
	"github.com/assay-register/assay/build/rdf"
	"github.com/assay-register/assay/render/catalog"
)

// files are the distributions of a dataset, and the different licences that
// they state.
func (m *mapper) files(b *source.Builder, n *node) (files []source.File, licences []string, err error) {
	nodes := []*node{n}
	absent := 0
	for _, s := range n.all(propDistribution) {
		d, err := m.doc.node(s.key())
		if err != nil {
			return nil, nil, err
		}
		if d == nil {
			absent++
			continue
		}
		nodes = append(nodes, d)
		f, err := m.file(d, b.Draft.Entry.NativeLang)
		if err != nil {
			return nil, nil, err
		}
		files = append(files, f)
		if n.is(classDataset) {
			m.servedBy(b, d)
		}
		if f.Licence != "" && !slices.Contains(licences, f.Licence) {
			licences = append(licences, f.Licence)
		}
	}
	if absent > 0 {
		b.Refuse("dataset.distributions", paths[propDistribution], fmt.Sprintf("%d of %d distributions are not described in the document", absent, absent+len(files)))
	}
	m.repaired(b, nodes...)
	return files, licences, nil
}

// file maps a distribution. One that only names a service is reached by it.
func (m *mapper) file(d *node, lang string) (source.File, error) {
	f := source.File{Title: pick(texts(d, propTitle, propLabel), lang), Description: pick(texts(d, propDescription), lang),
		AccessURL: value(d, propAccessURL), DownloadURL: value(d, propDownloadURL),
		Modified: d.last(propModified), Size: size(d.literal(propByteSize))}
	if f.Modified == "" {
		f.Modified = d.last(propIssued)
	}
	for _, p := range []prop{propDownloadURL, propAccessURL} {
		for _, u := range words(d.inOrder(p)) {
			if u != f.AccessURL && u != f.DownloadURL {
				f.Others = append(f.Others, u)
			}
		}
	}
	var err error
	if f.Languages, err = m.spoken(d); err != nil {
		return f, err
	}
	if f.Licence, _, err = m.licence(d, lang); err != nil {
		return f, err
	}
	for _, p := range []prop{propFormat, propMediaType} {
		for _, s := range d.all(p) {
			format, err := m.label(&s, "en", propPrefLabel, propLabel, propValue)
			if err != nil {
				return f, err
			}
			// An IRI tells more than a label that someone gave it.
			if s.kind == rdf.IRI {
				f.Formats = append(f.Formats, s.value)
			}
			f.Formats = append(f.Formats, format)
			media, err := m.label(&s, "en", propValue)
			if err != nil {
				return f, err
			}
			if media != format {
				f.Formats = append(f.Formats, media)
			}
		}
	}
	for _, format := range slices.Backward(f.Formats) {
		if media := source.MediaType(format); media != "" {
			f.MediaType = media
			break
		}
	}
	if f.AccessURL == "" && f.DownloadURL == "" {
		f.AccessURL, err = m.served(d)
	}
	return f, err
}

// served is the endpoint of the service that gives access to a distribution.
func (m *mapper) served(d *node) (string, error) {
	for _, s := range d.all(propAccessService) {
		service, err := m.doc.shared(s.key())
		if err != nil {
			return "", err
		}
		if service != nil && value(service, propEndpointURL) != "" {
			return value(service, propEndpointURL), nil
		}
	}
	return "", nil
}

// servedBy relates a dataset to the services that give access to a file of it.
func (m *mapper) servedBy(b *source.Builder, d *node) {
	for _, s := range d.all(propAccessService) {
		if s.kind == rdf.IRI {
			b.Relate(catalog.RelationServedBy, m.host, "service", s.value, "")
		}
	}
}

// value is the first IRI or literal of a property.
func value(n *node, p prop) string {
	for _, s := range n.inOrder(p) {
		if s.kind != rdf.Blank && strings.TrimSpace(s.value) != "" {
			return s.value
		}
	}
	return ""
}

// size reads a number of bytes; catalogues also write decimals (DCAT 1 had
// xsd:decimal). 0 is unknown.
func size(raw string) int64 {
	v, err := strconv.ParseFloat(strings.TrimSpace(raw), 64)
	if err != nil || v < 1 || v > 1<<53 || math.IsNaN(v) {
		return 0
	}
	return int64(v)
}
