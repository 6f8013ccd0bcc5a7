package catalog

import (
	"errors"
	"testing"
	"time"
)

func TestReportStates(t *testing.T) {
	at := time.Date(2026, 11, 24, 9, 0, 0, 0, time.UTC)
	r := Report{Message: "x", State: ReportOpen}
	if r.Public() || r.Kind() != ReportOther || !r.Undecided() {
		t.Errorf("a new report %+v", r)
	}
	if err := r.Answer("claim", "we mend it", at); err != nil || !r.Public() || r.State != ReportOpen {
		t.Errorf("an owner's answer: %v, %+v", err, r)
	}
	for _, bad := range []error{r.Answer("", " ", at), r.Close(ReportAccepted, "x", at), r.Close(ReportOpen, "x", at)} {
		if bad == nil {
			t.Error("what cannot be was done")
		}
	}
	if err := errors.Join(r.Accept("so it is", at), r.Close(ReportResolved, "mended", at)); err != nil || r.Undecided() {
		t.Errorf("%v, %+v", err, r)
	}
	if !errors.Is(r.Accept("again", at), ErrConflict) || !errors.Is(r.Close(ReportDismissed, "again", at), ErrConflict) {
		t.Error("a report was decided twice")
	}
	if r.Hidden = true; r.Public() {
		t.Error("a hidden report is public")
	}
	for len(r.Answers) < ReportAnswersMax {
		if err := r.Answer("", "more", at); err != nil {
			t.Fatal(err)
		}
	}
	if !errors.Is(r.Answer("", "more", at), ErrConflict) {
		t.Error("answers are not bounded")
	}
}

func TestWindowsCount(t *testing.T) {
	at := func(h int) time.Time { return time.Date(2026, 11, 24, h, 0, 0, 0, time.UTC) }
	said := func(made, from, until int) Said {
		return Said{Statement: Statement{Kind: StateMaintenance, CreatedAt: at(made), From: at(from), Until: at(until), State: StatementShown}}
	}
	ended := func(at time.Time, s Said) Said {
		s.Ended = at
		return s
	}
	i := Incident{From: at(4), Until: at(8)}
	for name, c := range map[string]struct {
		said      []Said
		planned   bool
		unplanned time.Duration
	}{
		"none":                         {nil, false, 4 * time.Hour},
		"all of it":                    {[]Said{said(1, 3, 9)}, true, 0},
		"told too late":                {[]Said{said(4, 3, 9)}, false, 4 * time.Hour},
		"ran over":                     {[]Said{said(1, 3, 6)}, false, 2 * time.Hour},
		"by a claim that ended before": {[]Said{ended(at(2), said(1, 3, 9))}, false, 4 * time.Hour},
		"by a claim that ended since":  {[]Said{ended(at(5), said(1, 3, 9))}, true, 0},
		"two that overlap":             {[]Said{said(1, 3, 6), said(1, 5, 7)}, false, time.Hour},
	} {
		w := Windows(c.said)
		if got, d := i.Planned(w), i.Unplanned(w, at(0), at(23)); got != c.planned || d != c.unplanned {
			t.Errorf("%s: planned %v, %s unplanned", name, got, d)
		}
	}
	if d := (&Incident{From: at(4)}).Within(at(0), at(5)); d != time.Hour {
		t.Errorf("one that lasts: %s", d)
	}
}
