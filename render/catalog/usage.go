package catalog

import "context"

// UseDay counts how often readers used an entry on one UTC day. It says
// nothing about who they were.
type UseDay struct {
	EntryID string `json:"entry_id"`
	// Day is YYYY-MM-DD in UTC.
	Day string `json:"day"`
	Uses
}

// Uses are the uses that popularity counts (decisions §5, "Quality"): watches
// that were confirmed, answers that were cited for the first time, and requests
// that the proxy forwarded.
type Uses struct {
	Watches   int `json:"watches"`
	Citations int `json:"citations"`
	Proxied   int `json:"proxied"`
}

// Sum is the number of all uses.
func (u Uses) Sum() int { return u.Watches + u.Citations + u.Proxied }

// Plus adds uses.
func (u Uses) Plus(v Uses) Uses {
	return Uses{u.Watches + v.Watches, u.Citations + v.Citations, u.Proxied + v.Proxied}
}

// UseDays stores the daily counts of uses. Those of past days never change.
type UseDays interface {
	// Add adds to the counts of an entry and day.
	Add(ctx context.Context, list ...UseDay) error
	// Put replaces the counts of an entry and day, for imports.
	Put(ctx context.Context, list ...UseDay) error
	// Scan calls fn for each day of the range by entry id and day.
	Scan(ctx context.Context, r Range, fn func(*UseDay) error) error
	// Any tells whether a use was counted from one day to before another.
	Any(ctx context.Context, from, to string) (bool, error)
	// Prune deletes the days before one and returns how many rows went.
	Prune(ctx context.Context, before string) (int64, error)
}
