package notify

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/assay-register/assay/render/catalog"
	"github.com/assay-register/assay/render/wire"
)

// TestSignIsTheSpecifications checks the example that the public libraries of
// Standard Webhooks test by.
func TestSignIsTheSpecifications(t *testing.T) {
	got, err := sign([]string{"whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"}, "msg_p5jXN8AQM9LWM0D4loKWxJek", time.Unix(1614265330, 0), `{"test": 2432232314}`)
	if err != nil || got != "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=" {
		t.Errorf("got %s, %v", got, err)
	}
	for _, bad := range [][]string{nil, {"secret"}, {"whsec_"}, {"whsec_%%%"}} {
		if _, err := sign(bad, "a", time.Unix(0, 0), ""); err == nil {
			t.Errorf("signed with %q", bad)
		}
	}
	if a, b := NewSecret(), NewSecret(); a == b || len(a) != len("whsec_")+44 {
		t.Errorf("secrets %s, %s", a, b)
	}
}

func TestRetryAfter(t *testing.T) {
	now := time.Date(2026, 11, 1, 12, 0, 0, 0, time.UTC)
	for value, want := range map[string]time.Duration{"": 0, "0": 0, "30": 30 * time.Second, " 7 ": 7 * time.Second, "-5": 0, "1e3": 0, "soon": 0,
		"99999999": 24 * time.Hour, "99999999999999": 0, "Sun, 01 Nov 2026 12:01:00 GMT": time.Minute, "Sun, 01 Nov 2026 11:00:00 GMT": 0,
		"Sun, 01 Nov 2099 11:00:00 GMT": 24 * time.Hour} {
		if got := retryAfter(http.Header{"Retry-After": {value}}, now); got != want {
			t.Errorf("%q: %s, want %s", value, got, want)
		}
	}
}

func FuzzRetryAfter(f *testing.F) {
	f.Add("120")
	f.Add("Sun, 01 Nov 2026 12:01:00 GMT")
	f.Fuzz(func(t *testing.T, s string) {
		if d := retryAfter(http.Header{"Retry-After": {s}}, time.Unix(1_700_000_000, 0)); d < 0 || d > 24*time.Hour {
			t.Errorf("%q: %s", s, d)
		}
	})
}

func TestPause(t *testing.T) {
	s := Schedule()
	for tries, want := range s {
		got, ok := pause(s, tries)
		if !ok || float64(got) < 0.9*float64(want) || float64(got) > 1.1*float64(want) {
			t.Errorf("after %d tries: %s, want about %s", tries, got, want)
		}
	}
	if _, ok := pause(s, len(s)); ok {
		t.Error("there is an eleventh attempt")
	}
}

// TestBodiesStaySmall: long values are left out, never the event.
func TestBodiesStaySmall(t *testing.T) {
	e := wire.FeedEvent{ID: "evt_1", Type: catalog.EventUpdated}
	for i := range 60 {
		e.Changes = append(e.Changes, wire.Changed{Field: strings.Repeat("f", 20) + string(rune('a'+i%26)), FieldDelta: wire.FieldDelta{To: strings.Repeat("x", 990)}})
	}
	body, err := eventBody(&e)
	var m wire.WebhookMessage
	if err != nil || len(body) >= bodyMax || json.Unmarshal([]byte(body), &m) != nil || m.Type != "entry.updated" || !strings.Contains(body, `"cut":true`) {
		t.Errorf("%d bytes, %v", len(body), err)
	}
}

func TestEchoes(t *testing.T) {
	for answer, want := range map[string]bool{"abc": true, " abc\n": true, "abc ": true, `{"challenge":"abc"}`: true, `{"challenge":"abcd"}`: false, "": false, "abcd": false, `"abc"`: false, `["abc"]`: false} {
		if got := echoes([]byte(answer), "abc", nil) == nil; got != want {
			t.Errorf("%s: %t, want %t", answer, got, want)
		}
	}
	if echoes(nil, "", nil) == nil {
		t.Error("an empty challenge is echoed by an empty answer")
	}
}

func TestClean(t *testing.T) {
	for in, want := range map[string]string{"a\r\nb\x00\x1b[31m": "a b[31m", "\xff": "�", strings.Repeat("é", 400): strings.Repeat("é", 250) + "…"} {
		if got := clean(in); got != want {
			t.Errorf("%q gives %q, want %q", in, got, want)
		}
	}
}

// TestFrequency names the next digest of any time.
func TestFrequency(t *testing.T) {
	for _, c := range []struct {
		f        catalog.Frequency
		at, want string
	}{
		{catalog.FrequencyImmediate, "2026-11-01T12:00:00Z", "2026-11-01T12:00:00Z"},
		{catalog.FrequencyDaily, "2026-11-01T05:59:59Z", "2026-11-01T06:00:00Z"},
		{catalog.FrequencyDaily, "2026-11-01T06:00:00Z", "2026-11-02T06:00:00Z"},
		{catalog.FrequencyDaily, "2026-12-31T23:00:00Z", "2027-01-01T06:00:00Z"},
		{catalog.FrequencyWeekly, "2026-11-01T12:00:00Z", "2026-11-02T06:00:00Z"},
		{catalog.FrequencyWeekly, "2026-11-02T06:00:00Z", "2026-11-09T06:00:00Z"},
	} {
		at, err := time.Parse(time.RFC3339, c.at)
		if err != nil {
			t.Fatal(err)
		}
		if got := c.f.Due(at).Format(time.RFC3339); got != c.want {
			t.Errorf("%s at %s: %s, want %s", c.f, c.at, got, c.want)
		}
	}
}
