package pages

import (
	"bytes"
	"cmp"
	"encoding/json"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/assay-register/assay/render/catalog"
)

// data shows the fields of the data and a sample in which personal values are
// masked.
func (w *writer) data(v *view) {
	p := v.Row.Profile
	members := len(v.e.Members) > 0
	if p == nil && v.e.Dataset == nil && !members {
		return
	}
	w.part("data", "data.heading")
	w.volume(v)
	if p != nil {
		w.fields(p)
		w.sample(p)
	} else if v.e.Type == catalog.TypeDataset {
		w.raw(`<p class="soft">`)
		w.t("data.no_profile")
		w.raw("</p>")
	}
	if members {
		w.members(v)
	}
	w.end()
}

func (w *writer) volume(v *view) {
	w.raw(`<dl class="kv">`)
	if p := v.Row.Profile; p != nil {
		if p.RecordCount != nil {
			w.term("data.records")
			w.int(int(*p.RecordCount))
			w.endTerm()
		}
		if p.DataSizeBytes != nil {
			w.term("files.size")
			w.text(size(*p.DataSizeBytes))
			w.endTerm()
		}
		if !p.ProfiledAt.IsZero() {
			w.term("data.profiled")
			w.time(p.ProfiledAt)
			w.endTerm()
		}
	}
	if d := v.e.Dataset; d != nil {
		if d.Frequency != "" {
			w.term("data.frequency")
			w.text(strings.ToLower(strings.ReplaceAll(d.Frequency, "_", " ")))
			w.endTerm()
		}
		if !d.TemporalStart.IsZero() || !d.TemporalEnd.IsZero() {
			w.term("data.period")
			w.dayOr(d.TemporalStart)
			w.raw(" – ")
			w.dayOr(d.TemporalEnd)
			w.endTerm()
		}
		if len(d.Spatial) > 0 {
			w.term("data.area")
			w.outside(clip(strings.Join(d.Spatial, ", "), 200))
			w.endTerm()
		}
	}
	if !v.e.SourceModifiedAt.IsZero() {
		w.term("data.modified")
		w.day(v.e.SourceModifiedAt)
		w.endTerm()
	}
	w.raw("</dl>")
}

func (w *writer) dayOr(t time.Time) {
	if t.IsZero() {
		w.raw("…")
		return
	}
	w.day(t)
}

func (w *writer) fields(p *catalog.Profile) {
	if len(p.Fields) == 0 {
		return
	}
	w.table("data.fields", "data.field", "data.type", "data.about", "data.concept")
	for i := range p.Fields[:min(len(p.Fields), fieldsShown)] {
		f := &p.Fields[i]
		w.raw(`<tr><th scope="row" class="mono" translate="no">`)
		w.text(clip(f.Name, 80))
		w.raw("</th><td>")
		w.text(f.Type)
		w.raw(`</td><td dir="auto" translate="no">`)
		w.text(clip(cmp.Or(f.DescriptionEn, f.Description, f.Label), 200))
		w.raw("</td><td>")
		if f.Concept != "" {
			w.outside(f.Concept)
		}
		if f.Personal != "" {
			w.raw(`<span class="state warn">`)
			w.t("data.personal")
			w.raw("</span>")
		}
		w.raw("</td></tr>")
	}
	w.endTable()
	w.rest(len(p.Fields), fieldsShown)
}

// sample shows the sampled records, if they may be shown.
func (w *writer) sample(p *catalog.Profile) {
	if n := p.PersonalData.Notice; n != "" {
		w.raw(`<p class="note warn" translate="no">`)
		w.text(n)
		w.raw("</p>")
	}
	if !p.PersonalData.Allowed || len(p.SampleRecords) == 0 {
		return
	}
	var columns []string
	for i := range p.Fields {
		if len(columns) < columnsShown {
			columns = append(columns, p.Fields[i].Name)
		}
	}
	w.raw(`<div class="scroll" tabindex="0" role="group" aria-label="`)
	w.t("data.sample")
	w.raw(`"><table><caption>`)
	w.t("data.sample")
	w.raw(`</caption><thead translate="no"><tr>`)
	for _, c := range columns {
		w.raw(`<th scope="col">`)
		w.text(clip(c, 40))
		w.raw("</th>")
	}
	w.raw(`</tr></thead><tbody translate="no">`)
	for _, record := range p.SampleRecords[:min(len(p.SampleRecords), samplesShown)] {
		var values map[string]json.RawMessage
		if json.Unmarshal(record, &values) != nil {
			continue
		}
		w.raw("<tr>")
		for _, c := range columns {
			w.raw(`<td dir="auto">`)
			w.text(clip(scalar(values[c]), 80))
			w.raw("</td>")
		}
		w.raw("</tr>")
	}
	w.endTable()
}

// scalar is a JSON value as a reader wants it: text without its quotes.
func scalar(raw json.RawMessage) string {
	raw = bytes.TrimSpace(raw)
	var s string
	switch {
	case len(raw) == 0 || string(raw) == "null":
		return ""
	case raw[0] == '"' && json.Unmarshal(raw, &s) == nil:
		return s
	}
	return string(raw)
}

func (w *writer) members(v *view) {
	w.table("members.heading", "members.name", "files.format")
	for i := range v.e.Members[:min(len(v.e.Members), membersShown)] {
		m := &v.e.Members[i]
		w.raw("<tr><td>")
		w.web(m.URL, clip(cmp.Or(m.Title, m.Name), 140))
		w.raw(`</td><td translate="no">`)
		w.text(clip(strings.Join(m.Formats, ", "), 60))
		w.raw("</td></tr>")
	}
	w.endTable()
	w.rest(len(v.e.Members), membersShown)
}

// licence says what may be done, right by right; silence is "unknown".
func (w *writer) licence(v *view) {
	w.part("licence", "licence.heading")
	l := v.Licence
	switch {
	case l != nil:
		w.raw("<p>")
		w.web(l.URL, cmp.Or(l.Title, l.ID))
		w.raw(` <span class="soft mono" translate="no">`)
		w.text(l.ID)
		w.raw("</span></p>")
	case strings.TrimSpace(v.e.LicenseRaw) != "":
		w.raw("<p>")
		w.t("licence.raw")
		w.raw(` <q translate="no" dir="auto">`)
		w.text(clip(v.e.LicenseRaw, 300))
		w.raw("</q></p>")
	default:
		w.raw("<p>")
		w.t("licence.none")
		w.raw("</p>")
	}
	known := catalog.Licence{}
	if l != nil {
		known = *l
	}
	w.table("licence.rights", "licence.right", "licence.answer")
	for _, r := range []struct {
		key   string
		right catalog.Right
	}{{"right.open", known.Open}, {"right.commercial", known.CommercialUse}, {"right.redistribute", known.Redistribution}, {"right.modify", known.Modification},
		{"right.attribution", known.AttributionRequired}, {"right.share_alike", known.ShareAlike}} {
		w.raw(`<tr><th scope="row">`)
		w.t(r.key)
		w.raw("</th>")
		w.right(r.right)
		w.raw("</tr>")
	}
	w.endTable()
	w.end()
}

// change is one dated event in the life of an entry.
type change struct {
	at   time.Time
	key  string
	text string
}

func (v *view) changesOf() []change {
	e := v.e
	list := []change{{e.PublishedAt, "change.published", ""}, {e.CreatedAt, "change.found", ""}, {e.SourceModifiedAt, "change.modified", ""}}
	if e.ContentChangedAt.After(e.CreatedAt) {
		list = append(list, change{e.ContentChangedAt, "change.content", ""})
	}
	if e.Status == catalog.StatusDeprecated {
		list = append(list, change{e.DeprecatedAt, "change.deprecated", e.StatusReason})
	}
	for i := range v.Row.Overrides {
		o := &v.Row.Overrides[i]
		list = append(list, change{o.CreatedAt, "change.curated", o.Field + ": " + o.Reason}, change{o.RevokedAt, "change.revoked", o.Field})
	}
	for i := 1; i < len(v.Row.Scores); i++ {
		a, b := &v.Row.Scores[i-1], &v.Row.Scores[i]
		if d := b.MQA - a.MQA; d >= 1 || d <= -1 {
			at, err := time.Parse(time.DateOnly, b.Day)
			if err == nil {
				list = append(list, change{at, "change.score", strconv.FormatFloat(a.MQA, 'f', 1, 64) + " → " + strconv.FormatFloat(b.MQA, 'f', 1, 64)})
			}
		}
	}
	list = slices.DeleteFunc(list, func(c change) bool { return c.at.IsZero() })
	slices.SortStableFunc(list, func(a, b change) int { return b.at.Compare(a.at) })
	return list
}

func (w *writer) changes(v *view) {
	w.part("changes", "changes.heading")
	w.table("changes.heading", "uptime.day", "changes.what")
	list := v.changesOf()
	for _, c := range list[:min(len(list), eventsShown)] {
		w.raw(`<tr><td>`)
		w.day(c.at)
		w.raw("</td><td>")
		w.tag("span", c.key)
		if c.text != "" {
			w.raw(` <span class="soft"`)
			w.native("")
			w.raw(">")
			w.text(clip(c.text, 200))
			w.raw("</span>")
		}
		w.raw("</td></tr>")
	}
	w.endTable()
	w.end()
}
