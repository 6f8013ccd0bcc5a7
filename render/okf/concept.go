package okf

import (
	"bytes"
	"cmp"
	"strconv"
	"time"

	"github.com/assay-register/assay/render/artifact"
	"github.com/assay-register/assay/render/catalog"
	"github.com/assay-register/assay/render/score"
	"github.com/assay-register/assay/render/snapshot"
)

// producer names this renderer in generated.by, in the actor convention of OKF
// v0.2. It changes with the format, not with the program.
const producer = "assay/okf-1"

// conceptRoom is room for most concepts, in bytes.
const conceptRoom = 8 << 10

// doc is a concept being written.
type doc struct {
	markdown
	s       *snapshot.Scored
	e       *catalog.Entry
	facts   *facts
	changed time.Time
	verdict verdict
	sources []source
}

// concept writes the document of an entry, whose facts are known.
func concept(s *snapshot.Scored, f *facts) []byte {
	changed := sourceChanged(s)
	d := doc{markdown: artifact.Buffer(conceptRoom), s: s, e: s.Entry(), facts: f, changed: changed, verdict: verdictOf(s, changed),
		sources: make([]source, 0, sourcesMost)}
	d.cited()
	d.frontmatter()
	d.intro()
	d.use()
	d.schema()
	d.examples()
	d.licence()
	d.verdicts()
	d.ties()
	d.citations()
	return d.markdown
}

// frontmatter writes the keys of OKF first and ours after them.
func (d *doc) frontmatter() {
	s, e := d.s, d.e
	stamp := d.changed.Format(time.RFC3339)
	d.raw("---\n")
	d.plain("type", kindOf(e.Type))
	d.text("title", d.facts.Title)
	d.text("description", d.facts.Description)
	d.resource()
	d.list("tags", e.Tags)
	d.text("timestamp", stamp)
	d.raw("generated: {by: ").quote(producer).raw(", at: ").quote(stamp).raw("}\n")
	d.plain("status", status(e))
	d.text("id", e.ID)
	d.text("title_en", oneLine(e.NameEn))
	d.text("lang", e.NativeLang)
	_, lang := summaryOf(s)
	d.other("description_lang", lang)
	d.texts("titles", e.Titles)
	d.texts("descriptions", e.Descriptions)
	d.text("country_code", e.CountryCode)
	name, lang := publisher(s)
	d.text("publisher", name)
	d.other("publisher_lang", lang)
	d.text("institution_id", e.InstitutionID)
	d.text("license", e.LicenseID)
	if s.Licence != nil {
		d.text("license_url", s.Licence.URL)
	}
	d.list("formats", e.Formats)
	d.text("auth_type", string(e.AuthType))
	d.text("access_rights", string(e.AccessRights))
	d.text("free_access_class", string(e.FreeAccessClass))
	d.text("access_level", string(s.Result.Access.Level))
	d.verdictKeys()
	d.raw(`live: "`).live(e.ID).raw("\"\nsources:\n")
	for i := range d.sources {
		d.raw(`  - {resource: "`).address(&d.sources[i]).raw(`", title: `).quote(d.sources[i].title).raw("}\n")
	}
	d.raw("---\n")
}

// other writes the language of a text that is not that of the title.
func (d *doc) other(key, lang string) {
	if lang != d.e.NativeLang {
		d.text(key, lang)
	}
}

func status(e *catalog.Entry) string {
	if e.Status == catalog.StatusDeprecated {
		return "deprecated"
	}
	return "stable"
}

// verdictKeys writes the verdicts as of the last source change.
func (d *doc) verdictKeys() {
	r, v := &d.s.Result, &d.verdict
	if r.Confidence != nil {
		d.plain("official_confidence", strconv.Itoa(*r.Confidence))
	}
	d.text("officialness_basis", string(r.Basis))
	d.plain("mqa_score", v.mqa.String())
	d.text("mqa_tier", string(score.TierOf(v.mqa)))
	d.plain("trust_score", v.trust.String())
	d.text("verdicts_as_of", v.day)
}

// resource writes the URI of the asset: its primary source, else its home
// page, else its entry here.
func (d *doc) resource() {
	d.raw(`resource: "`)
	switch e := d.e; {
	case isWeb(e.PrimarySourceURL):
		d.target(e.PrimarySourceURL)
	case isWeb(e.HomepageURL):
		d.target(e.HomepageURL)
	default:
		d.live(e.ID)
	}
	d.raw("\"\n")
}

// base stands for the address of the register in a fragment, as a snapshot's site
// is not known when an entry is rendered alone. clean lets no text have it.
const base = "\x00"

// located writes the rendered concept of the entry at an ordinal with the address of
// the register in it, and the series that the entry turned out to be in.
func (m *markdown) located(body []byte, c *snapshot.Catalog, ordinal int) *markdown {
	s := c.SeriesOf(ordinal)
	if i := bytes.LastIndex(body, citations); s != nil && i >= 0 {
		m.addressed(body[:i], c.Site).raw("\n# Series\n\n* [").inline(s.Title).raw("](").target(c.Site.BaseURL).raw("/series/").target(s.ID).raw(")\n")
		body = body[i:]
	}
	return m.addressed(body, c.Site)
}

// citations begins the last section of a concept.
var citations = []byte("\n# Citations\n")

func (m *markdown) addressed(body []byte, site snapshot.Site) *markdown {
	for {
		i := bytes.IndexByte(body, base[0])
		if i < 0 {
			*m = append(*m, body...)
			return m
		}
		*m = append(*m, body[:i]...)
		m.target(site.BaseURL)
		body = body[i+len(base):]
	}
}

// live writes where the register's present answer about an entry is.
func (m *markdown) live(id string) *markdown {
	return m.raw(base, "/api/v1/entries/").target(id)
}

// source is one citation: an address of the web, or a page of the entry in the
// register.
type source struct {
	title, url  string
	entry, page string
}

// address writes where a source is.
func (m *markdown) address(s *source) *markdown {
	if s.entry != "" {
		return m.live(s.entry).raw(s.page)
	}
	return m.target(s.url)
}

// sourcesMost is room for the sources of most concepts.
const sourcesMost = 8

// cited collects what the concept was made from.
func (d *doc) cited() {
	e := d.e
	if a := e.API; a != nil {
		d.cite("OpenAPI description", a.OpenAPIURL)
	}
	d.cite("Primary source", e.PrimarySourceURL)
	d.cite("Documentation", e.DocsURL)
	d.cite("Home page", e.HomepageURL)
	if src := d.s.Source; src != nil {
		d.cite(cmp.Or(src.Title, "Catalogue"), cmp.Or(e.SourceSeedURL, src.URL))
	}
	if l := d.s.Licence; l != nil {
		d.cite("Licence: "+cmp.Or(l.Title, l.ID), l.URL)
	}
	d.sources = append(d.sources, source{title: "Entry in the register", entry: e.ID},
		source{title: "Origin of each field", entry: e.ID, page: "/provenance"})
}

// cite adds a source; the same address is one citation.
func (d *doc) cite(name, address string) {
	if !isWeb(address) {
		return
	}
	for i := range d.sources {
		if d.sources[i].url == address {
			return
		}
	}
	d.sources = append(d.sources, source{title: oneLine(name), url: address})
}

func (d *doc) heading(text string) { d.raw("\n# ", text, "\n\n") }
