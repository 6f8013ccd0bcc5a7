package identity

import (
	"fmt"
	"time"

	"github.com/assay-register/assay/render/catalog"
)

// part is what api, dataset and mcp have in common: an id and clocks.
type part struct {
	name             string
	id               *string
	created, updated *time.Time
}

// parts lists the parts that an entry has.
func parts(e *catalog.Entry) map[string]part {
	m := map[string]part{}
	if p := e.API; p != nil {
		m["api"] = part{"api", &p.ID, &p.CreatedAt, &p.UpdatedAt}
	}
	if p := e.Dataset; p != nil {
		m["dataset"] = part{"dataset", &p.ID, &p.CreatedAt, &p.UpdatedAt}
	}
	if p := e.MCP; p != nil {
		m["mcp"] = part{"mcp", &p.ID, &p.CreatedAt, &p.UpdatedAt}
	}
	return m
}

// StampDetails gives the parts of an entry the ids and clocks that they lack:
// those of the state before, where there is one, else new ones.
func StampDetails(e, before *catalog.Entry, now time.Time) {
	old := map[string]part{}
	if before != nil {
		old = parts(before)
	}
	for name, p := range parts(e) {
		id, created, updated := catalog.NewID(name, e.ID), now, now
		if o, ok := old[name]; ok && *o.id != "" {
			id, created, updated = *o.id, *o.created, *o.updated
		}
		if *p.id == "" {
			*p.id = id
		}
		if p.created.IsZero() {
			*p.created = created
		}
		if p.updated.IsZero() {
			*p.updated = updated
		}
	}
	if e.Dataset != nil {
		distributions(e)
	}
}

// ForgetDetails takes the ids and clocks from the parts of an entry, so that they
// can be stamped as another one's.
func ForgetDetails(e *catalog.Entry) {
	for _, p := range parts(e) {
		*p.id, *p.created, *p.updated = "", time.Time{}, time.Time{}
	}
	if e.Dataset != nil {
		for i := range e.Dataset.Distributions {
			e.Dataset.Distributions[i].ID = ""
		}
	}
}

// TouchDetails sets the update time of the parts that the changes are in.
func TouchDetails(e *catalog.Entry, changes []catalog.FieldChange, now time.Time) {
	all := parts(e)
	for _, c := range changes {
		for name, p := range all {
			if len(c.Field) > len(name) && c.Field[:len(name)+1] == name+"." {
				*p.updated = now
			}
		}
	}
}

// distributions gives each distribution the id of its place: what it is called
// and where it is.
func distributions(e *catalog.Entry) {
	seen := map[string]int{}
	for i := range e.Dataset.Distributions {
		d := &e.Dataset.Distributions[i]
		if d.ID != "" {
			continue
		}
		key := e.ID + "|" + d.AccessURL + "|" + d.DownloadURL + "|" + d.Title
		if seen[key]++; seen[key] > 1 {
			key = fmt.Sprintf("%s|%d", key, seen[key])
		}
		d.ID = catalog.NewID("distribution", key)
	}
}
