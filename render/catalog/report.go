package catalog

import (
	"cmp"
	"context"
	"fmt"
	"strings"
	"time"
	"unicode"
)

// ReportState is where a report of a problem stands.
type ReportState string

// States of a report. One that was accepted is public and waits to be mended.
const (
	ReportOpen      ReportState = "OPEN"
	ReportAccepted  ReportState = "ACCEPTED"
	ReportResolved  ReportState = "RESOLVED"
	ReportDismissed ReportState = "DISMISSED"
)

// ReportStates lists the states of a report.
func ReportStates() []ReportState {
	return []ReportState{ReportOpen, ReportAccepted, ReportResolved, ReportDismissed}
}

// ReportCategory is what kind of problem a report tells of.
type ReportCategory string

// Categories of reports. What is said of personal data is never shown.
const (
	ReportPublisher   ReportCategory = "wrong_publisher"
	ReportLicence     ReportCategory = "wrong_licence"
	ReportBroken      ReportCategory = "broken"
	ReportOutdated    ReportCategory = "outdated"
	ReportNotOfficial ReportCategory = "not_official"
	ReportPersonal    ReportCategory = "personal_data"
	ReportOther       ReportCategory = "other"
)

// ReportCategories lists the categories in their documented order.
func ReportCategories() []ReportCategory {
	return []ReportCategory{ReportPublisher, ReportLicence, ReportBroken, ReportOutdated, ReportNotOfficial, ReportPersonal, ReportOther}
}

// Bounds of reports: characters of evidence and of an answer, and answers.
const (
	ReportEvidenceMax = 1000
	ReportAnswerMax   = 2000
	ReportAnswersMax  = 10
)

// ReportAnswer is what somebody answered to a report, in public.
type ReportAnswer struct {
	// ClaimID is the claim of the owner who answers, "" for a moderator.
	ClaimID string    `json:"claim_id,omitempty"`
	Text    string    `json:"text"`
	At      time.Time `json:"at"`
}

// Report is a reader's word that something about an entry is wrong. It is private until a
// moderator accepts or somebody answers it (Public): Accept and Close are a moderator's,
// Answer is a moderator's or an owner's; who calls them has looked at the rights.
type Report struct {
	ID      string `json:"id"`
	EntryID string `json:"entry_id"`
	// Category is "" where it was not asked for; Kind reads it.
	Category ReportCategory `json:"category,omitempty"`
	// Field is the member of the entry that is wrong, "" for the whole.
	Field   string `json:"field,omitempty"`
	Message string `json:"message"`
	// Evidence is an address or a text that shows it.
	Evidence string `json:"evidence,omitempty"`
	// ContactEmail is never public.
	ContactEmail string         `json:"contact_email,omitempty"`
	State        ReportState    `json:"state"`
	Reason       string         `json:"reason,omitempty"`
	Answers      []ReportAnswer `json:"answers,omitempty"`
	// Hidden is set by a moderator: it is not shown, whoever answered.
	Hidden     bool      `json:"hidden,omitempty"`
	CreatedAt  time.Time `json:"created_at"`
	AcceptedAt time.Time `json:"accepted_at,omitzero"`
	DecidedAt  time.Time `json:"decided_at,omitzero"`
}

// Validate checks what the reader wrote; the first broken rule is returned as
// a FieldError.
func (r *Report) Validate() error {
	if r.Category != "" {
		if err := OneOf("category", r.Category, ReportCategories()); err != nil {
			return err
		}
	}
	if strings.TrimSpace(r.Message) == "" {
		return &FieldError{"message", r.Message, "say what is wrong"}
	}
	if err := CheckText("message", r.Message, SubmissionTextMax); err != nil {
		return err
	}
	if err := CheckText("field", r.Field, 100); err != nil {
		return err
	}
	if err := CheckText("evidence", r.Evidence, ReportEvidenceMax); err != nil {
		return err
	}
	return CheckMail("contact_email", r.ContactEmail)
}

// Kind is the category, that of all others where none was given.
func (r *Report) Kind() ReportCategory { return cmp.Or(r.Category, ReportOther) }

// Undecided tells whether it still waits for something to be done.
func (r *Report) Undecided() bool { return r.State == ReportOpen || r.State == ReportAccepted }

// Public tells whether readers see it: a moderator accepted it, or somebody answered, and it was
// not hidden. So nobody can write onto the page of an entry by reporting.
func (r *Report) Public() bool {
	return !r.Hidden && (!r.AcceptedAt.IsZero() || len(r.Answers) > 0)
}

// Quotable tells whether what the reader wrote may be shown once it is public. What is said of
// personal data would show them.
func (r *Report) Quotable() bool { return r.Kind() != ReportPersonal }

// Accept makes an open report public; ErrConflict when it is not open.
func (r *Report) Accept(reason string, at time.Time) error {
	if r.State != ReportOpen {
		return fmt.Errorf("report %s: %s to %s: %w", r.ID, r.State, ReportAccepted, ErrConflict)
	}
	r.State, r.Reason, r.AcceptedAt = ReportAccepted, reason, at
	return nil
}

// Close decides an undecided report; ErrConflict when it was decided before.
func (r *Report) Close(to ReportState, reason string, at time.Time) error {
	if !r.Undecided() || to != ReportResolved && to != ReportDismissed {
		return fmt.Errorf("report %s: %s to %s: %w", r.ID, r.State, to, ErrConflict)
	}
	r.State, r.Reason, r.DecidedAt = to, reason, at
	return nil
}

// Answer adds an answer and so makes the report public; claimID is "" for a moderator. A text
// that breaks a rule is a FieldError, one too many ErrConflict.
func (r *Report) Answer(claimID, text string, at time.Time) error {
	text = strings.TrimSpace(text)
	if text == "" {
		return &FieldError{"answer", text, "say what became of it, or why nothing has to"}
	}
	if err := CheckText("answer", text, ReportAnswerMax); err != nil {
		return err
	}
	if len(r.Answers) >= ReportAnswersMax {
		return fmt.Errorf("report %s has %d answers: %w", r.ID, len(r.Answers), ErrConflict)
	}
	r.Answers = append(r.Answers, ReportAnswer{ClaimID: claimID, Text: text, At: at})
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
	// Of returns all on an entry, oldest first.
	Of(ctx context.Context, entryID string) ([]Report, error)
	// Published returns the public reports before an id, newest first; "" begins at the newest.
	Published(ctx context.Context, before string, limit int) ([]Report, error)
	// Scan calls fn for each public report of the range by entry id, creation and id.
	Scan(ctx context.Context, r Range, fn func(*Report) error) error
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
