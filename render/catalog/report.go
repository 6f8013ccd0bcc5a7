package catalog

import (
	"context"
	"fmt"
	"strings"
	"time"
	"unicode"
)

// ReportState is where a report of a problem stands.
type ReportState string

// States of a report.
const (
	ReportOpen      ReportState = "OPEN"
	ReportResolved  ReportState = "RESOLVED"
	ReportDismissed ReportState = "DISMISSED"
)

// ReportStates lists the states of a report.
func ReportStates() []ReportState { return []ReportState{ReportOpen, ReportResolved, ReportDismissed} }

// Report is a reader's word that something about an entry is wrong.
type Report struct {
	ID      string `json:"id"`
	EntryID string `json:"entry_id"`
	// Field is the member of the entry that is wrong, "" for the whole.
	Field   string `json:"field,omitempty"`
	Message string `json:"message"`
	// ContactEmail is never public.
	ContactEmail string      `json:"contact_email,omitempty"`
	State        ReportState `json:"state"`
	Reason       string      `json:"reason,omitempty"`
	CreatedAt    time.Time   `json:"created_at"`
	DecidedAt    time.Time   `json:"decided_at,omitzero"`
}

// Validate checks what the reader wrote; the first broken rule is returned as
// a FieldError.
func (r *Report) Validate() error {
	if strings.TrimSpace(r.Message) == "" {
		return &FieldError{"message", r.Message, "say what is wrong"}
	}
	if err := CheckText("message", r.Message, SubmissionTextMax); err != nil {
		return err
	}
	if err := CheckText("field", r.Field, 100); err != nil {
		return err
	}
	return CheckMail("contact_email", r.ContactEmail)
}

// Close decides an open report; ErrConflict when it was decided before.
func (r *Report) Close(to ReportState, reason string, at time.Time) error {
	if r.State != ReportOpen || to == ReportOpen {
		return fmt.Errorf("report %s: %s to %s: %w", r.ID, r.State, to, ErrConflict)
	}
	r.State, r.Reason, r.DecidedAt = to, reason, at
	return nil
}

// Reports stores what readers reported.
type Reports interface {
	// Put inserts or replaces reports.
	Put(ctx context.Context, list ...Report) error
	// Get returns a report or ErrNotFound.
	Get(ctx context.Context, id string) (*Report, error)
	// Open returns the undecided reports after an id, oldest first.
	Open(ctx context.Context, after string, limit int) ([]Report, error)
	// OpenOn counts the undecided reports on an entry.
	OpenOn(ctx context.Context, entryID string) (int, error)
	// CountOpen counts all that are undecided.
	CountOpen(ctx context.Context) (int, error)
}

// Replay is the answer that was given to a request with an idempotency key.
type Replay struct {
	// Key is the hash of the operation and the client's key, Request that of
	// the request's body; both lower-case hex SHA-256.
	Key     string    `json:"key"`
	Request string    `json:"request"`
	Status  int       `json:"status"`
	Body    string    `json:"body"`
	At      time.Time `json:"at"`
}

// Replays stores answers, so that a request that is sent again has its effect
// once (draft-ietf-httpapi-idempotency-key-header).
type Replays interface {
	// Put stores answers; a key that exists is kept as it is.
	Put(ctx context.Context, list ...Replay) error
	// Get returns the answers of the keys that exist, by key.
	Get(ctx context.Context, keys ...string) (map[string]Replay, error)
	// Prune deletes those given before the time and returns how many.
	Prune(ctx context.Context, before time.Time) (int64, error)
}

// CheckMail accepts an empty text or what can be an e-mail address: one @
// between a local part and a host with a dot, and nothing that could end a
// header line or that nobody sees: with invisible characters one mailbox has any
// number of spellings.
func CheckMail(field, s string) error {
	if s == "" {
		return nil
	}
	local, host, ok := strings.Cut(s, "@")
	if !ok || local == "" || strings.Contains(host, "@") || !strings.Contains(strings.Trim(host, "."), ".") ||
		len(s) > MailMax || strings.ContainsAny(s, " \t\r\n<>()[]\\,;:\"") || strings.ContainsFunc(s, invisible) {
		return &FieldError{field, s, "use an address such as office@example.org"}
	}
	return CheckText(field, s, MailMax)
}

// invisible tells of a character that it leaves no mark of its own: a format or
// control character, or a space.
func invisible(r rune) bool { return unicode.In(r, unicode.Cf, unicode.Cc, unicode.Z) }
