package translog

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"github.com/assay-register/assay/render/catalog"
)

// LeafMax is the longest leaf in bytes: a bundle says lengths in two bytes (C2SP
// tlog-tiles).
const LeafMax = 1<<16 - 1

// Kinds of leaves beside those of events.
const (
	// KindHead names a snapshot and binds all that it shows.
	KindHead = "snapshot.head"
	// KindPublished says that an entry is shown, of which no event told: its time of
	// publication came by itself.
	KindPublished = "entry.published"
	// KindKey names the key that signs from here on; the leaf is in a checkpoint
	// that the key before it signed.
	KindKey = "log.key"
	// KindRestored says that the register was put back to an earlier state, and goes on
	// from there.
	KindRestored = "register.restored"
	// KindLost says that an entry left the register because a restore lost it.
	KindLost = "entry.lost"
)

// Leaf is what the log says once. Its bytes are JSON with sorted members and no white
// space (RFC 8785); it holds no text that a person wrote.
type Leaf struct {
	// Version is that of this form, 1.
	Version int `json:"version"`
	// Type is the kind of an event, or one of the kinds above.
	Type string `json:"type"`
	// At is when it happened, RFC 3339 in UTC.
	At string `json:"at"`
	// Epoch counts how often the register was put back; within one, Event ascends.
	Epoch int `json:"epoch,omitempty"`
	// Event is the number of the event in the change feed, of a snapshot that of the last
	// event that it shows, 0 for none.
	Event int64 `json:"event,omitempty"`
	// Entry is the id of the entry that the verdict is about, "" for none.
	Entry string `json:"entry,omitempty"`
	// Subject is what a leaf without an entry is about: a submission, a snapshot.
	Subject string `json:"subject,omitempty"`
	// Verdict holds what changed by the name of the field.
	Verdict map[string]Delta `json:"verdict,omitempty"`
	// Cause tells who decided where that is not the register by its rules: "curator".
	Cause string `json:"cause,omitempty"`
	// Reason is the class of the reason for a decision.
	Reason string `json:"reason,omitempty"`
	// Evidence is the SHA-256, in hex, of what the leaf rests on: of an event, Evidence;
	// of a snapshot, the bytes of its head; of a key, the key that it replaces.
	Evidence string `json:"evidence_sha256,omitempty"`
	// Rubric is the version of the rules by which scores are made.
	Rubric string `json:"rubric,omitempty"`
	// Content is, of a snapshot, the digest of its routes and their hashes, Entries how
	// many it shows.
	Content string `json:"content_sha256,omitempty"`
	Entries int    `json:"entries,omitempty"`
	// Key is the verifier of the key that signs from here on.
	Key string `json:"key,omitempty"`
}

// About is what the index finds a leaf by: its entry, or the kind of one that is about the
// log or a snapshot.
func (l *Leaf) About() string {
	switch l.Type {
	case KindHead, KindKey, KindRestored:
		return l.Type
	}
	return l.Entry
}

// Delta is the value of a field before and after.
type Delta struct {
	From any `json:"from"`
	To   any `json:"to"`
}

// Encode is the bytes of the leaf. One that is too long is an error.
func (l *Leaf) Encode() ([]byte, error) {
	b, err := canonical(l)
	if err == nil && len(b) > LeafMax {
		return nil, fmt.Errorf("leaf of %s has %d bytes, a log takes %d", l.Type, len(b), LeafMax)
	}
	return b, err
}

// DecodeLeaf reads the bytes of a leaf of the log.
func DecodeLeaf(b []byte) (*Leaf, error) {
	var l Leaf
	d := json.NewDecoder(bytes.NewReader(b))
	d.UseNumber()
	if err := d.Decode(&l); err != nil {
		return nil, fmt.Errorf("not a leaf of this log: %w", err)
	}
	if l.Version != 1 {
		return nil, fmt.Errorf("leaf of version %d, this program knows 1: use a newer one", l.Version)
	}
	return &l, nil
}

// verdicts are the fields whose change is a change of a verdict (decisions-2 §H).
// What others say of a source is no verdict of the register, and may name persons.
var verdicts = []string{"status", "verification_state", "mqa_score", "merged_into_id", "successor_id",
	"is_official", "officialness", "free_access_class", "auth_type", "license_id", "institution_id", "official_basis"}

// always are the events that are verdicts whatever they changed.
var always = []catalog.EventKind{catalog.EventCreated, catalog.EventVerified, catalog.EventFailing, catalog.EventStale,
	catalog.EventDeprecated, catalog.EventReactivated, catalog.EventRemoved, catalog.EventMerged, catalog.EventUnmerged, catalog.EventReopened,
	catalog.EventScoreChanged, catalog.EventSubmissionApproved, catalog.EventSubmissionRejected, catalog.EventSubmissionReopened, catalog.EventCandidateDecided,
	catalog.EventClaimVerified, catalog.EventClaimEnded}

// CauseCurator marks an event that a person of the register decided.
const CauseCurator = "curator"

// Of is the leaf of an event; ok is false for one that changes no verdict, or is not
// public. It is made of what never changes any more, so it has the same bytes whenever it
// is made. The entry is nil for an event without one.
func Of(e *catalog.Event, entry *catalog.Entry, epoch int, rubric string) (_ *Leaf, ok bool, err error) {
	if !e.Public(entry) {
		return nil, false, nil
	}
	l := &Leaf{Version: 1, Type: string(e.Type), At: e.OccurredAt.UTC().Truncate(time.Millisecond).Format("2006-01-02T15:04:05.000Z"),
		Epoch: epoch, Event: e.Number, Entry: e.EntryID}
	var data struct {
		Submission string `json:"submission"`
		Candidate  string `json:"candidate"`
		Claim      string `json:"claim"`
		Class      string `json:"reason_class"`
		Cause      string `json:"cause"`
	}
	if len(e.Data) > 0 {
		if err := json.Unmarshal(e.Data, &data); err != nil {
			return nil, false, fmt.Errorf("data of event %d: %w", e.Number, err)
		}
	}
	l.Subject, l.Reason = cmp.Or(data.Submission, data.Candidate, data.Claim), data.Class
	if data.Cause == CauseCurator {
		l.Cause = CauseCurator
	}
	l.Verdict = deltas(e.Changes)
	if !slices.Contains(always, e.Type) && len(l.Verdict) == 0 && l.Cause == "" {
		return nil, false, nil
	}
	if e.Type == catalog.EventScoreChanged {
		l.Rubric = rubric
	}
	l.Evidence, err = Evidence(e)
	return l, err == nil, err
}

func deltas(changes []catalog.FieldChange) map[string]Delta {
	out := map[string]Delta{}
	for _, c := range changes {
		if slices.Contains(verdicts, c.Field) {
			out[c.Field] = Delta{From: raw(c.From), To: raw(c.To)}
		}
	}
	return out
}

func raw(v json.RawMessage) any {
	if len(v) == 0 {
		return nil
	}
	return v
}

// Evidence is the SHA-256, in hex, of what an event says: the canonical JSON of its
// number, kind, time and changes. It binds texts that the leaf itself must not hold.
func Evidence(e *catalog.Event) (string, error) {
	b, err := canonical(map[string]any{"event": e.Number, "type": e.Type, "at": e.OccurredAt.UTC(), "changes": e.Changes})
	if err != nil {
		return "", fmt.Errorf("event %d: %w", e.Number, err)
	}
	sum := sha256.Sum256(b)
	return hex.EncodeToString(sum[:]), nil
}

// canonical is JSON with sorted members, as short as it gets, with no character escaped
// that need not be (RFC 8785). Numbers stay as they are written.
func canonical(v any) ([]byte, error) {
	first, err := json.Marshal(v)
	if err != nil {
		return nil, err
	}
	d := json.NewDecoder(bytes.NewReader(first))
	d.UseNumber()
	var any any
	if err := d.Decode(&any); err != nil {
		return nil, err
	}
	var out bytes.Buffer
	e := json.NewEncoder(&out)
	e.SetEscapeHTML(false)
	if err := e.Encode(any); err != nil {
		return nil, err
	}
	return bytes.TrimRight(out.Bytes(), "\n"), nil
}
