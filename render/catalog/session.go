package catalog

import (
	"context"
	"time"
)

// Session is a login of the holder of a token.
type Session struct {
	// Hash is the lower-case hex SHA-256 of what the browser keeps.
	Hash string
	// TokenID is the token with which it began; it ends with that.
	TokenID            string
	BegunAt, ExpiresAt time.Time
}

// Sessions stores logins. One that ended is deleted.
type Sessions interface {
	// Put stores sessions; one that exists is kept as it is.
	Put(ctx context.Context, list ...Session) error
	// Get returns the session of a hash, expired or not, or ErrNotFound.
	Get(ctx context.Context, hash string) (*Session, error)
	// Of returns the sessions of a token by beginning and hash.
	Of(ctx context.Context, tokenID string) ([]Session, error)
	// Delete ends sessions; one that is not there has ended.
	Delete(ctx context.Context, hashes ...string) error
	// Expire deletes the sessions that end at or before the time, and tells how
	// many.
	Expire(ctx context.Context, now time.Time) (int64, error)
}

// Tally is one time that something happened of which only so much may happen.
type Tally struct {
	// Kind is what is counted, Key for whom; ID tells the times apart.
	Kind, Key, ID string
	At            time.Time
}

// Tallies counts what happened lately, so that a limit holds for all services
// of a register and over their restarts.
type Tallies interface {
	// Add counts; the same kind, key and id again is counted once.
	Add(ctx context.Context, list ...Tally) error
	// Since tells when things of a kind and key happened after the time, oldest
	// first, leaving out the one of an id.
	Since(ctx context.Context, kind, key string, after time.Time, but string) ([]time.Time, error)
	// Prune forgets what happened before the time, and tells how much that was.
	Prune(ctx context.Context, before time.Time) (int64, error)
}
