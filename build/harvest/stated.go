package harvest

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/assay-register/assay/build/harvest/publisher"
	"github.com/assay-register/assay/build/harvest/source"
	"github.com/assay-register/assay/build/reference"
	"github.com/assay-register/assay/render/catalog"
	"github.com/assay-register/assay/render/search"
	"github.com/assay-register/assay/render/translit"
)

// statedBook is the institutions of the register with those that catalogues
// name. Rows are never changed in place: a changed one is another value, so
// that a write under way reads what it was given.
type statedBook struct {
	byID map[string]*catalog.Institution
	all  []catalog.Institution
}

func newStatedBook(list []catalog.Institution) *statedBook {
	b := &statedBook{byID: make(map[string]*catalog.Institution, len(list)), all: list}
	for i := range list {
		b.byID[list[i].ID] = &list[i]
	}
	return b
}

// living are the institutions that were merged into no other one.
func (b *statedBook) living() []catalog.Institution {
	return slices.DeleteFunc(slices.Clone(b.all), func(i catalog.Institution) bool { return b.heir(&i) != nil && b.heir(&i).ID != i.ID })
}

// inherited is a row that was merged, and the one into which.
type inherited struct{ from, into *catalog.Institution }

func (b *statedBook) merged() []inherited {
	var list []inherited
	for i := range b.all {
		from := &b.all[i]
		if into := b.heir(from); into != nil && into.ID != from.ID {
			list = append(list, inherited{from, into})
		}
	}
	return list
}

// heirs bounds how far merges are followed.
const heirs = 10

// heir is the institution that one was merged into, or itself.
func (b *statedBook) heir(i *catalog.Institution) *catalog.Institution {
	for range heirs {
		next := b.byID[i.MergedIntoID]
		if i.MergedIntoID == "" || next == nil {
			return i
		}
		i = next
	}
	return i
}

// statedID is the id of a stated institution and what it was made of: its
// persistent identifier, else its own IRI, else its name in its catalogue.
func statedID(q *publisher.Query, src *catalog.Source) string {
	for _, raw := range q.Identifiers {
		if id, ok := reference.BodyIdentifier(raw); ok {
			return catalog.NewID("institution", id)
		}
	}
	for _, raw := range q.Identifiers {
		if catalog.CheckURL("iri", raw) == nil && !catalog.Skolem(raw) {
			return catalog.NewID("institution", raw)
		}
	}
	return catalog.NewID("institution", cmp.Or(src.Key, src.ID)+"|"+search.Fold(q.Names[0]))
}

// of is the stated institution of a publisher, a new one if the book has none.
func (b *statedBook) of(c *candidate, d *source.Draft, q *publisher.Query, in *source.Input, now time.Time) *catalog.Institution {
	id := statedID(q, &in.Source)
	if known := b.byID[id]; known != nil {
		return b.heir(b.named(known, c.entry.Publisher, q, c.entry.NativeLang, now))
	}
	inst := &catalog.Institution{ID: id, State: catalog.InstitutionStated, Name: q.Names[0], CountryCode: q.Country, SourceID: in.Source.ID,
		Source: "stated by " + cmp.Or(in.Source.Title, in.Source.Key, in.Source.URL), CreatedAt: now, UpdatedAt: now}
	if p := c.entry.Publisher; p != nil {
		inst.Type, inst.HomepageURL, inst.Identifiers = catalog.PublisherType(p.Type), webAddress(p.HomepageURL), identifiersOf(q.Identifiers)
		call(inst, p, c.entry.NativeLang)
	}
	inst.HomepageURL = cmp.Or(inst.HomepageURL, webAddress(d.PublisherURL))
	inst.Key = statedKey(inst)
	b.byID[id] = inst
	return inst
}

// call takes over what an agent is called.
func call(inst *catalog.Institution, p *catalog.Agent, lang string) {
	inst.Names, inst.Aliases, inst.NameEn = p.Names, p.Aliases, p.Names["en"]
	inst.NativeLang = langOf(inst.Names, inst.Name, lang)
}

// named is an institution with the name that a further record states, where it had an identifier only.
func (b *statedBook) named(inst *catalog.Institution, p *catalog.Agent, q *publisher.Query, lang string, now time.Time) *catalog.Institution {
	if !inst.Unnamed() || p == nil || len(p.Names) == 0 {
		return inst
	}
	next := *inst
	next.Name, next.UpdatedAt = q.Names[0], now
	call(&next, p, lang)
	b.byID[next.ID] = &next
	return &next
}

// langOf is the language of a name among those by language; the record's own
// comes first.
func langOf(names catalog.Texts, name, lang string) string {
	if names[lang] == name && lang != "" {
		return lang
	}
	for _, tag := range sortedTags(names) {
		if names[tag] == name && !catalog.MachineTag(tag) {
			return tag
		}
	}
	return ""
}

func webAddress(u string) string {
	if catalog.CheckURL("homepage_url", u) != nil {
		return ""
	}
	return u
}

// identifiersOf are the persistent identifiers among what is stated, sorted.
func identifiersOf(stated []string) []string {
	var list []string
	for _, raw := range stated {
		if id, ok := reference.BodyIdentifier(raw); ok && !slices.Contains(list, id) {
			list = append(list, id)
		}
	}
	slices.Sort(list)
	return list
}

// statedKeyMax leaves room for the part that makes a key unique.
const statedKeyMax = 60

// statedKey is a readable handle that no other institution has.
func statedKey(inst *catalog.Institution) string {
	slug := translit.Slug(inst.Name, inst.NativeLang, statedKeyMax)
	short, _, _ := strings.Cut(inst.ID, "-")
	return cmp.Or(slug, "institution") + "-" + short
}

// learn adds the identifiers that a further record states of an institution
// that had none.
func (b *statedBook) learn(inst *catalog.Institution, stated []string, now time.Time) *catalog.Institution {
	fresh := identifiersOf(stated)
	if len(inst.Identifiers) > 0 || len(fresh) == 0 || inst.Managed {
		return inst
	}
	next := *inst
	next.Identifiers, next.UpdatedAt = fresh, now
	b.byID[next.ID] = &next
	return &next
}

// putStated writes the stated institutions of the entries that a batch writes,
// in their transaction. A row that is the same, or that an administrator has,
// is left alone.
func (r *run) putStated(ctx context.Context, b *batchPlan, batch []*candidate) error {
	named := map[string]*catalog.Institution{}
	for _, c := range batch {
		if c.stated != nil {
			named[c.stated.ID] = c.stated
		}
	}
	var list []catalog.Institution
	for _, it := range b.items {
		inst := named[it.entry.InstitutionID]
		if inst == nil {
			continue
		}
		delete(named, inst.ID)
		old, err := b.tx.Institutions().Get(ctx, inst.ID)
		switch {
		case errors.Is(err, catalog.ErrNotFound):
			list = append(list, *inst)
		case err != nil:
			return err
		case old.Managed || old.Known() || old.MergedIntoID != "" || old.Name == inst.Name && slices.Equal(old.Identifiers, inst.Identifiers):
		default:
			next := *inst
			next.CreatedAt = old.CreatedAt
			list = append(list, next)
		}
	}
	if len(list) == 0 {
		return nil
	}
	return b.tx.Institutions().Put(ctx, list...)
}
