package web

import (
	"cmp"
	"context"
	"errors"
	"net/http"
	"syscall"

	"github.com/assay-register/assay/render/catalog"
	"github.com/assay-register/assay/render/wire"
)

// Error is an answer that is no success. Problem.Type holds the name of the
// problem type, "" when the status says all.
type Error struct {
	Problem wire.Problem
	// Header is sent with the answer.
	Header http.Header
	// Cause is logged, never shown.
	Cause error
}

// Error implements error.
func (e *Error) Error() string {
	text := http.StatusText(e.Problem.Status)
	if e.Problem.Detail != "" {
		text += ": " + e.Problem.Detail
	}
	if e.Cause != nil {
		text += ": " + e.Cause.Error()
	}
	return text
}

// Unwrap gives the cause.
func (e *Error) Unwrap() error { return e.Cause }

// Explained is an error of a use-case that knows what to tell a client. A
// status that it leaves out comes from the sentinel it wraps.
type Explained interface {
	error
	Problem() wire.Problem
}

// Names of problem types; each has a page below /problems/.
const (
	ProblemParameter = "invalid-parameter"
	ProblemExpired   = "snapshot-expired"
	ProblemRemoved   = "entry-removed"
	// ProblemQuota is registered for all of HTTP and has its page elsewhere.
	ProblemQuota = "https://iana.org/assignments/http-problem-types#quota-exceeded"
)

// exhausted explains errors of the machine that pass.
const exhausted = "The machine of the service is short of descriptors, memory or disk. Try again shortly."

// statuses maps the sentinels of the catalog and errors of the machine, most
// specific first.
var statuses = []struct {
	err    error
	status int
	detail string
}{
	{catalog.ErrNotFound, http.StatusNotFound, "Nothing is known under this name."},
	{catalog.ErrGone, http.StatusGone, "This was removed."},
	{catalog.ErrConflict, http.StatusConflict, "The present state does not allow this."},
	{catalog.ErrLeaseLost, http.StatusConflict, "The present state does not allow this."},
	{catalog.ErrInvalid, http.StatusUnprocessableEntity, "A value is not valid."},
	{catalog.ErrUnavailable, http.StatusServiceUnavailable, "The store of the register is away or full. Try again shortly; what was not acknowledged may not have been kept."},
	{syscall.EMFILE, http.StatusServiceUnavailable, exhausted},
	{syscall.ENFILE, http.StatusServiceUnavailable, exhausted},
	{syscall.ENOMEM, http.StatusServiceUnavailable, exhausted},
	{syscall.ENOSPC, http.StatusServiceUnavailable, exhausted},
	{syscall.EIO, http.StatusServiceUnavailable, exhausted},
	{context.DeadlineExceeded, http.StatusServiceUnavailable, "The answer took too long; try again, or ask for less."},
}

// retryAfter is the number of seconds that a 503 asks for.
const retryAfter = "5"

// asError makes the answer of any error.
func asError(err error) *Error {
	var e *Error
	if errors.As(err, &e) {
		return e
	}
	var tooLarge *http.MaxBytesError
	if errors.As(err, &tooLarge) {
		return &Error{Problem: wire.Problem{Status: http.StatusRequestEntityTooLarge, Detail: "A request body has at most 64 KiB."}, Cause: err}
	}
	e = &Error{Problem: wire.Problem{Status: http.StatusInternalServerError,
		Detail: "The request could not be answered. Quote X-Request-Id when you report this."}, Cause: err}
	for _, s := range statuses {
		if errors.Is(err, s.err) {
			e.Problem.Status, e.Problem.Detail = s.status, s.detail
			break
		}
	}
	e.explain(err)
	return e
}

// ProblemOf is what a client is told of an error, for views that tell it in their own form.
func ProblemOf(err error) wire.Problem { return asError(err).Problem }

// explain takes over what the error of a use-case says.
func (e *Error) explain(err error) {
	var x Explained
	if errors.As(err, &x) {
		status := e.Problem.Status
		e.Problem = x.Problem()
		e.Problem.Status = cmp.Or(e.Problem.Status, status)
		return
	}
	var field *catalog.FieldError
	if errors.As(err, &field) {
		e.Problem.Errors = []wire.ProblemError{{Location: "body." + field.Field, Message: field.Remedy, Value: Shorten(field.Value)}}
	}
}

// NotFound is a 404.
func NotFound(detail string) error {
	return &Error{Problem: wire.Problem{Status: http.StatusNotFound, Detail: detail}}
}

// Unauthorized is a 401: the request needs a token (RFC 6750, section 3).
func Unauthorized(detail string) error {
	return &Error{Problem: wire.Problem{Status: http.StatusUnauthorized, Detail: detail}, Header: http.Header{"Www-Authenticate": {"Bearer"}}}
}

// Forbidden is a 403: the token is good, but its role does not suffice.
func Forbidden(detail string) error {
	return &Error{Problem: wire.Problem{Status: http.StatusForbidden, Detail: detail}}
}

// Malformed is a 400.
func Malformed(detail string) error {
	return &Error{Problem: wire.Problem{Status: http.StatusBadRequest, Detail: detail}}
}

// Removed is the 410 of an entry that was public once; successor is the id of
// the one that took its place, or "".
func Removed(name, successor string) error {
	problem := wire.Problem{Status: http.StatusGone, Type: ProblemRemoved, Detail: "The entry " + Shorten(name) + " was removed from the register."}
	if successor != "" {
		problem.Detail += " Its successor is " + successor + "."
		problem.Successor = &successor
	}
	return &Error{Problem: problem}
}
