package query

import (
	"fmt"
	"net/http"

	"github.com/assay-register/assay/render/catalog"
	"github.com/assay-register/assay/render/wire"
)

// paramsError lists everything that is wrong with the parameters of a request.
type paramsError struct{ errors []wire.ProblemError }

// Error implements error.
func (e *paramsError) Error() string {
	return fmt.Sprintf("%s: %s", e.errors[0].Location, e.errors[0].Message)
}

// Unwrap makes it an invalid value.
func (e *paramsError) Unwrap() error { return catalog.ErrInvalid }

// Problem says what is wrong.
func (e *paramsError) Problem() wire.Problem {
	detail := "One parameter cannot be used."
	if n := len(e.errors); n > 1 {
		detail = fmt.Sprintf("%d parameters cannot be used.", n)
	}
	return wire.Problem{Type: "invalid-parameter", Detail: detail, Errors: e.errors}
}

// expiredError says that a snapshot is no longer published.
type expiredError struct{ id string }

// Error implements error.
func (e *expiredError) Error() string { return "snapshot " + e.id + " has expired" }

// Unwrap makes it a thing that is gone.
func (e *expiredError) Unwrap() error { return catalog.ErrGone }

// Problem tells the remedy.
func (e *expiredError) Problem() wire.Problem {
	return wire.Problem{Type: "snapshot-expired",
		Detail: "Snapshot " + e.id + " is no longer published; begin again without naming a snapshot."}
}

// Expired is the error for a snapshot that is not published.
func Expired(id string) error { return &expiredError{id} }

// unavailableError says that nothing can be answered yet.
type unavailableError struct{}

var errUnavailable error = unavailableError{}

// Error implements error.
func (unavailableError) Error() string { return "no snapshot is loaded" }

// Problem asks for patience.
func (unavailableError) Problem() wire.Problem {
	return wire.Problem{Status: http.StatusServiceUnavailable, Detail: "No snapshot is loaded yet; try again shortly."}
}

// Expected tells that this is no fault: the first build is still to come.
func (unavailableError) Expected() bool { return true }

// siteGoneError says that the files of the site are not where they were.
type siteGoneError struct{}

var errSiteGone error = siteGoneError{}

// Error implements error.
func (siteGoneError) Error() string { return "the folder of the site is gone" }

// Problem asks for patience.
func (siteGoneError) Problem() wire.Problem {
	return wire.Problem{Status: http.StatusServiceUnavailable, Detail: "The files of the site are away; try again shortly."}
}

// noIndexError says that a snapshot cannot be searched.
type noIndexError struct{}

var errNoIndex error = noIndexError{}

// Error implements error.
func (noIndexError) Error() string { return "the snapshot has no search index" }

// Problem tells the remedy.
func (noIndexError) Problem() wire.Problem {
	return wire.Problem{Status: http.StatusServiceUnavailable,
		Detail: "This snapshot was built without a search index; its operator builds the site again with this release."}
}
