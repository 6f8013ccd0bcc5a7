package rendertest

import (
	"time"

	"github.com/assay-register/assay/render/catalog"
	"github.com/assay-register/assay/render/snapshot"
)

// said has the failing entry fail twice, once in maintenance that its owner announced, with what
// the owner and a reader say of it.
func said(r *catalog.Row) {
	if r.State == nil || r.State.State != catalog.StateFailing {
		return
	}
	id := r.Entry.ID
	check := func(at time.Time, up bool) catalog.IncidentCheck {
		c := catalog.IncidentCheck{At: at, EntryID: id, URL: r.State.ProbeURL, Up: up, HTTPStatus: 200}
		if !up {
			c.HTTPStatus, c.Class, c.Error = 503, catalog.ErrorHTTP, "status 503"
		}
		return c
	}
	incident := func(from, opened, until time.Time, checks ...catalog.IncidentCheck) catalog.Incident {
		return catalog.Incident{ID: catalog.NewIncidentID(id, from), EntryID: id, Host: "failing.example", Cause: catalog.CauseSource, From: from, OpenedAt: opened, Until: until, Failures: 4, Evidence: checks}
	}
	r.Incidents = []catalog.Incident{
		incident(ago(20), ago(20).Add(12*time.Hour), ago(19), check(ago(20), false), check(ago(19), true)),
		incident(ago(3), ago(2), time.Time{}, check(ago(3), false), check(ago(2), false)),
	}
	say := func(n string, kind catalog.StatementKind, text string, change func(*catalog.Said)) catalog.Said {
		s := catalog.Said{Statement: catalog.Statement{ID: catalog.NewID("statement", n), ClaimID: catalog.NewID("claim", "fixture"), EntryID: id, Kind: kind, Text: text, State: catalog.StatementShown, CreatedAt: ago(21)},
			Method: catalog.ClaimDNS, Domain: "failing.example", Proved: ago(40)}
		change(&s)
		return s
	}
	r.Said = []catalog.Said{
		say("window", catalog.StateMaintenance, "New <b>disks</b> & cables", func(s *catalog.Said) { s.From, s.Until = ago(20).Add(-time.Hour), ago(19).Add(time.Hour) }),
		say("dispute", catalog.StateDispute, "It answers; write to ann@failing.example", func(s *catalog.Said) { s.Field, s.State = "verification_state", catalog.StatementOpen }),
		say("contact", catalog.StateContact, "desk@failing.example", func(s *catalog.Said) { s.Ended = ago(5) }),
	}
	r.Reports = []catalog.Report{{ID: catalog.NewID("report", "fixture"), EntryID: id, Category: catalog.ReportBroken, Message: "Gives 503. I am ann@mail.example.", Evidence: r.State.ProbeURL, State: catalog.ReportAccepted,
		Reason: "so it is", Answers: []catalog.ReportAnswer{{ClaimID: catalog.NewID("claim", "fixture"), Text: "We mend it.", At: ago(1)}}, CreatedAt: ago(2), AcceptedAt: ago(2)}}
}

// Outages are those of the visible rows.
func Outages(c *snapshot.Catalog, rows []*catalog.Row) *snapshot.Outages {
	o := &snapshot.Outages{}
	for _, r := range rows {
		for i := range r.Incidents {
			o.Incidents = append([]catalog.Incident{r.Incidents[i]}, o.Incidents...)
		}
		for i := range r.Said {
			for _, w := range catalog.Windows(r.Said[i : i+1]) {
				o.Announced = append(o.Announced, snapshot.Announced{EntryID: r.Entry.ID, Window: w, SaidAt: r.Said[i].CreatedAt})
			}
		}
	}
	return o.Shown(c)
}
