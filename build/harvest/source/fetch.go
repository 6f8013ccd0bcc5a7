package source

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"time"
)

// Request names a page of a live source.
type Request struct {
	URL string
	// Accept lists the media types that the connector reads, in its order of
	// preference, as the Accept header takes them; empty is anything.
	Accept string
	// Unconditional asks for the page whether or not it changed: it says nothing
	// about the rest of the source, as a landing page does.
	Unconditional bool
	// Body makes it a POST of that body, of the type of ContentType. What is asked
	// so must be a question that may be asked twice.
	Body        []byte
	ContentType string
}

// Response is a page of a live source. Its body is bounded in size and time.
type Response struct {
	Body io.ReadCloser
	// URL is the address the body came from, after redirects.
	URL string
	// Header is the header of the answer: Link, Content-Type and the like.
	Header http.Header
}

// Fetch gets a page of a live source. It keeps the gap between requests to one
// host, honours Retry-After, tries again what may succeed later, and bounds
// what it reads. The error is a *FetchError or that of the context.
type Fetch func(ctx context.Context, r Request) (*Response, error)

// FetchError is a page that could not be fetched.
type FetchError struct {
	URL  string
	Code Code
	// Status is that of the last answer, 0 when there was none.
	Status int
	// Attempts is how many requests were made.
	Attempts int
	// RetryAfter is what the host asked for, 0 when it asked for nothing.
	RetryAfter time.Duration
	Err        error
}

// Error implements error.
func (e *FetchError) Error() string {
	return fmt.Sprintf("fetch %s: %s after %d attempts: %v", e.URL, e.Code, e.Attempts, e.Err)
}

// Unwrap gives the cause.
func (e *FetchError) Unwrap() error { return e.Err }
