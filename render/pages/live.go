package pages

import (
	"encoding/json"
	"html/template"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/assay-register/assay/render/score"
	"github.com/assay-register/assay/render/snapshot"
	"github.com/assay-register/assay/render/wire"
)

// Found is what the service found for a reader's question.
type Found struct {
	// Items are the entries of the page, best first.
	Items []wire.Item
	// Marked are the pieces of their descriptions that answer the question, as HTML in which
	// that is marked; "" for none.
	Marked                  []string
	Total, Page, TotalPages int
	// Instead is what the reader may have meant, "" for nothing.
	Instead string
	// Problem says why there is no answer, "" when there is one.
	Problem string
	// Facets count the values of all that was found, nil where nothing was asked for.
	Facets *snapshot.Facets
}

// Search renders the search page with the results of a question.
func (p *Pages) Search(c *snapshot.Catalog, lang string, asked url.Values, found *Found) ([]byte, error) {
	b, t := p.bookOf(c), locales()[lang]
	w := b.writer(nil, t)
	rows := make([]Row, len(found.Items))
	for i := range found.Items {
		rows[i] = b.rowOfItem(&found.Items[i])
		if i < len(found.Marked) {
			rows[i].Marked = template.HTML(found.Marked[i])
		}
		if asked.Get("series") == "" {
			rows[i].Series = b.seriesOf(found.Items[i].ID)
		}
	}
	data := map[string]any{"Query": asked.Get("q"), "Tags": strings.Join(asked["tags"], ","), "Asked": true, "Problem": found.Problem,
		"Found": t.str("search.found", "n", t.number(found.Total)), "Period": period(asked), "Sorts": sorts(t, asked)}
	counts := &b.counts
	if found.Facets != nil {
		counts = found.Facets
	}
	data["Facets"] = b.searchFacets(t, counts, asked)
	if len(rows) > 0 {
		w.rows(rows)
		data["Rows"] = template.HTML(w.b)
	}
	route := localRoute(lang, "/search")
	if list := b.choices(t, b.prefix+route, asked); len(list) > 0 {
		data["Chosen"], data["Clear"] = list, b.prefix+route+"?"+url.Values{"q": {asked.Get("q")}}.Encode()
	}
	if found.TotalPages > 1 {
		data["Turn"] = t.str("pages.of", "n", t.number(found.Page), "all", t.number(found.TotalPages))
	}
	turn := func(n int) string {
		q := url.Values{}
		for k, v := range asked {
			if k != "page" {
				q.Set(k, strings.Join(v, ","))
			}
		}
		if n > 1 {
			q.Set("page", strconv.Itoa(n))
		}
		return b.prefix + route + "?" + q.Encode()
	}
	if found.Page > 1 {
		data["Prev"] = turn(found.Page - 1)
	}
	if found.Page < found.TotalPages {
		data["Next"] = turn(found.Page + 1)
	}
	if found.Instead != "" {
		data["Instead"] = struct{ Route, Text string }{b.prefix + route + "?" + url.Values{"q": {found.Instead}}.Encode(), found.Instead}
	}
	title := t.str("search.title")
	if q := asked.Get("q"); q != "" {
		title = q + " · " + title
	}
	return b.templated(&Head{Lang: lang, Section: "search", Title: title, Description: t.str("search.description"), Route: "/search", Translated: true, Hidden: true,
		Scripts: []string{"search.js"}}, "search.html", data)
}

// period are the ends of the period that a reader asked for.
func period(asked url.Values) map[string]string {
	return map[string]string{"period_start": asked.Get("period_start"), "period_end": asked.Get("period_end")}
}

// rowOfItem is a list item as a row.
func (b *snapshotView) rowOfItem(i *wire.Item) Row {
	r := Row{Slug: i.Slug, Name: i.Name, NameEn: value(i.NameEn), Lang: value(i.NativeLang), Type: i.Type, State: i.VerificationState, Country: value(i.CountryCode),
		Access: i.FreeAccessClass, Formats: i.Formats, MQA: score.Tenths(i.MQAScore*10 + 0.5), Tier: i.MQATier, About: value(i.Description), AboutLang: value(i.NativeLang)}
	r.Qualifier = value(i.TitleQualifier)
	if i.AccessRights != nil {
		r.Rights = *i.AccessRights
	}
	if en := value(i.DescriptionEn); en != "" {
		r.About, r.AboutLang = en, "en"
	}
	if inst := b.c.Institutions[value(i.InstitutionID)]; inst != nil {
		r.Institution = institutionName(inst)
	}
	if at, err := time.Parse(time.RFC3339, value(i.LastVerifiedAt)); err == nil {
		r.Checked = at
	}
	return r
}

func value(s *string) string {
	if s == nil {
		return ""
	}
	return *s
}

// compared is one entry of a comparison, and matrix the whole.
type (
	compared struct{ Name, Route, Lang string }
	matrix   struct {
		Summary, CSV, SafeCSV string
		Entries               []compared
		Rows                  []matrixRow
	}
	matrixRow struct {
		Field, Meaning string
		Differs        bool
		Values         []string
	}
)

// compareHidden are fields that differ between any two entries and tell a
// reader nothing.
var compareHidden = []string{"id", "slug", "search_vector", "identity_key", "upstream_ref"}

// Compare renders the comparison of the entries that a reader named; m is nil
// when there is none, and problem says why.
func (p *Pages) Compare(c *snapshot.Catalog, lang, ids string, m *wire.ComparisonMatrix, problem string) ([]byte, error) {
	b, t := p.bookOf(c), locales()[lang]
	data := map[string]any{"IDs": ids, "Problem": problem}
	if m != nil {
		data["NotFound"] = m.NotFound
		if len(m.Entries) > 0 {
			data["Matrix"] = b.matrix(t, ids, m)
		}
	}
	return b.templated(&Head{Lang: lang, Section: "compare", Title: t.str("compare.title"), Description: t.str("compare.description"), Route: "/compare",
		Translated: true, Hidden: true, Scripts: []string{"compare.js"}}, "compare.html", data)
}

func (b *snapshotView) matrix(t *locale, ids string, m *wire.ComparisonMatrix) *matrix {
	asked, route := url.Values{"ids": {ids}, "format": {"csv"}}, b.prefix+"/api/v1/entries/compare/matrix?"
	out := &matrix{CSV: route + asked.Encode()}
	asked.Set(wire.Safe, "1")
	out.SafeCSV = route + asked.Encode()
	for i := range m.Entries {
		e := &m.Entries[i]
		x := compared{Name: clip(e.Name, 90), Route: b.prefix + "/entry/" + e.Slug}
		if o := b.c.ByID(e.ID); o >= 0 {
			x.Lang = b.c.Lines[o].Lang
		}
		out.Entries = append(out.Entries, x)
	}
	differing := 0
	for i := range m.Rows {
		r := &m.Rows[i]
		if slices.Contains(compareHidden, r.Field) || allNull(r.Values) {
			continue
		}
		row := matrixRow{Field: r.Field, Meaning: r.Meaning, Differs: r.Differs}
		for _, v := range r.Values {
			row.Values = append(row.Values, clip(cellText(v), 240))
		}
		if r.Differs {
			differing++
		}
		out.Rows = append(out.Rows, row)
	}
	out.Summary = t.str("compare.summary", "n", t.number(differing), "all", t.number(len(out.Rows)))
	return out
}

func allNull(values []any) bool {
	return !slices.ContainsFunc(values, func(v any) bool { return cellText(v) != "" })
}

// cellText is a JSON value as a reader wants it.
func cellText(v any) string {
	switch x := v.(type) {
	case nil:
		return ""
	case string:
		return x
	case bool:
		return strconv.FormatBool(x)
	case float64:
		return formatFloat(x, -1)
	case []any:
		parts := make([]string, len(x))
		for i := range x {
			parts[i] = cellText(x[i])
		}
		return strings.Join(parts, ", ")
	}
	b, err := json.Marshal(v)
	if err != nil {
		return ""
	}
	return string(b)
}

// Local is the route of a translated page in a language.
func Local(lang, route string) string { return localRoute(lang, route) }
