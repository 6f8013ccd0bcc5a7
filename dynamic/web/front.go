package web

import (
	"cmp"
	"context"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"log/slog"
	"math/rand/v2"
	"net/http"
	"net/netip"
	"net/url"
	"runtime/debug"
	"time"

	"github.com/assay-register/assay/render/snapshot"
	"github.com/assay-register/assay/render/wire"
)

// Front is what every request passes on its way to a handler, and every answer
// on its way back.
type Front struct {
	Log *slog.Logger
	Now func() time.Time
	// Site tells whose register this is and which snapshot is current, "" for
	// none.
	Site func() (site snapshot.Site, current string)
	// Timeout ends the context of a request to a handler that may wait.
	Timeout time.Duration
	// BodyMax is the largest request body, in bytes.
	BodyMax int64
	// Trusted are the proxies whose X-Forwarded-For is believed.
	Trusted []netip.Prefix
	// Quiet leaves the log to requests that failed for a fault of the service.
	Quiet bool
	// Page is what a person reads of a failure who asked for a page, nil for who did not; may be nil.
	Page func(r *http.Request, p *wire.Problem) []byte
	// Observer counts the requests; nil for none.
	Observer Observer
}

// Observer is told when a request comes in and how it was answered, for the
// metrics.
type Observer interface {
	Begin()
	End(operation string, status int, took time.Duration)
}

var closing = []string{"close"}

// Wrap puts the front before a handler.
func (f *Front) Wrap(next http.Handler) http.Handler {
	return http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
		begin := f.Now()
		w := &response{ResponseWriter: rw, id: requestID(r.Header.Get("X-Request-Id")), url: r.URL, remote: r.RemoteAddr}
		site, current := f.Site()
		h := rw.Header()
		open(h)
		if r.ProtoMajor == 1 && len(r.TransferEncoding) > 0 {
			// net/http drops a Content-Length beside it unseen; after such a request the
			// connection must end (RFC 9112, section 6.1).
			h["Connection"] = closing
		}
		w.own = [2]string{w.id, current}
		h["X-Request-Id"] = w.own[:1:1]
		if current != "" {
			h[wire.SnapshotHeader] = w.own[1:]
		}
		if f.Observer != nil {
			f.Observer.Begin()
		}
		defer f.end(r.Context(), w, r.Method, begin)
		defer f.recover(w, r)
		if err := f.check(r); err != nil {
			f.fail(w, r, err)
			return
		}
		if r.Body != nil && r.Body != http.NoBody {
			r.Body = http.MaxBytesReader(w, r.Body, f.BodyMax)
		}
		next.ServeHTTP(w, below(r, wire.Path(site, "")))
	})
}

// Adapt makes an http.Handler of a handler, whose context ends in time and
// knows the client; it must run behind Wrap.
func (f *Front) Adapt(h Handler) http.Handler {
	prompt := f.Prompt(h)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		ctx, cancel := context.WithTimeout(WithClient(r.Context(), f.client(r)), f.Timeout)
		defer cancel()
		prompt.ServeHTTP(w, r.WithContext(ctx))
	})
}

// Prompt is Adapt for a handler that waits for nothing and treats all clients
// alike: a timer and a copy of the request would cost as much as its answer.
func (f *Front) Prompt(h Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if err := h(w, r); err != nil {
			f.fail(w.(*response), r, err)
		}
	})
}

func (f *Front) fail(w *response, r *http.Request, err error) {
	e := asError(err)
	w.err = err
	if errors.Is(err, context.Canceled) && r.Context().Err() != nil {
		w.status = statusClientGone
		return
	}
	if w.status != 0 {
		panic(http.ErrAbortHandler)
	}
	f.explain(w, r, e)
}

// explain answers with the page that says what went wrong, or with the problem document.
func (f *Front) explain(w *response, r *http.Request, e *Error) {
	if f.Page != nil {
		if page := f.Page(r, &e.Problem); page != nil {
			writePage(w, r, e, page)
			return
		}
	}
	site, _ := f.Site()
	writeProblem(w, r, e, site.BaseURL)
}

// statusClientGone marks in the log a request that nobody waits for.
const statusClientGone = 499

// recover answers a panic with a plain 500. An answer that has begun is cut
// off, so that the client sees that it is not whole.
func (f *Front) recover(w *response, r *http.Request) {
	v := recover()
	if v == nil {
		return
	}
	if err, ok := v.(error); ok && errors.Is(err, http.ErrAbortHandler) {
		panic(v)
	}
	f.Log.ErrorContext(r.Context(), "panic", "request", w.id, "path", withoutToken(instance(w.url)), "panic", v, "stack", string(debug.Stack()))
	if w.status != 0 {
		panic(http.ErrAbortHandler)
	}
	f.explain(w, r, asError(errors.New("panic")))
}

// end counts an answer and logs it: neither what stands in its query, which is
// what somebody looks for, nor from where it came.
func (f *Front) end(ctx context.Context, w *response, method string, begin time.Time) {
	took := f.Now().Sub(begin)
	if f.Observer != nil {
		f.Observer.End(cmp.Or(w.operation, operationOther), cmp.Or(w.status, http.StatusOK), took)
	}
	f.log(ctx, w, method, took)
}

func (f *Front) log(ctx context.Context, w *response, method string, took time.Duration) {
	level := slog.LevelInfo
	if w.status >= 500 && !expected(w.err) {
		level = slog.LevelError
	} else if f.Quiet {
		return
	}
	if !f.Log.Enabled(ctx, level) {
		return
	}
	attrs := []slog.Attr{
		slog.String("request", w.id), slog.String("method", method), slog.String("path", withoutToken(instance(w.url))),
		slog.Int("status", w.status), slog.Int64("bytes", w.bytes),
		slog.Duration("took", took), slog.String("operation", w.operation),
	}
	if w.err != nil && w.status >= 500 {
		attrs = append(attrs, slog.String("error", withoutClient(w.err.Error(), w.remote)))
	}
	f.Log.LogAttrs(ctx, level, "request", attrs...)
}

// expected tells whether an answer without success is no fault of the service, as
// the error that it comes of says by its method Expected.
func expected(err error) bool {
	var e interface{ Expected() bool }
	return errors.As(err, &e) && e.Expected()
}

// instance is the path that the client asked for, unless it is absurdly long.
func instance(u *url.URL) string {
	if len(u.Path) > pathMax {
		return "/"
	}
	return u.EscapedPath()
}

// requestID takes over the id that a proxy gave, if it is harmless.
func requestID(id string) string {
	if len(id) < 8 || len(id) > 64 {
		return newID()
	}
	for _, c := range []byte(id) {
		if (c < '0' || c > '9') && (c < 'a' || c > 'z') && (c < 'A' || c > 'Z') && c != '-' && c != '_' && c != '.' {
			return newID()
		}
	}
	return id
}

// newID is unique among the requests of a log. It protects nothing, so it need
// not be drawn from the system's source of secrets.
func newID() string {
	var b [16]byte
	binary.NativeEndian.PutUint64(b[:8], rand.Uint64())
	binary.NativeEndian.PutUint64(b[8:], rand.Uint64())
	var text [2 * len(b)]byte
	hex.Encode(text[:], b[:])
	return string(text[:])
}
