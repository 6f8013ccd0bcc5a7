package dcatap

import (
	"github.com/cespare/xxhash/v2"

	"github.com/assay-register/assay/build/harvest/source"
	"github.com/assay-register/assay/build/rdf"
	"github.com/assay-register/assay/render/catalog"
)

// kinds are the words for the classes of records in upstream references.
var kinds = map[string]string{classDataset: "dataset", classSeries: "dataset", classService: "service"}

// survey looks through all records for identifiers and pages that several of
// them have: nothing can be known by those. It remembers hashes only.
func (m *mapper) survey() error {
	met := map[uint64]bool{}
	m.shared = map[uint64]bool{}
	return m.doc.subjects(isRecord, func(subject string, about []byte) error {
		kind, n := "", &node{key: subject}
		for rest := about; len(rest) > 0; {
			var r []byte
			r, rest = record(rest)
			body := r[len(subject):]
			switch prop(body[1]) {
			case propType:
				if k := kinds[decode(body).value]; k == "dataset" || kind == "" {
					kind = k
				}
			case propIdentifier, propOtherIdentifier, propLandingPage, propEndpointURL:
				n.statements = append(n.statements, decode(body))
			}
		}
		ids, err := m.identities(n, kind)
		if err != nil {
			return err
		}
		for _, x := range ids {
			// That an IRI is unique needs no look.
			if h := hashed(kind, x.ID); x.Basis != source.RefIRI && met[h] {
				m.shared[h] = true
			} else {
				met[h] = true
			}
		}
		return nil
	})
}

func hashed(kind, id string) uint64 { return xxhash.Sum64String(kind + ":" + id) }

// identities lists by what a record may be known again, best first.
func (m *mapper) identities(n *node, kind string) ([]source.Identity, error) {
	var list []source.Identity
	add := func(basis source.RefBasis, upstream, id string) {
		id = source.Token(id)
		for _, x := range list {
			if x.ID == id {
				return
			}
		}
		if id != "" {
			list = append(list, source.Identity{Basis: basis, Upstream: upstream, ID: id,
				Ambiguous: basis != source.RefIRI && m.shared[hashed(kind, id)]})
		}
	}
	for _, s := range n.all(propIdentifier) {
		if s.kind != rdf.Blank {
			add(stated(n, s.value), paths[propIdentifier], s.value)
		}
	}
	if len(list) == 0 {
		for _, s := range n.all(propOtherIdentifier) {
			id, err := m.identifier(&s)
			if err != nil {
				return nil, err
			}
			add(stated(n, id), paths[propOtherIdentifier], id)
		}
	}
	if n.isIRI() {
		add(source.RefIRI, "IRI", n.id())
	}
	if !n.isIRI() || catalog.Skolem(n.id()) {
		for _, p := range []prop{propLandingPage, propEndpointURL} {
			add(source.RefPage, paths[p], value(n, p))
		}
	}
	return list, nil
}

// stated is the basis of an identifier; one that repeats the record's IRI is as
// good as that.
func stated(n *node, id string) source.RefBasis {
	if n.isIRI() && n.id() == id {
		return source.RefIRI
	}
	return source.RefStated
}
