package harvest

import (
	"context"
	"fmt"
	"strings"

	"github.com/assay-register/assay/build/harvest/source"
	"github.com/assay-register/assay/render/catalog"
)

// beside keeps the references of catalogues on one host apart (decisions-2 §A):
// the one that was harvested first has them plain, `<host>:<kind>:<id>`, in those
// of the others the id begins with the key of the catalogue. An IRI names the same
// thing wherever it is listed and stays as it is.
type beside struct {
	store catalog.Store
	// source is the id of the catalogue, host where it is, "" where nobody knows,
	// key what its ids begin with beside another one.
	source, host, key string
	// plain tells by the part before the id whether the catalogue was first.
	plain map[string]bool
}

// keyMax is how much of the id of a catalogue without a key stands for it.
const keyMax = 8

func newBeside(st catalog.Store, s *catalog.Source) *beside {
	b := &beside{store: st, source: s.ID, host: catalog.Host(s.URL), key: s.Key, plain: map[string]bool{}}
	if b.key == "" {
		b.key = s.ID[:min(len(s.ID), keyMax)]
	}
	return b
}

func besideKey(prefix string) string { return "harvest.refs." + prefix }

// draft gives the references of a record and of what it leads to their places. By
// those that it would have in the other place the record is found, too.
func (b *beside) draft(ctx context.Context, d *source.Draft) error {
	var former []string
	move := func(ref *string) (err error) {
		other := ""
		if *ref, other, err = b.place(ctx, *ref); other != "" {
			former = append(former, other)
		}
		return err
	}
	refs := []*string{&d.Entry.UpstreamRef}
	for i := range d.Refs {
		refs = append(refs, &d.Refs[i].Ref)
	}
	for i := range d.Ambiguous {
		refs = append(refs, &d.Ambiguous[i])
	}
	for _, ref := range refs {
		if err := move(ref); err != nil {
			return err
		}
	}
	d.FormerRefs = append(d.FormerRefs, former...)
	for i := range d.Entry.Relations {
		x := &d.Entry.Relations[i]
		var err error
		if x.Ref, _, err = b.place(ctx, x.Ref); err != nil {
			return err
		}
	}
	return nil
}

// rejection does so for a record that does not get in.
func (b *beside) rejection(ctx context.Context, x *source.Rejection) error {
	all := append([]string{x.UpstreamRef}, x.Refs...)
	x.Refs = nil
	for i, ref := range all {
		own, other, err := b.place(ctx, ref)
		if err != nil {
			return err
		}
		if i == 0 {
			x.UpstreamRef = own
		} else {
			x.Refs = append(x.Refs, own)
		}
		if other != "" {
			x.Refs = append(x.Refs, other)
		}
	}
	return nil
}

// place is a reference as the catalogue has it, and as it would have it if it came
// first, or did not; "" for one that is the same in both.
func (b *beside) place(ctx context.Context, ref string) (own, other string, err error) {
	host, rest, ok := strings.Cut(ref, ":")
	kind, id, named := strings.Cut(rest, ":")
	if !ok || !named || b.host != "" && !strings.EqualFold(host, b.host) || isIRI(id) {
		return ref, "", nil
	}
	prefix := host + ":" + kind + ":"
	plain, known := b.plain[prefix]
	if !known {
		if plain, err = b.claim(ctx, prefix); err != nil {
			return ref, "", err
		}
		b.plain[prefix] = plain
	}
	beside := prefix + b.key + "/" + id
	if len(beside) > catalog.URLMax {
		return ref, "", nil
	}
	if plain {
		return ref, beside, nil
	}
	return beside, ref, nil
}

func isIRI(id string) bool {
	return strings.Contains(id, "://") || strings.HasPrefix(strings.ToLower(id), "urn:")
}

// claim tells whether the catalogue is the first with a prefix, which it is from
// now on if there was none.
func (b *beside) claim(ctx context.Context, prefix string) (first bool, err error) {
	err = b.store.Update(ctx, func(tx catalog.Tx) error {
		owner, err := tx.Meta().Get(ctx, besideKey(prefix))
		if err != nil {
			return err
		}
		first = owner == "" || owner == b.source
		if owner != "" {
			return nil
		}
		return tx.Meta().Set(ctx, besideKey(prefix), b.source)
	})
	if err != nil {
		return false, fmt.Errorf("read which catalogue has the references %s: %w", prefix, err)
	}
	return first, nil
}
