package catalog

import (
	"context"
	"slices"
	"time"
)

// Frequency is how often mail about a watch is sent.
type Frequency string

// Frequencies.
const (
	FrequencyImmediate Frequency = "immediate"
	FrequencyDaily     Frequency = "daily"
	FrequencyWeekly    Frequency = "weekly"
)

// Frequencies lists the frequencies in their documented order.
func Frequencies() []Frequency {
	return []Frequency{FrequencyImmediate, FrequencyDaily, FrequencyWeekly}
}

// Days and hours of digests, in UTC.
const (
	digestHour = 6
	digestDay  = time.Monday
)

// Due is when the mail about an event at the given time is sent: at once, or
// at 06:00 UTC of the next day or Monday.
func (f Frequency) Due(at time.Time) time.Time {
	at = at.UTC()
	if f == FrequencyImmediate {
		return at
	}
	next := time.Date(at.Year(), at.Month(), at.Day(), digestHour, 0, 0, 0, time.UTC)
	for !next.After(at) || f == FrequencyWeekly && next.Weekday() != digestDay {
		next = next.AddDate(0, 0, 1)
	}
	return next
}

// WatchState is where a watch stands. One that ended is deleted.
type WatchState string

// States of a watch.
const (
	// WatchPending watches get no mail but the one that asks for confirmation.
	WatchPending WatchState = "pending"
	WatchActive  WatchState = "active"
)

// VerifyWithin is how long a watch may be confirmed (decisions §6).
const VerifyWithin = 48 * time.Hour

// Watch is somebody's wish for mail about events.
type Watch struct {
	ID        string      `json:"id"`
	Email     string      `json:"email"`
	Filter    EventFilter `json:"filter"`
	Frequency Frequency   `json:"frequency"`
	// Lang is the interface language of its mail, "" for the first one.
	Lang  string     `json:"lang,omitempty"`
	State WatchState `json:"state"`
	// VerifyHash is the lower-case hex SHA-256 of the token that confirms the
	// watch, "" before its mail and after its use.
	VerifyHash string `json:"verify_hash,omitempty"`
	// Since is the last event before the confirmation; those behind it are told.
	Since int64 `json:"since,omitempty"`
	// Digest makes of it the digest of an owner, nil for a reader's watch.
	Digest *Digest `json:"digest,omitempty"`
	// Sent are the UTC days on which its digests were sent, in that order: a clock that is set back
	// comes to a day again, and a day has one digest.
	Sent []SentDay `json:"sent,omitempty"`
	// MailedAt is when the confirmation was asked for.
	MailedAt   time.Time `json:"mailed_at,omitzero"`
	CreatedAt  time.Time `json:"created_at"`
	VerifiedAt time.Time `json:"verified_at,omitzero"`
	UpdatedAt  time.Time `json:"updated_at"`
}

// SentDay is a UTC day, YYYY-MM-DD, with the job of its digest.
type SentDay struct {
	Day string `json:"day"`
	Job string `json:"job"`
}

// daysKept bounds the days that a watch remembers.
const daysKept = 62

// Free tells that a digest may be sent at a time by a job: its UTC day has none of another job.
// What comes at once is none.
func (w *Watch) Free(now time.Time, job string) bool {
	day := now.UTC().Format(time.DateOnly)
	return w.Frequency == FrequencyImmediate || !slices.ContainsFunc(w.Sent, func(s SentDay) bool { return s.Day == day && s.Job != job })
}

// Spend notes that the UTC day of a time has the digest of a job.
func (w *Watch) Spend(now time.Time, job string) {
	s := SentDay{now.UTC().Format(time.DateOnly), job}
	if w.Frequency == FrequencyImmediate || slices.Contains(w.Sent, s) {
		return
	}
	w.Sent = append(w.Sent, s)
	w.Sent = w.Sent[max(0, len(w.Sent)-daysKept):]
}

// Next is when the next digest is due, on a day that has none yet.
func (w *Watch) Next(now time.Time) time.Time {
	due := w.Frequency.Due(now)
	for !w.Free(due, "") {
		due = w.Frequency.Due(due)
	}
	return due
}

// Validate checks what a reader wrote; the first broken rule is returned as a
// FieldError.
func (w *Watch) Validate() error {
	if w.Email == "" {
		return &FieldError{"email", "", "give the address that mail is to go to"}
	}
	if err := CheckMail("email", w.Email); err != nil {
		return err
	}
	if w.Digest == nil && !w.Filter.OfEntries() {
		return &FieldError{"entry", "", "name an entry, or narrow by a filter"}
	}
	if w.Digest != nil && w.Filter.OfEntries() {
		return &FieldError{"filter", "", "leave it out: an owner's digest is about what was claimed"}
	}
	if w.Digest != nil && w.Frequency == FrequencyImmediate {
		return &FieldError{"frequency", string(w.Frequency), "use daily or weekly: an owner's digest comes at most once a day"}
	}
	if err := OneOf("frequency", w.Frequency, Frequencies()); err != nil {
		return err
	}
	return w.Filter.Validate()
}

// Follows tells that an event, of the entry as it is now, is one to tell of; the entry is nil for
// an event without one.
func (w *Watch) Follows(e *Event, entry *Entry) bool {
	return e.Number > w.Since && w.Filter.Match(e, entry) && (w.Digest == nil || entry != nil && w.Digest.Has(entry))
}

// Entry is the id of the one entry that the watch is about, "" when it is about
// several.
func (w *Watch) Entry() string {
	f := &w.Filter
	if len(f.Entries) == 1 && len(f.Countries)+len(f.Institutions)+len(f.Tags) == 0 {
		return f.Entries[0]
	}
	return ""
}

// Watches stores watches.
type Watches interface {
	// Put inserts or replaces watches.
	Put(ctx context.Context, list ...Watch) error
	// Get returns the watch or ErrNotFound.
	Get(ctx context.Context, id string) (*Watch, error)
	// ByVerifyHash returns the watch that a token confirms, or ErrNotFound.
	ByVerifyHash(ctx context.Context, hash string) (*Watch, error)
	// Of returns the watches of an address, whatever its case, by creation and id.
	Of(ctx context.Context, email string) ([]Watch, error)
	// Following returns the active watches of one of the entries, and those
	// that follow more than one entry.
	Following(ctx context.Context, entryIDs ...string) ([]Watch, error)
	// Delete removes watches with their items.
	Delete(ctx context.Context, ids ...string) error
	// Expire deletes the pending watches made before the time and returns how
	// many.
	Expire(ctx context.Context, before time.Time) (int64, error)
}

// WatchItem is an event that a watch is to tell of.
type WatchItem struct {
	WatchID string
	Event   int64
}

// WatchItems stores what is still to be told.
type WatchItems interface {
	// Add stores items; one that exists is kept.
	Add(ctx context.Context, list ...WatchItem) error
	// Bind gives the items that belong to no mail yet, up to a limit, to a
	// mail, unless that mail has items; it returns the events of the mail.
	Bind(ctx context.Context, watchID, mail string, limit int) ([]int64, error)
	// Told deletes the items of a mail and tells whether others wait.
	Told(ctx context.Context, watchID, mail string) (more bool, err error)
}
