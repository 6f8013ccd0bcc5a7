package catalog

import (
	"context"
	"errors"
	"time"
)

// ClaimMethod is how somebody proves that a thing of the register is theirs.
type ClaimMethod string

// Methods of proof.
const (
	// ClaimDNS is a TXT record, ClaimFile a file under /.well-known/ (RFC 8615), ClaimLink a
	// link with rel=me on the institution's own page, ClaimMail a mail to an address of the domain.
	ClaimDNS  ClaimMethod = "dns"
	ClaimFile ClaimMethod = "file"
	ClaimLink ClaimMethod = "link"
	ClaimMail ClaimMethod = "mail"
)

// ClaimMethods lists the methods, the strongest first.
func ClaimMethods() []ClaimMethod {
	return []ClaimMethod{ClaimDNS, ClaimFile, ClaimLink, ClaimMail}
}

// ClaimState is where a claim stands.
type ClaimState string

// States of a claim.
const (
	ClaimPending  ClaimState = "pending"
	ClaimVerified ClaimState = "verified"
	// ClaimEnded claims are of no effect any more: given up, not proved in time, no longer
	// proved, or revoked.
	ClaimEnded ClaimState = "ended"
)

// ClaimStates lists the states of a claim.
func ClaimStates() []ClaimState { return []ClaimState{ClaimPending, ClaimVerified, ClaimEnded} }

// Times and bounds of claims.
const (
	// ProveWithin is how long a proof is waited for, ClaimPause how long lies between the two
	// looks that a proof must stand, so that a name server that flaps proves nothing.
	ProveWithin = 7 * 24 * time.Hour
	ClaimPause  = 10 * time.Minute
	// ClaimEvery is how often a proof is looked at again, ClaimMisses how often in a row it may
	// be missing, MailProofFor how long a proof by mail holds.
	ClaimEvery   = 24 * time.Hour
	ClaimMisses  = 3
	MailProofFor = 365 * 24 * time.Hour
	// ClaimsMax is how many open claims a thing may have; for one more a claim that has been
	// unproven for ClaimRoom ends. CodeTries is how often a code may be wrong.
	ClaimsMax = 100
	ClaimRoom = time.Hour
	CodeTries = 5
)

// Claim is somebody's word, with a proof, that an institution or a source is theirs. Owners say
// more about their entries; they change no verdict.
type Claim struct {
	ID string `json:"id"`
	// SubjectID is the institution or the source, Source tells which.
	SubjectID string      `json:"subject_id"`
	Source    bool        `json:"source,omitempty"`
	Method    ClaimMethod `json:"method"`
	Domain    string      `json:"domain"`
	// Email is never public.
	Email string `json:"email,omitempty"`
	// Lang is the interface language of the mail with the code, "" for the first one.
	Lang string `json:"lang,omitempty"`
	// Value is what the proof shows, SecretHash and CodeHash the SHA-256, in hex, of the owner's
	// secret and of the code in the mail.
	Value      string     `json:"value"`
	SecretHash string     `json:"secret_hash"`
	CodeHash   string     `json:"code_hash,omitempty"`
	Tries      int        `json:"tries,omitempty"`
	State      ClaimState `json:"state"`
	// Reason is what the last look saw, or why it ended.
	Reason string `json:"reason,omitempty"`
	// SeenAt is when the proof was seen first, zero after a look that did not see it.
	SeenAt     time.Time `json:"seen_at,omitzero"`
	VerifiedAt time.Time `json:"verified_at,omitzero"`
	CheckedAt  time.Time `json:"checked_at,omitzero"`
	Misses     int       `json:"misses,omitempty"`
	EndedAt    time.Time `json:"ended_at,omitzero"`
	CreatedAt  time.Time `json:"created_at"`
}

// Settle takes what a look at the proof saw, nil for the proof, and tells the event that
// follows, "" for none.
func (c *Claim) Settle(seen error, now time.Time) EventKind {
	c.CheckedAt, c.Reason = now, ""
	if seen != nil {
		c.Reason = seen.Error()
	}
	switch {
	case c.State == ClaimVerified && seen == nil && c.Method == ClaimMail && now.Sub(c.VerifiedAt) >= MailProofFor:
		return c.End("a proof by mail holds for a year: claim it again", now)
	case c.State == ClaimVerified && seen == nil:
		c.Misses = 0
	case c.State == ClaimVerified:
		if c.Misses++; c.Misses >= ClaimMisses {
			return c.End("no longer proved: "+c.Reason, now)
		}
	case c.State == ClaimPending && now.Sub(c.CreatedAt) > ProveWithin:
		return c.End("not proved within 7 days", now)
	case c.State == ClaimPending && seen != nil:
		c.SeenAt = time.Time{}
	case c.State == ClaimPending && c.SeenAt.IsZero():
		c.SeenAt, c.Reason = now, "seen once: it must still be there in ten minutes"
	case c.State == ClaimPending && now.Sub(c.SeenAt) >= ClaimPause:
		c.State, c.VerifiedAt, c.Misses = ClaimVerified, now, 0
		return EventClaimVerified
	case c.State == ClaimPending:
		c.Reason = "seen once: it must still be there in ten minutes"
	}
	return ""
}

// End ends a claim and gives the event of it.
func (c *Claim) End(why string, now time.Time) EventKind {
	was := c.State
	c.State, c.Reason, c.EndedAt, c.CodeHash = ClaimEnded, why, now, ""
	if was == ClaimVerified {
		return EventClaimEnded
	}
	return ""
}

// StatementKind is what an owner says of an entry.
type StatementKind string

// Kinds of statements.
const (
	StateConfirm       StatementKind = "confirm"
	StateDispute       StatementKind = "dispute"
	StateContact       StatementKind = "contact"
	StateDocumentation StatementKind = "documentation"
	StateProbeAddress  StatementKind = "probe_address"
	StateMaintenance   StatementKind = "maintenance"
	StateSunset        StatementKind = "sunset"
)

// StatementKinds lists the kinds in their documented order.
func StatementKinds() []StatementKind {
	return []StatementKind{StateConfirm, StateDispute, StateContact, StateDocumentation, StateProbeAddress, StateMaintenance, StateSunset}
}

// StatementState is where a statement stands.
type StatementState string

// States of a statement. One that would touch a verdict is open until a moderator decides.
const (
	StatementShown    StatementState = "shown"
	StatementOpen     StatementState = "open"
	StatementAccepted StatementState = "accepted"
	StatementDeclined StatementState = "declined"
	// StatementWithdrawn is one that its owner took back.
	StatementWithdrawn StatementState = "withdrawn"
	// StatementEnded is one that held when its claim ended: nobody stands by it any more.
	StatementEnded StatementState = "ended"
)

// Holds tells whether its owner stood by a statement for as long as the claim held.
func (s StatementState) Holds() bool { return s != StatementWithdrawn && s != StatementDeclined }

// StatementStates lists the states of a statement.
func StatementStates() []StatementState {
	return []StatementState{StatementShown, StatementOpen, StatementAccepted, StatementDeclined, StatementWithdrawn, StatementEnded}
}

// StatementsMax is how many statements about one entry may hold at a time, StatementsKept how
// many are kept in all.
const (
	StatementsMax  = 50
	StatementsKept = 1000
)

// Statement is what the owner of a claimed source says of an entry, beside what the register says.
type Statement struct {
	ID      string        `json:"id"`
	ClaimID string        `json:"claim_id"`
	EntryID string        `json:"entry_id"`
	Kind    StatementKind `json:"kind"`
	// Field is what of the entry it is about, "" for the whole.
	Field string `json:"field,omitempty"`
	Text  string `json:"text,omitempty"`
	URL   string `json:"url,omitempty"`
	// From and Until are those of maintenance; From alone is when a source ends.
	From      time.Time      `json:"from,omitzero"`
	Until     time.Time      `json:"until,omitzero"`
	State     StatementState `json:"state"`
	Reason    string         `json:"reason,omitempty"`
	CreatedAt time.Time      `json:"created_at"`
	DecidedAt time.Time      `json:"decided_at,omitzero"`
}

// Said is a statement with the claim of who made it.
type Said struct {
	Statement
	Method ClaimMethod
	Domain string
	// Proved is when the claim was proved, Ended when it ended, zero while it holds.
	Proved, Ended time.Time
}

// NewSaid sets a statement beside its claim.
func NewSaid(s *Statement, c *Claim) Said {
	return Said{Statement: *s, Method: c.Method, Domain: c.Domain, Proved: c.VerifiedAt, Ended: c.EndedAt}
}

// Told sets statements beside their claims; one that is not kept any more leaves its part empty.
func Told(ctx context.Context, claims Claims, list []Statement) ([]Said, error) {
	known := map[string]*Claim{}
	out := make([]Said, 0, len(list))
	for i := range list {
		s := &list[i]
		if known[s.ClaimID] == nil {
			c, err := claims.Get(ctx, s.ClaimID)
			if errors.Is(err, ErrNotFound) {
				c, err = &Claim{ID: s.ClaimID}, nil
			}
			if err != nil {
				return nil, err
			}
			known[s.ClaimID] = c
		}
		out = append(out, NewSaid(s, known[s.ClaimID]))
	}
	return out, nil
}

// Validate checks what an owner wrote; the first broken rule is returned as a FieldError.
func (s *Statement) Validate(now time.Time) error {
	if err := OneOf("kind", s.Kind, StatementKinds()); err != nil {
		return err
	}
	if err := CheckText("field", s.Field, 100); err != nil {
		return err
	}
	if err := CheckText("text", s.Text, SubmissionTextMax); err != nil {
		return err
	}
	if s.URL != "" {
		if err := CheckURL("url", s.URL); err != nil {
			return err
		}
	}
	switch {
	case s.Kind == StateDispute && s.Text == "":
		return &FieldError{"text", "", "say what is wrong, and why"}
	case (s.Kind == StateDocumentation || s.Kind == StateProbeAddress) && s.URL == "":
		return &FieldError{"url", "", "give the address"}
	case s.Kind == StateContact && s.Text == "" && s.URL == "":
		return &FieldError{"text", "", "give a functional contact: an office, an address or a page"}
	case s.Kind == StateMaintenance && (s.From.IsZero() || !s.Until.After(s.From) || s.Until.Before(now) || s.Until.Sub(s.From) > 31*24*time.Hour):
		return &FieldError{"until", s.Until.Format(time.RFC3339), "give from and until, at most 31 days apart and not over yet"}
	case s.Kind == StateSunset && !s.From.After(now):
		return &FieldError{"from", s.From.Format(time.RFC3339), "give the coming instant at which the source ends"}
	}
	return nil
}

// JobCheckClaim looks at the proof of a claim again.
const JobCheckClaim = "claim.check"

// JobMailClaim sends the code of a claim.
const JobMailClaim = "claim.mail"

// Claims stores claims and what owners say.
type Claims interface {
	Put(ctx context.Context, list ...Claim) error
	// Get returns a claim or ErrNotFound.
	Get(ctx context.Context, id string) (*Claim, error)
	// Of returns the claims of an institution or a source, by id.
	Of(ctx context.Context, subjectID string) ([]Claim, error)
	// After returns up to limit claims with a higher id.
	After(ctx context.Context, id string, limit int) ([]Claim, error)

	PutStatement(ctx context.Context, s Statement) error
	// Statement returns a statement or ErrNotFound.
	Statement(ctx context.Context, id string) (*Statement, error)
	// Statements returns those about an entry, by id.
	Statements(ctx context.Context, entryID string) ([]Statement, error)
	// ScanStatements calls fn for each statement about the entries of the range by entry id and id.
	ScanStatements(ctx context.Context, r Range, fn func(*Statement) error) error
	// ByClaim returns those that an owner made by a claim, by id.
	ByClaim(ctx context.Context, claimID string) ([]Statement, error)
	// InState returns up to limit statements of a state with a higher id.
	InState(ctx context.Context, state StatementState, after string, limit int) ([]Statement, error)
}
