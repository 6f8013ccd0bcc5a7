package datajson

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/assay-register/assay/build/harvest/source"
	"github.com/assay-register/assay/render/catalog"
)

func (m *mapper) dataset(d *dataset, at where) error {
	if len(d.Distribution) == 0 && (d.AccessURL != "" || d.WebService != "") {
		d.Distribution = distributions{{AccessURL: d.AccessURL, Format: d.Format}, {AccessURL: d.WebService}}
	}
	b := m.begin(at, catalog.TypeDataset, d.Identifier, d.IRI, d.LandingPage, d.Title, d.Description, &d.translations, d.Language)
	if bad := m.refuse(b, d); bad != nil {
		return m.refused(b, bad)
	}
	if bad := m.pages(b, d); bad != nil {
		return m.refused(b, bad)
	}
	m.texts(b, d.Description, d.Keyword, &d.translations)
	b.Tags("keyword, theme", append(append([]string{}, d.Keyword...), d.Theme...)...)
	b.AccessRights("accessLevel, accessRights", string(d.AccessLevel), string(d.AccessRights))
	b.Languages("language", d.Language...)
	b.Themes("theme", d.Theme...)
	b.HVD("hvdCategory", d.HVDCategory...)
	m.publisher(b, d.Publisher, d.ContactPoint)
	b.Licence(d.licence())
	m.access(b, d)
	m.files(b, d)
	b.Dates("issued", string(d.Issued), "modified", string(d.Modified))
	m.frequency(b, d)
	m.coverage(b, d)
	m.collection(b, d)
	return m.emit(b.Done())
}

// identities are what a record may be known by. That the identifier is unique
// is asked of it (DCAT-US 1.1, "identifier") and not always so.
func identities(id identifier, iri source.Loose, page pages) []source.Identity {
	list := []source.Identity{{Basis: source.RefStated, Upstream: "identifier", ID: string(id)}, {Basis: source.RefIRI, Upstream: "@id", ID: string(iri)},
		{Basis: source.RefPage, Upstream: "landingPage", ID: page.first()}}
	if id == identifier(iri) {
		return list[1:]
	}
	return list
}

// begin starts a draft with what datasets and services have in common.
func (m *mapper) begin(at where, t catalog.EntryType, id identifier, iri source.Loose, page pages, title, description source.LooseTexts, more *translations, languages []string) *source.Builder {
	b := source.NewBuilder(m.in, at.place, at.seed, m.in.Source.URL)
	b.DefaultLang = m.in.Language()
	if at.lang != "" {
		b.DefaultLang = at.lang
	}
	// The language of a dataset is that of its data and, where it is one, of
	// its description (DCAT-US 1.1, "language").
	if len(languages) == 1 {
		if tag, ok := source.Language(languages[0]); ok {
			b.DefaultLang = tag
		}
	}
	if lang := source.ShownLanguage(source.Shown{Text: title, Translations: more.TitleMap}, source.Shown{Text: description, Translations: more.DescriptionMap}); lang != "" {
		b.DefaultLang = lang
	}
	b.Draft.Entry.Type = t
	b.Compute("type", "", "the list in which the record stands", "")
	b.Country()
	b.Identities(m.in.Host("datajson"), Kind, identities(id, iri, page)...)
	b.Names("title", append(slices.Clone(title), more.TitleMap...)...)
	return b
}

// texts sets the descriptions and keywords.
func (m *mapper) texts(b *source.Builder, description source.LooseTexts, keyword source.LooseTerms, more *translations) {
	b.Descriptions("description", append(slices.Clone(description), more.DescriptionMap...)...)
	if len(more.KeywordMap) == 0 {
		b.Terms("keyword", "", keyword...)
	}
	var terms []source.Text
	for _, lang := range slices.Sorted(maps.Keys(more.KeywordMap)) {
		for _, term := range more.KeywordMap[lang] {
			terms = append(terms, source.Text{Value: term, Lang: lang})
		}
	}
	if len(terms) > 0 {
		b.Keywords("keywordMap", terms...)
	}
}

// refused hands in a rejection with the place and reference of the record.
func (m *mapper) refused(b *source.Builder, bad *source.Rejection) error {
	b.Draft.Refused(bad)
	return m.reject(*bad)
}

// refuse says why a dataset does not become an entry.
func (m *mapper) refuse(b *source.Builder, d *dataset) *source.Rejection {
	name := b.Draft.Entry.Name
	switch level := strings.ToLower(strings.TrimSpace(string(d.AccessLevel))); {
	case name == "":
		return &source.Rejection{Code: source.CodeMissingName, Reason: "the dataset has no title", Remedy: "give the dataset a title"}
	case level == "non-public":
		return &source.Rejection{Code: source.CodePrivate, Reason: name + " has the access level non-public: nobody outside can use it",
			Remedy: "list it again when it is public"}
	case source.TestName(name):
		return &source.Rejection{Code: source.CodeTest, Reason: name + " is there to try something out", Remedy: "remove the record"}
	}
	return nil
}

// pages maps the addresses. The primary one is the landing page, else the
// identifier where that is an address, else that of the first file.
func (m *mapper) pages(b *source.Builder, d *dataset) *source.Rejection {
	e := &b.Draft.Entry
	b.URL(&b.Dataset().LandingPage, "dataset.landing_page", "landingPage", d.LandingPage.first())
	if d.DescribedBy.first() != "" {
		b.URL(&e.DocsURL, "docs_url", "describedBy", d.DescribedBy.first())
	}
	for _, list := range []struct {
		path string
		urls []string
	}{{"page", d.Page}, {"references", d.References}} {
		if e.DocsURL == "" && len(list.urls) > 0 {
			b.URL(&e.DocsURL, "docs_url", list.path, list.urls[0])
		}
	}
	if e.Dataset.LandingPage != "" {
		return primary(b, e.Dataset.LandingPage, "landingPage")
	}
	tries := []struct{ path, raw string }{{"landingPage", d.LandingPage.first()}, {"identifier", address(string(d.Identifier))}, {"@id", address(string(d.IRI))}}
	for i := range d.Distribution {
		f := &d.Distribution[i]
		tries = append(tries, struct{ path, raw string }{"distribution[].accessURL", string(f.AccessURL)},
			struct{ path, raw string }{"distribution[].downloadURL", string(f.DownloadURL)})
	}
	return m.firstUsable(b, tries, e.Name)
}

// firstUsable makes the first usable of the addresses the primary one.
func (m *mapper) firstUsable(b *source.Builder, tries []struct{ path, raw string }, name string) *source.Rejection {
	rules := source.URLRules{AllowPrivate: m.in.AllowPrivate}
	seen := ""
	for _, t := range tries {
		if strings.TrimSpace(t.raw) == "" {
			continue
		}
		if u, _, err := rules.Repair("primary_source_url", t.raw); err == nil {
			return primary(b, u, t.path)
		}
		seen = t.raw
	}
	if seen != "" {
		return &source.Rejection{Code: source.CodeBadURL, Reason: fmt.Sprintf("no address of %s can be used, such as %q", name, cut(seen)),
			Remedy: "give a landingPage on the public internet"}
	}
	return &source.Rejection{Code: source.CodeMissingURL, Reason: name + " has neither a landing page nor a distribution with an address",
		Remedy: "give a landingPage or a distribution"}
}

func primary(b *source.Builder, u, path string) *source.Rejection {
	b.Draft.Entry.PrimarySourceURL = u
	b.Compute("primary_source_url", path, "the first of landing page, identifier and files that is an address", "")
	return nil
}

// address is an identifier that is a web address, else "".
func address(id string) string {
	if strings.HasPrefix(id, "http://") || strings.HasPrefix(id, "https://") {
		return id
	}
	return ""
}

func cut(s string) string {
	s, _ = source.Line(s)
	s, _ = source.Cut(s, 80)
	return s
}

func (m *mapper) publisher(b *source.Builder, who agent, points contacts) {
	name := string(who.Name)
	if name == "" {
		name = string(who.PrefLabel)
	}
	b.Publisher("publisher.name", name, string(who.HomePage))
	for i := range points {
		c := &points[i]
		if b.Draft.Entry.Contact == nil {
			b.ContactOf("contactPoint.hasEmail", string(c.Name), string(c.URL), append(c.Mail, string(c.MailB))...)
		}
	}
	if b.Draft.Entry.Contact == nil && who.MailBox != "" {
		b.ContactOf("publisher.mbox", "", "", string(who.MailBox))
	}
}

// access notes a restriction of access. The publisher says who may use the
// data, not how; so the access class stays unknown.
func (m *mapper) access(b *source.Builder, d *dataset) {
	switch level := strings.ToLower(strings.TrimSpace(string(d.AccessLevel))); level {
	case "", "public":
	default:
		rights, _ := source.Line(string(d.Rights))
		b.Remark("free_access_class", "accessLevel", "", strings.TrimSuffix("the publisher states the access level "+cut(level)+": "+rights, ": "))
	}
}

func (m *mapper) files(b *source.Builder, d *dataset) {
	files := make([]source.File, 0, len(d.Distribution))
	for i := range d.Distribution {
		f := &d.Distribution[i]
		title := ""
		if len(f.Title) > 0 {
			title = f.Title[0].Value
		}
		files = append(files, source.File{Title: title, AccessURL: string(f.AccessURL), DownloadURL: string(f.DownloadURL),
			Formats: []string{string(f.Format)}, MediaType: string(f.MediaType), Licence: string(f.License),
			Modified: string(f.Modified), Size: int64(f.ByteSize)})
	}
	b.Files(source.FilePaths{List: "distribution[]", URL: "distribution[].accessURL", Format: "distribution[].format"}, files)
}

// frequency sets how often the data changes, which data that is updated continually states in place of a date
// (DCAT-US 1.1, "modified").
func (m *mapper) frequency(b *source.Builder, d *dataset) {
	if d.Periodicity == "" && source.Interval(string(d.Modified)) {
		b.Frequency("modified", string(d.Modified))
		return
	}
	b.Frequency("accrualPeriodicity", string(d.Periodicity))
}

func (m *mapper) coverage(b *source.Builder, d *dataset) {
	b.Spatial("spatial", d.Spatial...)
	details := b.Dataset()
	for _, p := range d.Temporal {
		if b.Period(&details.TemporalStart, &details.TemporalEnd, "dataset.temporal", "temporal", p) {
			break
		}
	}
	if v, _ := source.Line(string(d.Version)); v != "" && len(v) <= 100 {
		details.Version = v
		b.Remark("dataset.version", "version", "", "")
	}
}

// collection relates a dataset to the one of which it states to be a part, by
// its identifier (DCAT-US 1.1, "isPartOf").
func (m *mapper) collection(b *source.Builder, d *dataset) {
	if d.IsPartOf == "" {
		return
	}
	b.Relate(catalog.RelationSeries, m.in.Host("datajson"), Kind, string(d.IsPartOf), "")
	b.Remark("relations", "isPartOf", "", "")
}
