package pages

import (
	"bytes"
	"cmp"
	"encoding/json"
	"slices"
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
			w.size(*p.DataSizeBytes)
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
			w.raw(`<bdi translate="no">`)
			w.joined(d.Spatial, 200)
			w.raw("</bdi>")
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
		w.clip(f.Name, 80)
		w.raw("</th><td>")
		w.text(f.Type)
		w.raw(`</td><td dir="auto" translate="no">`)
		w.clip(cmp.Or(f.DescriptionEn, f.Description, f.Label), 200)
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
	columns := p.Fields[:min(len(p.Fields), columnsShown)]
	w.raw(`<div class="scroll" tabindex="0" role="group" aria-label="`)
	w.t("data.sample")
	w.raw(`"><table><caption>`)
	w.t("data.sample")
	w.raw(`</caption><thead translate="no"><tr>`)
	for i := range columns {
		w.raw(`<th scope="col">`)
		w.clip(columns[i].Name, 40)
		w.raw("</th>")
	}
	w.raw(`</tr></thead><tbody translate="no">`)
	values := map[string]json.RawMessage{}
	for _, record := range p.SampleRecords[:min(len(p.SampleRecords), samplesShown)] {
		clear(values)
		if json.Unmarshal(record, &values) != nil {
			continue
		}
		w.raw("<tr>")
		for i := range columns {
			w.raw(`<td dir="auto">`)
			w.clip(scalar(values[columns[i].Name]), 80)
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
		w.joined(m.Formats, 60)
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
		w.clip(v.e.LicenseRaw, 300)
		w.raw("</q></p>")
	default:
		w.raw("<p>")
		w.t("licence.none")
		w.raw("</p>")
	}
	if l != nil {
		w.rights(l)
	} else {
		w.same("rights", "", func() { w.rights(&catalog.Licence{}) })
	}
	w.end()
}

func (w *writer) rights(l *catalog.Licence) {
	w.table("licence.rights", "licence.right", "licence.answer")
	for _, r := range [...]struct {
		key   string
		right catalog.Right
	}{{"right.open", l.Open}, {"right.commercial", l.CommercialUse}, {"right.redistribute", l.Redistribution}, {"right.modify", l.Modification},
		{"right.attribution", l.AttributionRequired}, {"right.share_alike", l.ShareAlike}} {
		w.raw(`<tr><th scope="row">`)
		w.t(r.key)
		w.raw("</th>")
		w.right(r.right)
		w.raw("</tr>")
	}
	w.endTable()
}

// change is one dated event in the life of an entry.
type change struct {
	at   time.Time
	key  string
	text string
	// scores are those of two days, nil for other events.
	scores []catalog.ScoreDay
}

func (v *view) changesOf(list []change) []change {
	add := func(at time.Time, key, text string) {
		if !at.IsZero() {
			list = append(list, change{at: at, key: key, text: text})
		}
	}
	e := v.e
	add(e.PublishedAt, "change.published", "")
	add(e.CreatedAt, "change.found", "")
	add(e.SourceModifiedAt, "change.modified", "")
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
		days := judged[i-1 : i+1]
		if d := days[1].MQA - days[0].MQA; d >= 1 || d <= -1 {
			if at, err := time.Parse(time.DateOnly, days[1].Day); err == nil && !at.IsZero() {
				list = append(list, change{at: at, key: "change.score", scores: days})
			}
		}
	}
	slices.SortStableFunc(list, func(a, b change) int { return b.at.Compare(a.at) })
	return list
}

func (w *writer) changes(v *view) {
	w.part("changes", "changes.heading")
	w.table("changes.heading", "uptime.day", "changes.what")
	var room [2 * eventsShown]change
	list := v.changesOf(room[:0])
	for i := range list[:min(len(list), eventsShown)] {
		w.change(&list[i])
	}
	w.endTable()
	w.end()
}

func (w *writer) change(c *change) {
	w.raw(`<tr><td>`)
	w.day(c.at)
	w.raw("</td><td>")
	w.tag("span", c.key)
	if c.text != "" || c.scores != nil {
		w.raw(` <span class="soft"`)
		w.native("")
		w.raw(">")
		if c.scores != nil {
			w.float(c.scores[0].MQA, 1)
			w.raw(" → ")
			w.float(c.scores[1].MQA, 1)
		}
		w.clip(c.text, 200)
		w.raw("</span>")
	}
	w.raw("</td></tr>")
}
