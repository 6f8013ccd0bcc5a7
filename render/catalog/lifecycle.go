package catalog

import (
	"fmt"
	"time"
)

// Change is what a transition of the life cycle needs to know.
type Change struct {
	To     Status
	Reason string
	// SuccessorID and SunsetAt go with a deprecation.
	SuccessorID string
	SunsetAt    time.Time
	At          time.Time
}

// transitions lists the allowed moves and the event that each one writes
// (decisions §4). Every other move is a conflict.
var transitions = map[[2]Status]EventKind{
	{StatusPending, StatusActive}:     EventCreated,
	{StatusPending, StatusRemoved}:    EventRemoved,
	{StatusActive, StatusDeprecated}:  EventDeprecated,
	{StatusDeprecated, StatusActive}:  EventReactivated,
	{StatusActive, StatusRemoved}:     EventRemoved,
	{StatusDeprecated, StatusRemoved}: EventRemoved,
}

// Transition moves the entry to another status and returns the event kind of
// the move, or ErrConflict when the move is not allowed.
func (e *Entry) Transition(c Change) (EventKind, error) {
	kind, ok := transitions[[2]Status{e.Status, c.To}]
	if !ok {
		return "", fmt.Errorf("entry %s: %s to %s: %w", e.ID, e.Status, c.To, ErrConflict)
	}
	e.Status, e.StatusReason, e.UpdatedAt = c.To, c.Reason, c.At
	switch c.To {
	case StatusDeprecated:
		e.DeprecatedAt, e.SuccessorID, e.SunsetAt = c.At, c.SuccessorID, c.SunsetAt
	case StatusRemoved:
		e.RemovedAt = c.At
	case StatusActive:
		e.DeprecatedAt, e.SuccessorID, e.SunsetAt, e.RemovedAt = time.Time{}, "", time.Time{}, time.Time{}
	}
	return kind, nil
}

// MergeInto makes the entry a duplicate of the older one: it leaves the lists
// and its addresses redirect. Nothing is deleted (decisions §4).
func (e *Entry) MergeInto(older *Entry, at time.Time) (EventKind, error) {
	if e.ID == older.ID || e.MergedIntoID != "" || older.Status == StatusRemoved || older.CreatedAt.After(e.CreatedAt) {
		return "", fmt.Errorf("merge %s into %s: %w", e.ID, older.ID, ErrConflict)
	}
	e.MergedIntoID, e.Status, e.StatusReason = older.ID, StatusRemoved, "duplicate"
	e.RemovedAt, e.UpdatedAt = at, at
	return EventMerged, nil
}

// Unmerge makes a merged entry one of its own again: as it was, if it was public
// or was to be, else waiting for a moderator.
func (e *Entry) Unmerge(at time.Time) (EventKind, error) {
	if e.MergedIntoID == "" {
		return "", fmt.Errorf("take the merger of %s back: %w", e.ID, ErrConflict)
	}
	e.MergedIntoID, e.Status, e.StatusReason = "", StatusActive, ""
	if e.PublishedAt.IsZero() {
		e.Status, e.StatusReason = StatusPending, "its merger was taken back"
	}
	e.RemovedAt, e.UpdatedAt = time.Time{}, at
	return EventUnmerged, nil
}

// Reopen puts an entry back to where a moderator decides on it. One that was public is away
// from RemovedAt on and keeps its time of publication, which never moves.
func (e *Entry) Reopen(why string, at time.Time) (EventKind, error) {
	if e.Status == StatusPending || e.Status == StatusDeprecated {
		return "", fmt.Errorf("reopen %s, which is %s: %w", e.ID, e.Status, ErrConflict)
	}
	e.Status, e.StatusReason, e.MergedIntoID, e.SuccessorID, e.Admission = StatusPending, why, "", "", nil
	e.UpdatedAt = at
	if !e.PublishedAt.IsZero() && !e.PublishedAt.After(at) {
		e.RemovedAt = at
	} else {
		e.PublishedAt, e.RemovedAt = time.Time{}, time.Time{}
	}
	return EventReopened, nil
}

// Publish sets when an active entry becomes public: the window's delay after the approval,
// or when it was public before.
func (e *Entry) Publish(at time.Time, window time.Duration) {
	if e.PublishedAt.IsZero() || e.PublishedAt.After(at) {
		e.PublishedAt = at.Add(PublicationDelay(e.ID, window))
	}
}
