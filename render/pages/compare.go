package pages

import (
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/a-h/templ"

	"github.com/assay-register/assay/render/catalog"
	"github.com/assay-register/assay/render/snapshot"
	"github.com/assay-register/assay/render/wire"
	"github.com/assay-register/assay/templates"
)

// compareHidden are fields that differ between any two entries and tell a
// reader nothing.
var compareHidden = []string{"id", "slug", "name", "name_en", "search_vector", "identity_key", "upstream_ref", "institution_id", "institution_name"}

// compareGroups are the fields that readers compare by, the ones that decide first: the
// strings of the groups and of the fields, and how a value is written.
var compareGroups = []struct {
	key  string
	rows []compareRow
}{
	{"compare.group.use", []compareRow{
		{"free_access_class", "facet.access", words("access")}, {"access_rights", "facet.rights", words("rights")}, {"auth_type", "compare.auth", words("auth")},
		{"license_id", "facet.licence", (*snapshotView).licenceText}, {"license_open", "right.open", answer}, {"commercial_use", "right.commercial", answer},
		{"attribution_required", "right.attribution", answer}, {"share_alike", "right.share_alike", answer}, {"formats", "facet.format", (*snapshotView).formatsText},
	}},
	{"compare.group.trust", []compareRow{
		{"verification_state", "verdict.state", words("state")}, {"last_verified_at", "checked", dayText}, {"p50_latency_ms", "check.latency", milliseconds},
		{"official_confidence", "axis.officialness", ofHundred}, {"mqa_score", "verdict.quality", ofHundred}, {"maturity", "verdict.maturity", words("maturity")},
		{"trust_score", "score.trust", ofHundred}, {"ranking_score", "score.ranking", ofHundred},
	}},
	{"compare.group.what", []compareRow{
		{"type", "facet.type", words("type")}, {"institution_id", "facet.institution", (*snapshotView).bodyText}, {"country_code", "facet.country", (*snapshotView).countryText},
		{"geographic_scope", "rail.scope", words("scope")}, {"native_lang", "facet.language", (*snapshotView).languageText}, {"tags", "facet.tag", nil},
		{"published_at", "change.published", dayText}, {"description", "compare.description_own", nil},
	}},
}

// compareRow is a field with its string and how its values are written, nil as they are.
type compareRow struct {
	field, key string
	write      func(b *snapshotView, t *locale, v any) string
}

// words writes a value of a closed vocabulary.
func words(family string) func(*snapshotView, *locale, any) string {
	return func(_ *snapshotView, t *locale, v any) string { return t.word(family, cellText(v)) }
}

func answer(_ *snapshotView, t *locale, v any) string {
	if text := cellText(v); text != "" {
		return t.str(text)
	}
	return t.str("unknown")
}

func dayText(_ *snapshotView, t *locale, v any) string {
	at, err := time.Parse(time.RFC3339, cellText(v))
	if err != nil {
		return ""
	}
	return t.Day(at)
}

func milliseconds(_ *snapshotView, t *locale, v any) string {
	if n, ok := v.(float64); ok {
		return t.number(int(n)) + "\u00a0ms"
	}
	return ""
}

func ofHundred(_ *snapshotView, t *locale, v any) string {
	if n, ok := v.(float64); ok {
		return t.str("figure.of_100", "n", strings.TrimSuffix(t.decimal(n, 1), t.plain["decimal"]+"0"))
	}
	return ""
}

func (b *snapshotView) licenceText(t *locale, v any) string {
	return b.outsideName(t, "license", cellText(v))
}

func (b *snapshotView) bodyText(t *locale, v any) string {
	return b.outsideName(t, "institution_id", cellText(v))
}

func (b *snapshotView) countryText(t *locale, v any) string { return t.country(cellText(v)) }

func (b *snapshotView) languageText(t *locale, v any) string { return t.languageOf(cellText(v)) }

func (b *snapshotView) formatsText(_ *locale, v any) string {
	list, _ := v.([]any)
	names := make([]string, len(list))
	for i := range list {
		names[i] = formatName(cellText(list[i]))
	}
	return strings.Join(names, ", ")
}

// Compare renders the comparison of the entries that a reader named; m is nil
// when there is none, and problem says why.
func (p *Pages) Compare(c *snapshot.Catalog, lang, ids string, m *wire.ComparisonMatrix, problem string) ([]byte, error) {
	b, t := p.bookOf(c), locales()[lang]
	page := templates.Comparison{IDs: ids, Problem: problem}
	if m != nil {
		page.Missing = strings.Join(m.NotFound, ", ")
		if len(m.Entries) > 0 {
			b.compare(t, ids, m, &page)
		}
	}
	return b.component(&Head{Lang: lang, Section: "compare", Title: t.str("compare.title"), Description: t.str("compare.description"), Route: "/compare",
		Translated: true, Hidden: true, Scripts: []string{"compare.js"}}, page.Page(b.sites[lang]))
}

// emptyCompare is the page of comparisons before anything is asked for.
func emptyCompare(b *snapshotView, t *locale) (templ.Component, error) {
	return new(templates.Comparison).Page(b.sites[t.code]), nil
}

// compare fills the page with what was compared.
func (b *snapshotView) compare(t *locale, ids string, m *wire.ComparisonMatrix, page *templates.Comparison) {
	asked, route := url.Values{"ids": {ids}, "format": {"csv"}}, "/api/v1/entries/compare/matrix?"
	page.CSV = route + asked.Encode()
	asked.Set(wire.Safe, "1")
	page.SafeCSV = route + asked.Encode()
	for i := range m.Entries {
		page.Entries = append(page.Entries, b.compared(t, m, i))
	}
	b.tellApart(t, m, page.Entries)
	fields := map[string]*wire.MatrixRow{}
	for i := range m.Rows {
		fields[m.Rows[i].Field] = &m.Rows[i]
	}
	knownAccess(fields)
	differing, all := 0, 0
	for _, g := range compareGroups {
		out := templates.Compares{Heading: t.T(g.key)}
		for _, x := range g.rows {
			r := fields[x.field]
			if r == nil || allNull(r.Values) {
				continue
			}
			out.Rows = append(out.Rows, b.comparing(t, &x, r))
			if all++; r.Differs {
				differing++
			}
		}
		if len(out.Rows) > 0 {
			page.Groups = append(page.Groups, out)
		}
	}
	page.Rest = b.compareRest(t, m)
	page.Summary = strings.ReplaceAll(t.counted("compare.summary", differing), "{all}", t.number(all))
}

// tellApart names the publisher or the place of entries that are called the same in the reader's language.
func (b *snapshotView) tellApart(t *locale, m *wire.ComparisonMatrix, list []templates.Compared) {
	times := map[string]int{}
	for i := range list {
		times[list[i].Name]++
	}
	for i := range list {
		o := b.c.ByID(m.Entries[i].ID)
		if times[list[i].Name] < 2 || list[i].Qualifier != "" || o < 0 {
			continue
		}
		l := &b.c.Lines[o]
		if body := b.c.Institutions[l.InstitutionID]; body != nil {
			list[i].Qualifier = clip(t.body(body), 60)
		} else if catalog.CountryShape(l.Country) {
			list[i].Qualifier = t.country(l.Country)
		}
	}
}

// knownAccess says of an entry of which nobody knows how one gets in who may, as its page does.
func knownAccess(fields map[string]*wire.MatrixRow) {
	access, rights := fields["free_access_class"], fields["access_rights"]
	if access == nil || rights == nil {
		return
	}
	told := *access
	told.Values = slices.Clone(access.Values)
	for i, v := range told.Values {
		if stated := cellText(rights.Values[i]); stated != "" {
			class := catalog.FreeAccessClass(cellText(v))
			told.Values[i] = strings.TrimPrefix(accessKey(class, catalog.AccessRights(stated)), "access.")
		}
	}
	fields["free_access_class"] = &told
}

// compared is entry i of a comparison.
func (b *snapshotView) compared(t *locale, m *wire.ComparisonMatrix, i int) templates.Compared {
	e := &m.Entries[i]
	x := templates.Compared{Name: e.Name, Route: "/entry/" + e.Slug}
	if o := b.c.ByID(e.ID); o >= 0 {
		l := &b.c.Lines[o]
		x.Name, x.Lang = l.TitleIn(t.code)
		x.Qualifier = l.Qualifier
	}
	var rest []string
	for k := range m.Entries {
		if k != i {
			rest = append(rest, m.Entries[k].Slug)
		}
	}
	if len(rest) > 0 {
		x.Without = localRoute(t.code, "/compare") + "?" + url.Values{"ids": {strings.Join(rest, ",")}}.Encode()
	}
	return x
}

// comparing is a field in the words of the reader's language.
func (b *snapshotView) comparing(t *locale, x *compareRow, r *wire.MatrixRow) templates.Comparing {
	out := templates.Comparing{Label: t.T(x.key), Differs: r.Differs, Outside: x.write == nil}
	for _, v := range r.Values {
		text := cellText(v)
		if x.write != nil && text != "" {
			text = x.write(b, t, v)
		}
		if text == "" {
			text = "–"
		}
		out.Values = append(out.Values, clip(text, 240))
	}
	return out
}

// compareRest are the fields that no group has.
func (b *snapshotView) compareRest(t *locale, m *wire.ComparisonMatrix) templates.Compares {
	out := templates.Compares{Heading: t.T("compare.rest")}
	for i := range m.Rows {
		r := &m.Rows[i]
		if slices.Contains(compareHidden, r.Field) || grouped(r.Field) || allNull(r.Values) {
			continue
		}
		row := templates.Comparing{Label: r.Field, Meaning: r.Meaning, Differs: r.Differs, Outside: true}
		for _, v := range r.Values {
			row.Values = append(row.Values, clip(cellText(v), 240))
		}
		out.Rows = append(out.Rows, row)
	}
	return out
}

func grouped(field string) bool {
	for _, g := range compareGroups {
		if slices.ContainsFunc(g.rows, func(r compareRow) bool { return r.field == field }) {
			return true
		}
	}
	return false
}
