package verify

import (
	"context"
	"net/http"
)

// distribution asks for the headers of a file. Servers that do not answer HEAD
// as they answer GET are many, so a refusal is tried again with GET and a
// range of the first KiB; so is a file of which it is not known whether
// everybody gets it, because headers prove nothing.
func (p *Prober) distribution(ctx context.Context, v *visit, t Target) finding {
	if t.Data && !t.known.settled() {
		return p.request(ctx, v, t, http.MethodGet)
	}
	head := p.request(ctx, v, t, http.MethodHead)
	switch {
	case head.Up && !head.RequiresAuth && head.ContentType != "":
		return head
	case head.answered && (head.HTTPStatus == http.StatusTooManyRequests || head.HTTPStatus == http.StatusUnavailableForLegalReasons):
		return head
	case !head.answered && !v.reached() || ctx.Err() != nil:
		return head
	}
	return p.request(ctx, v, t, http.MethodGet)
}

// firstKiB is the range of a file that is asked for (RFC 9110, section 14.2).
const firstKiB = "bytes=0-1023"
