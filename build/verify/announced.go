package verify

import (
	"context"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/assay-register/assay/render/catalog"
)

// announced is what answers say of the end of their source; zero times are nothing.
type announced struct {
	// deprecation is since when, or from when on, it is deprecated, sunset when it
	// will no longer answer.
	deprecation, sunset time.Time
}

// announcedIn reads the headers Deprecation (RFC 9745: "@" and seconds since 1970, as
// a date or "true" in its drafts) and Sunset (RFC 8594, a date of HTTP). What is none
// of these says nothing.
func announcedIn(h http.Header) (a announced) {
	raw := strings.TrimSpace(h.Get("Deprecation"))
	if seconds, ok := strings.CutPrefix(raw, "@"); ok {
		if n, err := strconv.ParseInt(seconds, 10, 64); err == nil {
			a.deprecation = plausible(time.Unix(n, 0))
		}
	} else if at, err := http.ParseTime(raw); err == nil {
		a.deprecation = plausible(at)
	}
	if at, err := http.ParseTime(strings.TrimSpace(h.Get("Sunset"))); err == nil {
		a.sunset = plausible(at)
	}
	return a
}

// plausible is a time between 2000 and 2200, in UTC, to the second.
func plausible(t time.Time) time.Time {
	if t = t.UTC().Truncate(time.Second); t.Year() < 2000 || t.Year() > 2200 {
		return time.Time{}
	}
	return t
}

// takeAnnounced stores what answers announce; an announcement that is no longer made
// is withdrawn. What a publisher or a moderator states is left alone.
func (p *page) takeAnnounced(ctx context.Context, tx catalog.Tx) error {
	told := map[string]*note{}
	var ids []string
	for _, n := range p.kept {
		if n.check != nil && n.outcome != nil && n.check.Up && n.outcome.announced != n.target.known.announced {
			told[n.probe.EntryID] = n
			ids = append(ids, n.probe.EntryID)
		}
	}
	if len(ids) == 0 {
		return nil
	}
	entries, err := tx.Entries().Get(ctx, ids...)
	if err != nil {
		return err
	}
	for i := range entries {
		e := &entries[i]
		if e.Status != catalog.StatusActive || e.MergedIntoID != "" {
			continue
		}
		n := told[e.ID]
		c, err := NewChange(ctx, tx, e, n.check.At)
		if err != nil {
			return err
		}
		c.announce(&e.DeprecationAt, n.outcome.announced.deprecation, "deprecation_at", "Deprecation", n.check.URL)
		c.announce(&e.SunsetAt, n.outcome.announced.sunset, "sunset_at", "Sunset", n.check.URL)
		if len(c.Fields) == 0 {
			continue
		}
		if err := e.Validate(); err != nil {
			p.refused = append(p.refused, fmt.Errorf("entry %s: what its answers announce is not stored: %w", e.ID, err))
			continue
		}
		if err := c.Put(ctx, tx); err != nil {
			return err
		}
	}
	return nil
}

// announce sets a time that a header states, or withdraws one that it stated.
func (c *Change) announce(at *time.Time, said time.Time, field, header, url string) {
	from := any(nil)
	if !at.IsZero() {
		from = *at
	}
	member, seen := c.Observed(field)
	switch {
	case said.Equal(*at):
	case said.IsZero() && seen && member == header:
		*at = time.Time{}
		c.Withdraw(field, from, nil)
	case !said.IsZero() && c.Mine(field, at.IsZero()):
		*at = said
		c.Note(field, url, header, "the header of an answer", from, said)
	}
}
