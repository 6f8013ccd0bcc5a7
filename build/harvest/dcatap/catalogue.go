package dcatap

import (
	"context"
	"strings"

	"github.com/assay-register/assay/build/harvest/source"
)

// Catalogue implements source.Describer: the one dcat:Catalog of a file that is
// no part of another (DCAT 3, section 6.3.6). A file with several says nothing.
func (c Connector) Catalogue(ctx context.Context, in source.Input) (out source.Catalogue, err error) {
	if in.Open == nil || in.Fetch != nil {
		return out, nil
	}
	r, err := in.Open(ctx)
	if err != nil {
		return out, err
	}
	defer r.Close()
	d, bad, err := c.load(ctx, &in, r, in.Name, in.Source.Filters[FilterBase], "")
	if err != nil || bad != nil {
		return out, err
	}
	defer d.close()
	m := &mapper{in: &in, doc: d}
	root, err := m.root()
	if err != nil || root == nil {
		return out, err
	}
	out.Title = root.literal(propTitle)
	if root.isIRI() && out.Names(root.id()) {
		return out, nil
	}
	for _, s := range root.inOrder(propPublisher) {
		p, err := m.party(&s, paths[propPublisher])
		if err != nil {
			return out, err
		}
		if p != nil {
			out.Publisher = p.agent.IRI
			if out.Publisher == "" {
				out.Publisher = strings.TrimSpace(p.names[0].Value)
			}
			break
		}
	}
	return out, nil
}

// rootsMax is how many catalogues of a document are looked at.
const rootsMax = 1000

// root is the catalogue that the document is of, nil if it has none or several.
func (m *mapper) root() (*node, error) {
	var roots []*node
	parts := map[string]bool{}
	wants := func(p prop, value []byte) bool {
		return p == propCatalog || p == propType && string(value) == classCatalog
	}
	err := m.doc.each(wants, func(n *node) error {
		for _, s := range n.all(propCatalog) {
			if s.key() != n.key {
				parts[s.key()] = true
			}
		}
		if n.is(classCatalog) && len(roots) < rootsMax {
			roots = append(roots, n)
		}
		return nil
	})
	var root *node
	for _, n := range roots {
		switch {
		case parts[n.key]:
		case root != nil:
			return nil, err
		default:
			root = n
		}
	}
	return root, err
}
