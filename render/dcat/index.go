package dcat

import (
	"sort"
	"strings"
	"sync"
	"time"

	"github.com/assay-register/assay/render/catalog"
	"github.com/assay-register/assay/render/snapshot"
)

// index is what the documents of a snapshot share.
type index struct {
	catalog *snapshot.Catalog
	base    string
	// exported are the ordinals of the entries that are not left out.
	exported []int32
	// served are, by the ordinal of a service, the exported datasets that it serves, servers the other way
	// round.
	served, servers map[int32][]int32
	// endpoints are those that were asked for, by the ordinal of the service.
	endpoints sync.Map
	// issued and modified are the first and the latest date of a record.
	issued, modified time.Time
	countries        map[string]bool
	// agents are by the id of their institution, refs by the reference.
	agents, refs *declarations
}

func newIndex(c *snapshot.Catalog) *index {
	x := &index{catalog: c, base: webURL(c.Site.BaseURL), served: map[int32][]int32{}, servers: map[int32][]int32{}, countries: map[string]bool{}}
	for i := range c.Lines {
		if !kept(c, i) {
			continue
		}
		l := &c.Lines[i]
		x.exported = append(x.exported, int32(i))
		x.countries[codes().country(l.Country)] = true
		created, modified := unix(l.Created), recordModified(unix(l.ContentChanged), unix(l.Updated), unix(l.Created))
		if x.issued.IsZero() || created.Before(x.issued) {
			x.issued = created
		}
		if modified.After(x.modified) {
			x.modified = modified
		}
	}
	delete(x.countries, "")
	x.agents = newDeclarations(x.base, func(g *graph, id string) {
		if i := c.Institutions[id]; i != nil {
			g.agent(i)
		}
	})
	x.refs = newDeclarations(x.base, func(g *graph, key string) {
		word, value, _ := strings.Cut(key, " ")
		g.declare(c, word, value)
	})
	for _, i := range x.exported {
		for _, d := range x.serves(int(i)) {
			x.served[i] = append(x.served[i], d)
			x.servers[d] = append(x.servers[d], i)
		}
	}
	return x
}

// kept tells whether the documents have the entry at an ordinal. A snapshot
// that was read back has no fragments, its lines remember what was left out.
func kept(c *snapshot.Catalog, ordinal int) bool {
	if fragments := c.Streams[turtleForm.stream]; fragments != nil {
		return fragments.Has(ordinal)
	}
	return c.Lines[ordinal].LeftOut == ""
}

func unix(seconds int64) time.Time {
	if seconds == 0 {
		return time.Time{}
	}
	return time.Unix(seconds, 0).UTC()
}

// serves are the ordinals of the exported datasets that a service serves.
func (x *index) serves(service int) []int32 {
	var out []int32
	for _, id := range x.catalog.Lines[service].Serves {
		d := x.catalog.ByID(id)
		if d >= 0 && x.has(int32(d)) && x.catalog.Lines[d].Type == catalog.TypeDataset && x.catalog.Lines[service].Type != catalog.TypeDataset {
			out = append(out, int32(d))
		}
	}
	return out
}

// has tells whether an entry is in the documents.
func (x *index) has(ordinal int32) bool {
	i := sort.Search(len(x.exported), func(i int) bool { return x.exported[i] >= ordinal })
	return i < len(x.exported) && x.exported[i] == ordinal
}

// within are the exported ordinals from one up to, not including, another.
func (x *index) within(from, to int) []int32 {
	at := func(ordinal int) int {
		return sort.Search(len(x.exported), func(i int) bool { return int(x.exported[i]) >= ordinal })
	}
	return x.exported[at(from):at(to)]
}
