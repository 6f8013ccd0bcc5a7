package limit

import (
	"context"
	"fmt"
	"math"
	"net/http"
	"strconv"
	"time"

	"github.com/assay-register/assay/dynamic/web"
	"github.com/assay-register/assay/render/wire"
)

// Guard lets a client ask a handler as often as its quota allows and tells it
// in RateLimit headers where it stands (draft-ietf-httpapi-ratelimit-headers).
func (l *Limiter) Guard(next web.Handler) web.Handler {
	if l == nil || l.Quota <= 0 {
		return next
	}
	policy := fmt.Sprintf(`"%s";q=%d;w=%d`, l.Name, l.Quota, int(Window/time.Second))
	return func(w http.ResponseWriter, r *http.Request) error {
		if exempt(r.Context()) || r.Method == http.MethodOptions {
			return next(w, r)
		}
		s := l.Take(web.ClientOf(r.Context()))
		h := w.Header()
		h["Ratelimit-Policy"] = []string{policy}
		h["Ratelimit"] = []string{fmt.Sprintf(`"%s";r=%d;t=%d`, l.Name, s.Left, seconds(s.Reset))}
		if !s.OK {
			return l.Exceeded(s)
		}
		return next(w, r)
	}
}

// Exceeded is the 429 of a client whose quota is spent.
func (l *Limiter) Exceeded(s Standing) error {
	return &web.Error{
		Problem: wire.Problem{Status: http.StatusTooManyRequests, Type: web.ProblemQuota, ViolatedPolicies: []string{l.Name},
			Detail: fmt.Sprintf("This client has used its %d requests of the policy %q for this minute; go on in %d s.", l.Quota, l.Name, seconds(s.Reset))},
		Header: http.Header{"Retry-After": {strconv.Itoa(seconds(s.Reset))}},
	}
}

// seconds rounds up, so that who waits as long as told is never early.
func seconds(d time.Duration) int { return max(1, int(math.Ceil(d.Seconds()))) }

type exemptKey struct{}

// Exempt marks requests that the service asks of itself on behalf of one that
// was counted.
func Exempt(ctx context.Context) context.Context { return context.WithValue(ctx, exemptKey{}, true) }

func exempt(ctx context.Context) bool { return ctx.Value(exemptKey{}) != nil }
