package query

import (
	"strings"

	"github.com/assay-register/assay/render/catalog"
	"github.com/assay-register/assay/render/snapshot"
)

// Standing is what became of the entry that a name means.
type Standing int

// Standings of a name.
const (
	// Unknown names mean nothing.
	Unknown Standing = iota
	// Visible entries answer under ID and Slug.
	Visible
	// Moved entries answer as ID and Slug, under another name than asked for:
	// a former slug, or the entry that a duplicate became part of.
	Moved
	// Removed entries answer no more.
	Removed
)

// Place is where a name leads.
type Place struct {
	Standing Standing
	ID, Slug string
	// Merged tells that the entry became part of the one at ID.
	Merged bool
	// Successor is the id of the entry that took a removed one's place, or "".
	Successor string
}

// hopsMax bounds a chain of mergers.
const hopsMax = 32

// Find says where an id, a slug or a former slug leads.
func (s *Snapshot) Find(name string) Place {
	if i := s.ByID(name); i >= 0 {
		return s.place(Visible, i)
	}
	if i := s.ordinal(name); i >= 0 {
		return s.place(Visible, i)
	}
	if slug, ok := s.Redirects[name]; ok {
		if i := s.ordinal(slug); i >= 0 {
			return s.place(Moved, i)
		}
	}
	if lower := strings.ToLower(name); lower != name && catalog.IsID(lower) && s.ByID(lower) >= 0 {
		return s.place(Moved, s.ByID(lower))
	}
	return s.findGone(name)
}

func (s *Snapshot) place(standing Standing, ordinal int) Place {
	l := &s.Lines[ordinal]
	return Place{Standing: standing, ID: l.ID, Slug: l.Slug}
}

// findGone follows mergers to an entry that answers.
func (s *Snapshot) findGone(name string) Place {
	i, ok := s.gone[name]
	if !ok {
		return Place{}
	}
	t := &s.Gone[i]
	merged := t.Reason == snapshot.ReasonMerged
	successor := t.Successor
	for range hopsMax {
		if at := s.ByID(successor); at >= 0 {
			if !merged {
				return Place{Standing: Removed, Successor: successor}
			}
			p := s.place(Moved, at)
			p.Merged = true
			return p
		}
		next, ok := s.gone[successor]
		if successor == "" || !ok {
			break
		}
		t = &s.Gone[next]
		merged, successor = merged && t.Reason == snapshot.ReasonMerged, t.Successor
	}
	return Place{Standing: Removed}
}
