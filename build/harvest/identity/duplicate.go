package identity

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"github.com/assay-register/assay/render/catalog"
	"github.com/assay-register/assay/render/search"
)

// duplicatesMax is how many entries may have an address or a name that still says
// something about one of them.
const duplicatesMax = 16

// Duplicate is an entry of another catalogue that may be what a record is about.
type Duplicate struct {
	Entry *catalog.Entry
	// Same tells that there is enough evidence to merge the two.
	Same bool
	// Why names the evidence.
	Why string
}

// Meet looks up what other catalogues have at the addresses and under the names
// of records that are in none of the entries of their own, or of which the evidence
// is not what it was.
func (b *Book) Meet(ctx context.Context, records []*Record) error {
	var keys []string
	for _, r := range records {
		if r.Anew || !b.listed(r) {
			keys = append(keys, catalog.BlockingKeys(r.Entry)...)
		}
	}
	if len(keys) == 0 {
		return nil
	}
	found, err := b.tx.Entries().Match(ctx, keys...)
	if err != nil {
		return fmt.Errorf("look for the duplicates of %d records: %w", len(records), err)
	}
	var ids []string
	for key, list := range found {
		if len(list) > duplicatesMax {
			delete(found, key)
			continue
		}
		ids = append(ids, list...)
	}
	maps.Copy(b.byKey, found)
	return b.load(ctx, slices.DeleteFunc(ids, func(id string) bool { return b.byID[id] != nil })...)
}

// listed tells whether an entry of the record's source has one of its
// references and would be recognised by the same things.
func (b *Book) listed(r *Record) bool {
	return slices.ContainsFunc(slices.Concat(r.refs(), r.Former), func(ref string) bool {
		e := b.named(ref, r.own)
		return e != nil && (e.MergedIntoID != "" || SameEvidence(e, r.Entry))
	})
}

// SameEvidence tells whether a record states nothing new of what an entry is recognised
// by in other catalogues. What other listings filled in is no difference.
func SameEvidence(e, record *catalog.Entry) bool {
	for _, id := range record.Identifiers {
		if !slices.Contains(e.Identifiers, id) {
			return false
		}
	}
	for lang, title := range record.Titles {
		if e.Titles[lang] != title {
			return false
		}
	}
	return e.MatchKey == record.MatchKey && e.Type == record.Type && (record.InstitutionID == "" || record.InstitutionID == e.InstitutionID) &&
		(record.PublisherName == "" || record.PublisherName == e.PublisherName)
}

// Elsewhere finds the entry of another catalogue that is the record: the one
// with a persistent identifier that no third record has, else one of the same
// type, publisher and address with the same name in a language of both. With
// less evidence it is not the same, but may be. It is nil if there is none.
func (b *Book) Elsewhere(ctx context.Context, r *Record) (*Duplicate, error) {
	var likely *Duplicate
	for _, look := range []func(*Record) []Duplicate{b.identified, b.alikeElsewhere} {
		for _, t := range look(r) {
			e, err := b.Survivor(ctx, t.Entry)
			if err != nil {
				return nil, err
			}
			t.Entry = e
			switch {
			case r.own(e):
			case t.Same:
				return &t, nil
			case likely == nil && e.Status != catalog.StatusRemoved:
				likely = &t
			}
		}
	}
	return likely, nil
}

// identified are the entries with a persistent identifier of the record. One
// that several entries have, or one of the record's own source, does not tell
// which of them is meant.
func (b *Book) identified(r *Record) (duplicates []Duplicate) {
	for _, id := range r.Entry.Identifiers {
		if catalog.Skolem(id) {
			continue
		}
		holders := b.with(id, func(e *catalog.Entry) bool {
			return e.ID != r.Self && e.Type == r.Entry.Type && slices.Contains(e.Identifiers, id)
		})
		for _, e := range holders {
			if !r.own(e) {
				duplicates = append(duplicates, Duplicate{e, len(holders) == 1, "the identifier " + id})
			}
		}
	}
	return duplicates
}

// with are the entries with a key that fit, those that were merged left out.
func (b *Book) with(key string, fits func(*catalog.Entry) bool) (list []*catalog.Entry) {
	for _, id := range b.byKey[key] {
		if e := b.byID[id]; e != nil && fits(e) {
			list = append(list, e)
		}
	}
	return list
}

// alikeElsewhere compares the record with the entries of other catalogues that
// share an address or a name with it. Two of the three, address, name and
// publisher, make a possible duplicate.
func (b *Book) alikeElsewhere(r *Record) (duplicates []Duplicate) {
	seen := map[string]bool{}
	for _, key := range catalog.BlockingKeys(r.Entry) {
		for _, e := range b.with(key, func(e *catalog.Entry) bool { return e.Type == r.Entry.Type && !r.own(e) }) {
			if seen[e.ID] {
				continue
			}
			seen[e.ID] = true
			name, place, who := sharesName(r.Entry, e), sharesAddress(r.Entry, e), samePublisher(r.Entry, e)
			switch {
			case name && place && who:
				duplicates = append(duplicates, Duplicate{e, true, "type, publisher, name and address"})
			case name && place:
				duplicates = append(duplicates, Duplicate{e, false, "name and address; not the publisher"})
			case name && who:
				duplicates = append(duplicates, Duplicate{e, false, "name and publisher; not the address"})
			case place && who:
				duplicates = append(duplicates, Duplicate{e, false, "address and publisher; not the name"})
			}
		}
	}
	slices.SortStableFunc(duplicates, func(a, b Duplicate) int {
		switch {
		case a.Same == b.Same:
			return 0
		case a.Same:
			return -1
		}
		return 1
	})
	return duplicates
}

// sharesName tells whether two entries have the same folded name, or the same
// title in a language of both.
func sharesName(a, b *catalog.Entry) bool {
	if search.Fold(a.Name) == search.Fold(b.Name) {
		return true
	}
	for lang, title := range a.Titles {
		if other := b.Titles[lang]; other != "" && search.Fold(title) == search.Fold(other) {
			return true
		}
	}
	return false
}

func sharesAddress(a, b *catalog.Entry) bool {
	x := catalog.NormalURL(Primary(a))
	return x != "" && catalog.Host(Primary(a)) != "" && x == catalog.NormalURL(Primary(b))
}

// samePublisher tells whether both entries have the same institution, or state
// a publisher of the same name.
func samePublisher(a, b *catalog.Entry) bool {
	if a.InstitutionID != "" && a.InstitutionID == b.InstitutionID {
		return true
	}
	name := search.Fold(a.PublisherName)
	return name != "" && name == search.Fold(b.PublisherName)
}
