package dcatap

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/assay-register/assay/build/harvest/source"
	"github.com/assay-register/assay/build/rdf"
	"github.com/assay-register/assay/render/catalog"
)

// dataset maps a dataset, or a series of datasets.
func (m *mapper) dataset(b *source.Builder, n *node) (*source.Rejection, error) {
	e := &b.Draft.Entry
	e.Type = catalog.TypeDataset
	b.Remark("type", "rdf:type", "dcat:Dataset", seriesNote(n))
	files, licences, err := m.files(b, n)
	if err != nil {
		return nil, err
	}
	for _, service := range m.servers[n.key] {
		b.Relate(catalog.RelationServedBy, m.host, "service", service, "")
	}
	b.Files(source.FilePaths{List: paths[propDistribution], URL: paths[propAccessURL], Format: paths[propFormat]}, files)
	series, err := m.series(n)
	if err != nil {
		return nil, err
	}
	if bad := m.pagesOf(b, n, series); bad != nil {
		return bad, nil
	}
	for _, set := range []func(*source.Builder, *node) error{m.publisher, m.agents, m.contact, m.themes, m.statements, m.spatial, m.temporal, m.frequency, m.inSeries} {
		if err := set(b, n); err != nil {
			return nil, err
		}
	}
	if e.Publisher == nil && series != nil {
		if err := m.publisher(b, series); err != nil {
			return nil, err
		}
	}
	m.keywords(b, n)
	m.dates(b, n)
	b.Line(&b.Dataset().Version, "dataset.version", paths[propVersion], n.literal(propVersion), 100)
	return nil, m.terms(b, n, licences)
}

func seriesNote(n *node) string {
	if n.is(classSeries) {
		return "a series of datasets; its members are entries of their own"
	}
	return ""
}

// series is the series that a dataset belongs to, if the document has it.
func (m *mapper) series(n *node) (*node, error) {
	for _, s := range n.all(propInSeries) {
		if found, err := m.doc.shared(s.key()); err != nil || found != nil {
			return found, err
		}
	}
	return nil, nil
}

// othersMax is how many further addresses of a kind are kept.
const othersMax = 100

// others are the further addresses that a record has in a property.
func (m *mapper) others(n *node, p prop, taken ...string) (list []string) {
	rules := source.URLRules{Base: m.doc.base, AllowPrivate: m.in.AllowPrivate}
	for _, raw := range words(n.inOrder(p)) {
		u, _, err := rules.Repair(paths[p], raw)
		if err == nil && !slices.Contains(taken, u) && !slices.Contains(list, u) && len(list) < othersMax {
			list = append(list, u)
		}
	}
	return list
}

// inSeries relates a dataset to the series that it names.
func (m *mapper) inSeries(b *source.Builder, n *node) error {
	for _, s := range n.all(propInSeries) {
		if s.kind == rdf.IRI {
			b.Relate(catalog.RelationSeries, m.host, "dataset", s.value, "")
		}
	}
	return nil
}

// pagesOf maps the landing page and the documentation, and finds the primary
// address: the landing page, else the first distribution, else the page of the
// series, else the IRI of the dataset.
func (m *mapper) pagesOf(b *source.Builder, n, series *node) *source.Rejection {
	e := &b.Draft.Entry
	details := b.Dataset()
	m.address(b, &e.DocsURL, "docs_url", n, propPage)
	if m.address(b, &details.LandingPage, "dataset.landing_page", n, propLandingPage) {
		details.OtherPages = m.others(n, propLandingPage, details.LandingPage)
		e.HomepageURL = details.LandingPage
		b.Compute("homepage_url", paths[propLandingPage], "the landing page", "")
		return m.primary(b, details.LandingPage, propLandingPage)
	}
	if file := source.WebFile(details.Distributions); file != "" {
		return m.primary(b, file, propAccessURL)
	}
	if series != nil && m.address(b, &e.HomepageURL, "homepage_url", series, propLandingPage) {
		return m.primary(b, e.HomepageURL, propInSeries)
	}
	return m.ownIRI(b, n)
}

func (m *mapper) primary(b *source.Builder, u string, from prop) *source.Rejection {
	b.Draft.Entry.PrimarySourceURL = u
	b.Compute("primary_source_url", paths[from], "the first of landing page, distribution, series, IRI", "")
	return nil
}

// ownIRI takes the IRI of a record as its address. A blank node that stands for
// one has none; it gets in if it can be known again.
func (m *mapper) ownIRI(b *source.Builder, n *node) *source.Rejection {
	if n.isIRI() && strings.HasPrefix(n.id(), "http") && !catalog.Skolem(n.id()) && b.URL(&b.Draft.Entry.PrimarySourceURL, "primary_source_url", "IRI", n.id()) {
		return nil
	}
	if catalog.Skolem(n.id()) && b.Draft.Entry.UpstreamRef != "" {
		return nil
	}
	return &source.Rejection{Code: source.CodeMissingURL, Reason: fmt.Sprintf("%q has no usable address: no landing page, no distribution", b.Draft.Entry.Name),
		Remedy: "give it a dcat:landingPage or a dcat:distribution with a dcat:accessURL"}
}

// terms sets the licence: that of the dataset, else the one that all
// distributions state.
func (m *mapper) terms(b *source.Builder, n *node, licences []string) error {
	raw, from, err := m.licence(n, b.Draft.Entry.NativeLang)
	if err != nil {
		return err
	}
	b.Draft.LicenceNames = m.namesOf(append(licences, raw)...)
	if raw != "" && (from == propLicense || len(licences) == 0) {
		b.Licence(paths[from], raw)
		return nil
	}
	switch len(licences) {
	case 0:
	case 1:
		b.Licence("dcat:distribution/dct:license", licences[0])
	default:
		b.Refuse("license_raw", "dcat:distribution/dct:license", fmt.Sprintf("the distributions state %d different licences; each keeps its own", len(licences)))
	}
	return nil
}

// temporal sets the time covered: from the beginning of the first period to the
// end of the last one.
func (m *mapper) temporal(b *source.Builder, n *node) error {
	details := b.Dataset()
	for _, s := range n.all(propTemporal) {
		raw := s.value
		if s.kind != rdf.Literal {
			period, err := m.doc.node(s.key())
			if err != nil {
				return err
			}
			if period == nil {
				continue
			}
			if raw, err = m.period(period); err != nil {
				return err
			}
			if raw == "/" {
				continue
			}
		}
		var start, end time.Time
		if !b.Period(&start, &end, "dataset.temporal_start", paths[propTemporal], raw) {
			continue
		}
		if details.TemporalStart.IsZero() || !start.IsZero() && start.Before(details.TemporalStart) {
			details.TemporalStart = start
		}
		if end.After(details.TemporalEnd) {
			details.TemporalEnd = end
		}
	}
	return nil
}
