package verify

import (
	"encoding/json"
	"time"

	"github.com/assay-register/assay/render/catalog"
)

// HostEvent is the data of the events host.failing and host.recovered.
type HostEvent struct {
	Host string `json:"host"`
	// Entries is how many entries are probed on the host.
	Entries int `json:"entries"`
	// Since is when the host was first seen down.
	Since time.Time          `json:"since"`
	Class catalog.ErrorClass `json:"error_class,omitempty"`
	Error string             `json:"error,omitempty"`
	// URL is where it was seen.
	URL string `json:"url"`
}

func hostEvent(kind catalog.EventKind, l *catalog.HostLease, o *Outcome, since time.Time) *catalog.Event {
	e := HostEvent{Host: l.Host, Entries: l.Entries, Since: since.UTC(), URL: o.Check.URL}
	if kind == catalog.EventHostFailing {
		e.Class, e.Error = o.Check.Class, o.Check.Error
	}
	data, err := json.Marshal(e)
	if err != nil {
		data = nil // strings, a number and a time always marshal
	}
	return &catalog.Event{Type: kind, OccurredAt: o.Check.At, Data: data}
}
