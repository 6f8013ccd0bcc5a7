package verify

import (
	"strings"
	"testing"
	"time"

	"github.com/assay-register/assay/render/catalog"
)

var start = time.Date(2026, 11, 1, 0, 0, 0, 0, time.UTC)

// replay applies a trace of six-hour slots: U up, D down, - no check, with Age
// run in every slot.
func replay(trace string) (state catalog.VerificationState, events string) {
	var s *catalog.CheckState
	for i, c := range trace {
		at := start.Add(time.Duration(i) * 6 * time.Hour)
		if s != nil {
			next, e := Age(s, at)
			s = &next
			if e != nil {
				events += string(e.Type[6])
			}
		}
		if c == '-' {
			continue
		}
		next, e := Next(s, &catalog.Check{EntryID: "e", At: at, Up: c == 'U', Vantages: 1})
		s = &next
		if e != nil {
			events += string(e.Type[6])
		}
	}
	if s == nil {
		return catalog.StateUnverified, events
	}
	return s.State, events
}

func TestVerdict(t *testing.T) {
	for _, c := range []struct {
		trace  string
		state  catalog.VerificationState
		events string
	}{
		{"", catalog.StateUnverified, ""},
		{"U", catalog.StateVerified, "v"},
		{"D", catalog.StateUnverified, ""},
		{"DD", catalog.StateUnverified, ""},
		{"DDD", catalog.StateFailing, "f"},
		{"UDDU", catalog.StateVerified, "v"},
		{"UDDD", catalog.StateFailing, "vf"},
		{"UDDDDDDU", catalog.StateVerified, "vfv"},
		{"UDUDUDUDUDU", catalog.StateVerified, "v"},
		{"U" + strings.Repeat("-", 11), catalog.StateVerified, "v"},
		{"U" + strings.Repeat("-", 12), catalog.StateStale, "vs"},
		{"U" + strings.Repeat("-", 11) + "U", catalog.StateVerified, "vsv"},
		{"U" + strings.Repeat("-", 12) + "D", catalog.StateStale, "vs"},
		{"U" + strings.Repeat("-", 12) + "DDD", catalog.StateFailing, "vsf"},
		{"U" + strings.Repeat("-", 20) + "U", catalog.StateVerified, "vsv"},
		{"UDDD" + strings.Repeat("-", 30) + "D", catalog.StateFailing, "vf"},
		{"D" + strings.Repeat("-", 12) + "D", catalog.StateStale, "s"},
	} {
		if state, events := replay(c.trace); state != c.state || events != c.events {
			t.Errorf("%s: %s %q, want %s %q", c.trace, state, events, c.state, c.events)
		}
	}
}

func TestNextRecordsTheProbe(t *testing.T) {
	c := &catalog.Check{EntryID: "e", At: start, URL: "https://a.example/", Method: "GET", HTTPStatus: 401,
		ContentType: "application/json", RequiresAuth: true, Up: true, Vantages: 1}
	s, e := Next(nil, c)
	if s.ProbeURL != c.URL || s.ProbeHTTPStatus != 401 || !s.RequiresAuth || s.ConsecutiveSuccesses != 1 || !s.SucceededAt.Equal(start) {
		t.Errorf("state %+v does not record the check", s)
	}
	if string(e.Changes[0].From) != `"UNVERIFIED"` || string(e.Changes[0].To) != `"VERIFIED"` {
		t.Errorf("event %+v does not tell the change", e)
	}
}
