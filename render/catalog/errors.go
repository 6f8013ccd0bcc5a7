package catalog

import (
	"errors"
	"fmt"
	"strings"
)

// Sentinel errors of the register. Stores and rules wrap them; the service
// maps them to a status in one table.
var (
	// ErrNotFound says that no record has the given key.
	ErrNotFound = errors.New("not found")
	// ErrConflict says that the state of a record forbids the change.
	ErrConflict = errors.New("conflict")
	// ErrInvalid says that a value breaks a rule of its field.
	ErrInvalid = errors.New("invalid")
	// ErrGone says that the record was removed.
	ErrGone = errors.New("gone")
	// ErrUnavailable says that the store is away, restarting or full, so that the
	// same may succeed later. What was not acknowledged may not have been kept.
	ErrUnavailable = errors.New("the store is away or full")
	// ErrLeaseLost says that a worker no longer holds the job it reports on.
	ErrLeaseLost = errors.New("lease lost")
)

// FieldError names the field that broke a rule and the remedy. It unwraps to
// ErrInvalid.
type FieldError struct {
	Field  string
	Value  string
	Remedy string
}

// Error implements error.
func (e *FieldError) Error() string {
	return fmt.Sprintf("field %s: %q: %s", e.Field, shorten(e.Value, 80), e.Remedy)
}

// Unwrap makes errors.Is(err, ErrInvalid) true.
func (e *FieldError) Unwrap() error { return ErrInvalid }

func shorten(s string, n int) string {
	if len(s) <= n {
		return s
	}
	return strings.ToValidUTF8(s[:n], "") + "…"
}
