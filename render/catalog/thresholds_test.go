package catalog

import (
	"errors"
	"strings"
	"testing"
)

func TestThresholdsValidate(t *testing.T) {
	for _, c := range []struct {
		approve, quarantine int
		ok                  bool
	}{
		{80, 40, true}, {100, 100, true}, {1, 1, true}, {40, 40, true},
		{80, 0, false}, {80, -1, false}, {40, 41, false}, {101, 40, false}, {0, 0, false},
	} {
		err := Thresholds{c.approve, c.quarantine}.Validate()
		if (err == nil) != c.ok || err != nil && !errors.Is(err, ErrInvalid) {
			t.Errorf("approve %d, quarantine %d: %v", c.approve, c.quarantine, err)
		}
	}
	if err := DefaultThresholds().Validate(); err != nil {
		t.Error(err)
	}
}

func TestDecide(t *testing.T) {
	normal, lax, strict := DefaultThresholds(), Thresholds{30, 10}, Thresholds{100, 80}
	for _, c := range []struct {
		rule                  Thresholds
		officialness          int
		known, third, blocked bool
		want                  SubmissionState
		reason                string
	}{
		{normal, 80, true, false, false, SubmissionApproved, "80 are enough"},
		{normal, 79, true, false, false, SubmissionQuarantined, "decides from 40"},
		{normal, 80, false, false, false, SubmissionQuarantined, "decides from 40"},
		{normal, 40, true, false, false, SubmissionQuarantined, "decides from 40"},
		{normal, 39, true, false, false, SubmissionRejected, "at least 40 are needed"},
		{normal, 100, true, true, false, SubmissionQuarantined, "not run by a public body"},
		{normal, 100, true, false, true, SubmissionRejected, "blocklist"},
		{lax, 30, true, false, false, SubmissionApproved, "30 are enough"},
		{lax, 29, true, false, false, SubmissionQuarantined, "decides from 10"},
		{lax, 10, true, true, false, SubmissionQuarantined, "not run by a public body"},
		{lax, 9, true, false, false, SubmissionRejected, "at least 10 are needed"},
		{lax, 100, true, false, true, SubmissionRejected, "blocklist"},
		{strict, 99, true, false, false, SubmissionQuarantined, "decides from 80"},
		{strict, 100, true, false, false, SubmissionApproved, "100 are enough"},
		{strict, 79, true, true, false, SubmissionRejected, "at least 80 are needed"},
	} {
		got, reason := c.rule.Decide(c.officialness, c.known, c.third, c.blocked)
		if got != c.want || !strings.Contains(reason, c.reason) {
			t.Errorf("%+v: %s, %q", c, got, reason)
		}
	}
}
