package catalog

import (
	"errors"
	"testing"
	"time"
)

func TestTransitions(t *testing.T) {
	allowed := map[[2]Status]EventKind{
		{StatusPending, StatusActive}:     EventCreated,
		{StatusPending, StatusRemoved}:    EventRemoved,
		{StatusActive, StatusDeprecated}:  EventDeprecated,
		{StatusDeprecated, StatusActive}:  EventReactivated,
		{StatusActive, StatusRemoved}:     EventRemoved,
		{StatusDeprecated, StatusRemoved}: EventRemoved,
	}
	for _, from := range Statuses() {
		for _, to := range Statuses() {
			e := Entry{ID: "x", Status: from, StatusReason: "before", UpdatedAt: day(1)}
			before := e
			kind, err := e.Transition(Change{To: to, Reason: "after", At: day(2)})
			want, ok := allowed[[2]Status{from, to}]
			switch {
			case ok && (err != nil || kind != want || e.Status != to || e.StatusReason != "after" || !e.UpdatedAt.Equal(day(2))):
				t.Errorf("%s to %s: %q, %v, entry %+v", from, to, kind, err, e)
			case !ok && (!errors.Is(err, ErrConflict) || kind != "" || e.Status != before.Status || e.StatusReason != "before" || !e.UpdatedAt.Equal(day(1))):
				t.Errorf("%s to %s is not a conflict: %q, %v", from, to, kind, err)
			}
		}
	}
}

func TestTransitionTimes(t *testing.T) {
	e := Entry{ID: "x", Status: StatusActive}
	move := func(c Change) {
		t.Helper()
		if _, err := e.Transition(c); err != nil {
			t.Fatal(err)
		}
	}
	move(Change{To: StatusDeprecated, At: day(2), SuccessorID: "y", SunsetAt: day(9)})
	if !e.DeprecatedAt.Equal(day(2)) || e.SuccessorID != "y" || !e.SunsetAt.Equal(day(9)) {
		t.Errorf("deprecated: %+v", e)
	}
	move(Change{To: StatusActive, At: day(3)})
	if !e.DeprecatedAt.IsZero() || e.SuccessorID != "" || !e.SunsetAt.IsZero() {
		t.Errorf("reactivated: %+v", e)
	}
	move(Change{To: StatusRemoved, At: day(4)})
	if !e.RemovedAt.Equal(day(4)) {
		t.Errorf("removed: %+v", e)
	}
}

func TestMergeInto(t *testing.T) {
	older := &Entry{ID: "old", Status: StatusActive}
	e := &Entry{ID: "new", Status: StatusActive}
	kind, err := e.MergeInto(older, day(5))
	if err != nil || kind != EventMerged {
		t.Fatalf("merge: %q, %v", kind, err)
	}
	if e.MergedIntoID != "old" || e.Status != StatusRemoved || e.StatusReason != "duplicate" || !e.RemovedAt.Equal(day(5)) || !e.UpdatedAt.Equal(day(5)) {
		t.Errorf("merged entry: %+v", e)
	}
	if older.MergedIntoID != "" || older.Status != StatusActive {
		t.Errorf("the older entry was changed: %+v", older)
	}
	for name, pair := range map[string][2]*Entry{
		"into itself":            {older, older},
		"twice":                  {e, older},
		"into a merged entry":    {{ID: "third"}, e},
		"into a copy of its own": {{ID: "old"}, older},
	} {
		if _, err := pair[0].MergeInto(pair[1], day(6)); !errors.Is(err, ErrConflict) {
			t.Errorf("merge %s: %v", name, err)
		}
	}
}

func TestVisible(t *testing.T) {
	at := day(10)
	for _, c := range []struct {
		status    Status
		published time.Time
		want      bool
	}{
		{StatusActive, day(9), true}, {StatusDeprecated, day(9), true}, {StatusPending, day(9), false}, {StatusRemoved, day(9), false},
		{StatusActive, at, true}, {StatusActive, at.Add(time.Second), false}, {StatusActive, time.Time{}, false},
	} {
		e := Entry{Status: c.status, PublishedAt: c.published}
		if e.Visible(at) != c.want {
			t.Errorf("%s, published %s: visible %t", c.status, c.published, !c.want)
		}
	}
}
