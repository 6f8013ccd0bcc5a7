package okf

import (
	"bytes"
	"strconv"
	"strings"
	"time"

	"github.com/assay-register/assay/render/catalog"
	"github.com/assay-register/assay/render/score"
	"github.com/assay-register/assay/render/snapshot"
)

// producer names this renderer in generated.by, in the actor convention of OKF
// v0.2. It changes with the format, not with the program.
const producer = "assay/okf-1"

// concept writes the document of an entry.
func concept(s *snapshot.Scored) []byte {
	d := doc{s: s, e: s.Entry()}
	d.intro()
	d.use()
	d.schema()
	d.examples()
	d.licence()
	d.verdicts()
	d.ties()
	d.citations()
	return []byte(frontmatter(s, d.sources) + d.b.String())
}

// frontmatter writes the keys of OKF first and ours after them.
func frontmatter(s *snapshot.Scored, sources []source) string {
	e, m := s.Entry(), &matter{}
	changed := sourceChanged(s)
	stamp := changed.Format(time.RFC3339)
	m.plain("type", kindOf(e.Type))
	m.text("title", title(e))
	m.text("description", summaryOf(s))
	m.plain("resource", resourceOf(e))
	m.list("tags", e.Tags)
	m.text("timestamp", stamp)
	m.plain("generated", "{by: "+quote(producer)+", at: "+quote(stamp)+"}")
	m.plain("status", map[bool]string{true: "deprecated", false: "stable"}[e.Status == catalog.StatusDeprecated])
	m.text("id", e.ID)
	m.text("title_en", oneLine(e.NameEn))
	m.text("lang", e.NativeLang)
	m.text("country_code", e.CountryCode)
	m.text("publisher", publisher(s))
	m.text("institution_id", e.InstitutionID)
	m.text("license", e.LicenseID)
	if s.Licence != nil {
		m.text("license_url", s.Licence.URL)
	}
	m.list("formats", e.Formats)
	m.text("auth_type", string(e.AuthType))
	m.text("free_access_class", string(e.FreeAccessClass))
	m.text("access_level", string(s.Result.Access.Level))
	verdictKeys(m, s, changed)
	m.plain("live", `"`+liveURL(e)+`"`)
	m.b.WriteString("sources:\n")
	for _, src := range sources {
		m.b.WriteString("  - {resource: " + src.quoted() + ", title: " + quote(src.title) + "}\n")
	}
	return m.block()
}

// verdictKeys writes the verdicts as of the last source change.
func verdictKeys(m *matter, s *snapshot.Scored, changed time.Time) {
	v := verdictOf(s, changed)
	if s.Result.Confidence != nil {
		m.plain("official_confidence", strconv.Itoa(*s.Result.Confidence))
	}
	m.text("officialness_basis", string(s.Result.Basis))
	m.plain("mqa_score", v.mqa.String())
	m.text("mqa_tier", string(score.TierOf(v.mqa)))
	m.plain("trust_score", v.trust.String())
	m.text("verdicts_as_of", v.day)
}

// resourceOf is the URI of the asset, as YAML: its primary source, else its
// home page, else its entry here.
func resourceOf(e *catalog.Entry) string {
	for _, u := range []string{e.PrimarySourceURL, e.HomepageURL} {
		if isWeb(u) {
			return quote(target(u))
		}
	}
	return `"` + liveURL(e) + `"`
}

// base stands for the address of the register in a piece, as a snapshot's site
// is not known when an entry is rendered alone. clean lets no text have it.
const base = "\x00"

// located puts the address of the register into a rendered concept.
func located(body []byte, site snapshot.Site) []byte {
	return bytes.ReplaceAll(body, []byte(base), []byte(target(site.BaseURL)))
}

// liveURL is where the register's present answer about the entry is.
func liveURL(e *catalog.Entry) string { return base + "/api/v1/entries/" + e.ID }

// source is one citation; own marks an address of the register.
type source struct {
	title, url string
	own        bool
}

func (s source) quoted() string {
	if s.own {
		return `"` + s.url + `"`
	}
	return quote(target(s.url))
}

func (s source) link() string {
	if s.own {
		return "[" + inline(s.title) + "](" + s.url + ")"
	}
	return link(s.title, s.url)
}

// doc is the body of a concept being written.
type doc struct {
	s       *snapshot.Scored
	e       *catalog.Entry
	b       strings.Builder
	sources []source
}

func (d *doc) line(parts ...string) {
	for _, p := range parts {
		d.b.WriteString(p)
	}
	d.b.WriteByte('\n')
}

func (d *doc) heading(text string) { d.line("\n# ", text, "\n") }

// cite numbers a source; the same address is one citation.
func (d *doc) cite(name, address string) {
	if !isWeb(address) {
		return
	}
	for _, s := range d.sources {
		if s.url == address {
			return
		}
	}
	d.sources = append(d.sources, source{title: oneLine(name), url: address})
}
