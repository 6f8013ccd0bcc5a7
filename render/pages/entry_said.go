package pages

import (
	"slices"

	"github.com/assay-register/assay/render/catalog"
	"github.com/assay-register/assay/render/redact"
	"github.com/assay-register/assay/templates/entry"
)

// Bounds of what a page shows of outages, statements and reports; the JSON has all.
const outagesShown, saidShown, reportsShown = 20, 30, 20

// said is what people say of the entry, and when it did not answer.
func (v *view) said() *entry.Said {
	row := v.Row
	out := &entry.Said{Feed: len(row.Incidents) > 0}
	for i, x := range slices.Backward(row.Said) {
		if len(row.Said)-i > v.most(saidShown) {
			break
		}
		t := entry.Statement{Kind: string(x.Kind), State: string(x.State), Field: clip(x.Field, 100), Text: clip(redact.Said(x.Text), 500), Reason: clip(x.Reason, 300),
			From: x.From, Until: x.Until, At: x.CreatedAt, Method: string(x.Method), Domain: x.Domain, Ended: !x.Ended.IsZero()}
		if linkable(x.URL) {
			t.Link = x.URL
		}
		if x.Kind == catalog.StateContact {
			t.Text = clip(x.Text, 500) // a contact is said to be read
		}
		out.Statements = append(out.Statements, t)
	}
	for i, r := range slices.Backward(row.Reports) {
		if len(row.Reports)-i > v.most(reportsShown) {
			break
		}
		out.Reports = append(out.Reports, reportOf(&r))
	}
	windows := catalog.Windows(row.Said)
	out.Calendar, out.Left = len(windows) > 0, max(0, len(row.Incidents)-v.most(outagesShown))
	for i, x := range slices.Backward(row.Incidents) {
		if len(row.Incidents)-i > v.most(outagesShown) {
			break
		}
		o := entry.Outage{From: x.From, Until: x.Until, Planned: x.Planned(windows), Unresolved: x.Unresolved, Failures: x.Failures}
		for _, c := range x.Evidence {
			o.Checks = append(o.Checks, entry.OutageCheck{At: c.At, Up: c.Up, Status: c.HTTPStatus, Saw: clip(c.Error, 160)})
		}
		out.Outages = append(out.Outages, o)
	}
	return out
}

func reportOf(r *catalog.Report) entry.Report {
	out := entry.Report{Category: string(r.Kind()), State: string(r.State), Field: clip(r.Field, 100), At: r.CreatedAt, Reason: clip(r.Reason, 300)}
	if r.Quotable() {
		out.Message, out.Evidence = clip(redact.Said(r.Message), 500), clip(redact.Said(r.Evidence), 300)
	}
	for _, a := range r.Answers {
		by := "moderator"
		if a.ClaimID != "" {
			by = "owner"
		}
		out.Answers = append(out.Answers, entry.Answer{By: by, Text: clip(redact.Said(a.Text), 500), At: a.At})
	}
	return out
}
