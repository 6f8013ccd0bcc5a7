package source

import (
	"slices"

	"github.com/assay-register/assay/render/catalog"
)

// RefBasis says what an upstream reference was made of, and so how far it can
// be relied on.
type RefBasis uint8

// What a reference is made of, best first (decisions §A).
const (
	// RefStated is an identifier that the publisher states. Nothing but a look
	// at the whole catalogue tells whether it is unique.
	RefStated RefBasis = iota + 1
	// RefIRI is the IRI of the record, which is unique by definition.
	RefIRI
	// RefPage is the address of its page, which others may share.
	RefPage
)

// RefTransform says in provenance how an upstream reference is made.
const RefTransform = "catalogue host, kind and the catalogue's id"

// Ref is an upstream reference of a record.
type Ref struct {
	Basis RefBasis
	// Upstream names the field that it was made of.
	Upstream string
	// Ref has the shape of upstream_ref.
	Ref string
}

// Identity is something by which a record may be known again.
type Identity struct {
	Basis RefBasis
	// Upstream names the field that it stands in.
	Upstream string
	ID       string
	// Ambiguous tells that the connector saw several records with it.
	Ambiguous bool
}

// NewRef is the upstream reference `<host>:<kind>:<id>`, "" for an id that cannot
// be kept.
func NewRef(host, kind, id string) string {
	host = Token(host)
	id = Token(id)
	ref := host + ":" + kind + ":" + id
	if id == "" || len(ref) > catalog.URLMax {
		return ""
	}
	return ref
}

// Identities sets the upstream references of a record that may be known in
// several ways, best first. A skolem IRI is none.
func (b *Builder) Identities(host, kind string, list ...Identity) {
	d := &b.Draft
	known := map[string]bool{}
	for _, x := range list {
		ref := NewRef(host, kind, x.ID)
		switch {
		case ref == "" || known[ref]:
			continue
		case catalog.Skolem(x.ID):
			d.FormerRefs = append(d.FormerRefs, ref)
		case x.Ambiguous:
			d.Ambiguous = append(d.Ambiguous, ref)
		default:
			if len(d.Refs) == 0 {
				d.Entry.UpstreamRef = ref
				b.Compute("upstream_ref", x.Upstream, RefTransform, "")
			}
			d.Refs = append(d.Refs, Ref{x.Basis, x.Upstream, ref})
		}
		known[ref] = true
	}
	d.Ambiguous = slices.DeleteFunc(d.Ambiguous, func(ref string) bool { return d.has(ref) })
}

// has tells whether the draft has a reference.
func (d *Draft) has(ref string) bool {
	return slices.ContainsFunc(d.Refs, func(r Ref) bool { return r.Ref == ref })
}

// Refused makes a rejection one of the draft's record.
func (d *Draft) Refused(bad *Rejection) {
	bad.Place, bad.UpstreamRef, bad.Refs = d.Place, d.Entry.UpstreamRef, d.FormerRefs
	for _, r := range d.Refs {
		bad.Refs = append(bad.Refs, r.Ref)
	}
}
