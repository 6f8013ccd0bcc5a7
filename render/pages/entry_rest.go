package pages

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"github.com/assay-register/assay/render/catalog"
	"github.com/assay-register/assay/render/chart"
	"github.com/assay-register/assay/templates/entry"
	"github.com/assay-register/assay/templates/figures"
)

// changes are the dated events in the life of an entry, newest first.
func (v *view) changes() []entry.Change {
	var list []entry.Change
	add := func(at time.Time, key, text string) {
		if !at.IsZero() {
			list = append(list, entry.Change{At: at, Key: key, Text: clip(text, 200)})
		}
	}
	e := v.e
	add(e.PublishedAt, "change.published", "")
	if !sameDay(e.CreatedAt, e.PublishedAt) {
		add(e.CreatedAt, "change.found", "")
	}
	if e.ContentChangedAt.After(e.CreatedAt) {
		add(e.ContentChangedAt, "change.content", "")
	}
	if e.Status == catalog.StatusDeprecated {
		add(e.DeprecatedAt, "change.deprecated", e.StatusReason)
	}
	for i := range v.Row.Overrides {
		o := &v.Row.Overrides[i]
		add(o.CreatedAt, "change.curated", o.Field+": "+o.Reason)
		add(o.RevokedAt, "change.revoked", o.Field)
	}
	judged := v.Judged()
	for i := 1; i < len(judged); i++ {
		if d := judged[i].MQA - judged[i-1].MQA; d >= 1 || d <= -1 {
			if at, err := time.Parse(time.DateOnly, judged[i].Day); err == nil && !at.IsZero() {
				add(at, "change.score", formatFloat(judged[i-1].MQA, 1)+" → "+formatFloat(judged[i].MQA, 1))
			}
		}
	}
	slices.SortStableFunc(list, func(a, b entry.Change) int { return b.At.Compare(a.At) })
	return list[:min(len(list), eventsShown)]
}

// scores are the quality scores of the days on which they changed, nil for fewer than two.
func (v *view) scores() *figures.Series {
	out := &figures.Series{Key: "chart.history", Name: v.e.Slug + "-quality"}
	var list []chart.Point
	for _, d := range v.Judged() {
		if n := len(list); n == 0 || list[n-1].V != d.MQA {
			list = append(list, chart.Point{At: d.Day, V: d.MQA})
			out.Points = append(out.Points, figures.Point{At: d.Day, V: d.MQA})
		}
	}
	if len(list) < 2 || v.halved >= withoutFigures {
		return nil
	}
	out.Draw = func(title string, number func(float64) string) string { return chart.Line(list, title, number) }
	return out
}

func sameDay(a, b time.Time) bool {
	return a.UTC().Truncate(24 * time.Hour).Equal(b.UTC().Truncate(24 * time.Hour))
}

// origins are where each field comes from: fields that come from one source in one way stand
// together; the days and the notes are in the JSON.
func (v *view) origins() entry.Origins {
	var o entry.Origins
	if s := v.Source; s != nil {
		o.SourceRoute, o.Source = "/source/"+s.ID, clip(cmp.Or(s.Title, s.Key, s.ID), 80)
	}
	var first []*catalog.FieldRow
	var fields [][]string
	for i := range v.Row.Provenance.Rows {
		p := &v.Row.Provenance.Rows[i]
		at := slices.IndexFunc(first, func(f *catalog.FieldRow) bool { return sameOrigin(f, p) })
		if at < 0 {
			at = len(first)
			first, fields = append(first, p), append(fields, nil)
		}
		fields[at] = append(fields[at], p.Field)
	}
	// The most frequent origin stands last, and is that of all fields not named before.
	if most := mostOf(fields); most >= 0 {
		p := first[most]
		first, fields = append(slices.Delete(first, most, most+1), p), append(slices.Delete(fields, most, most+1), nil)
	}
	shown := min(len(first), originsShown)
	if o.Left = len(first) - shown; o.Left > 0 {
		first, fields = slices.Delete(first, shown-1, len(first)-1), slices.Delete(fields, shown-1, len(fields)-1)
	}
	for i, p := range first {
		o.Trails = append(o.Trails, v.trail(p, fields[i]))
	}
	return o
}

// mostOf is which of several lists is the longest, -1 for a single one.
func mostOf(lists [][]string) int {
	most := -1
	if len(lists) > 1 {
		for i := range lists {
			if most < 0 || len(lists[i]) > len(lists[most]) {
				most = i
			}
		}
	}
	return most
}

// sameOrigin tells that two fields come from one source in one way.
func sameOrigin(a, b *catalog.FieldRow) bool {
	return a.Basis == b.Basis && a.SourceID == b.SourceID && a.SourceURL == b.SourceURL
}

func (v *view) trail(p *catalog.FieldRow, fields []string) entry.Trail {
	source := cmp.Or(p.SourceID, p.SourceURL)
	if v.Source != nil && p.SourceID == v.Source.ID {
		source = ""
		if linkable(p.SourceURL) && p.SourceURL != v.e.SourceSeedURL {
			source = p.SourceURL
		}
	}
	return entry.Trail{Fields: strings.Join(fields, ", "), Basis: string(p.Basis), Source: clip(source, 60), Address: p.SourceURL}
}

// cite gives the entry as text.
func (k *renderer) cite(v *view) entry.Cite {
	var by string
	if by = v.publisher(); by != "" {
		by = strings.TrimRight(by, ". ") + ". "
	}
	return entry.Cite{By: by, Title: v.title() + ". ", In: "In: " + k.site.Name + ", " + v.ChangedAt.UTC().Format(time.DateOnly) + ". " + k.absolute(entryRoute(v.e.Slug))}
}

// about are facts about the entry that stand nowhere else on the page.
func (v *view) about() entry.About {
	e := v.e
	a := entry.About{Language: e.NativeLang, Scope: string(v.Result.Scope), Section: sectionOf(e.Type)}
	if c := e.Contact; c != nil {
		a.Contact = entry.Fact{Text: cmp.Or(c.Name, c.Email), Address: c.URL}
		if a.Contact.Text == "" && linkable(c.URL) {
			a.Contact.Text = clip(c.URL, 60)
		}
	}
	if e.FreeAccessClass != catalog.AccessUnknown {
		a.Rights = string(e.AccessRights)
	}
	return a
}
