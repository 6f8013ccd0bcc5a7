package notify

import (
	"math/rand/v2"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// Schedule are the pauses before each attempt (decisions §6, after Standard
// Webhooks): the first one follows at once, the tenth 76 hours later.
func Schedule() []time.Duration {
	return []time.Duration{0, 5 * time.Second, 5 * time.Minute, 30 * time.Minute, 2 * time.Hour, 5 * time.Hour,
		10 * time.Hour, 14 * time.Hour, 20 * time.Hour, 24 * time.Hour}
}

const (
	// giveUpAfter is how long an endpoint may fail before it is disabled.
	giveUpAfter = 5 * 24 * time.Hour
	// retryAfterMax is the longest wait that an endpoint may ask for.
	retryAfterMax = 24 * time.Hour
	// jitter is by which share a pause is longer or shorter, so that the
	// retries of many messages do not come at once.
	jitter = 0.1
)

// pause is how long to wait after a number of attempts; ok is false when none
// is left.
func pause(schedule []time.Duration, tries int) (wait time.Duration, ok bool) {
	if tries >= len(schedule) {
		return 0, false
	}
	d := float64(schedule[tries])
	return time.Duration(d * (1 - jitter + 2*jitter*rand.Float64())), true
}

// retryAfter reads the header of an answer (RFC 9110, section 10.2.3): seconds
// or a date. 0 means that it asks for nothing.
func retryAfter(h http.Header, now time.Time) time.Duration {
	value := strings.TrimSpace(h.Get("Retry-After"))
	if value == "" {
		return 0
	}
	if n, err := strconv.ParseUint(value, 10, 31); err == nil {
		return min(time.Duration(n)*time.Second, retryAfterMax)
	}
	at, err := http.ParseTime(value)
	if err != nil || !at.After(now) {
		return 0
	}
	return min(at.Sub(now), retryAfterMax)
}
