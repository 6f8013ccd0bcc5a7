package iso19115

import (
	"net/url"
	"regexp"
	"slices"
	"strings"

	"github.com/assay-register/assay/build/harvest/source"
	"github.com/assay-register/assay/build/harvest/source/xmltree"
)

// doi is how the address of a DOI begins.
const doi = "https://doi.org/"

// identifier is what an MD_Identifier says: a DOI as an address, an IRI, the
// code within a namespace that is an address, else the code.
func (r *record) identifier(id *xmltree.Node) string {
	v := r.first(id, "code")
	code, space := v.iriOrText(), r.first(id, "codeSpace").iriOrText()
	for _, raw := range []string{code, v.text()} {
		if id := source.RecordIdentifier(raw); strings.HasPrefix(id, doi) {
			return id
		}
	}
	if code != "" && !strings.Contains(code, "://") && (strings.HasPrefix(space, "http://") || strings.HasPrefix(space, "https://")) {
		if strings.HasSuffix(space, "/") || strings.HasSuffix(space, "#") || strings.HasSuffix(space, "=") || strings.HasPrefix(code, "/") || strings.HasPrefix(code, "#") {
			return space + code
		}
	}
	return code
}

// identifiers are those of the resource, distinct, in their order.
func (r *record) identifiers() []string {
	var out []string
	add := func(s string) {
		if s != "" && !slices.Contains(out, s) {
			out = append(out, s)
		}
	}
	for _, id := range r.ident.All("citation", "CI_Citation", "identifier", "MD_Identifier") {
		add(r.identifier(id))
	}
	for _, o := range r.onlines() {
		if id := source.RecordIdentifier(o.url); strings.EqualFold(o.protocol, "doi") && strings.HasPrefix(id, doi) {
			add(id)
		}
	}
	return out
}

// reference is the identifier of the record that an element refers to:
// uuidref, else what the address of the record says it is.
func reference(n *xmltree.Node) string {
	if id := strings.TrimSpace(n.Attr("uuidref")); id != "" {
		return id
	}
	u, err := url.Parse(strings.TrimSpace(n.Attr("href")))
	if err != nil || u.Host == "" {
		return ""
	}
	for key, values := range u.Query() {
		if k := strings.ToLower(key); k == "id" || k == "uuid" || k == "identifier" {
			id, _, _ := strings.Cut(values[0], "#")
			return id
		}
	}
	// …/records/UUID/formatters/xml
	for part := range strings.SplitSeq(u.Path, "/") {
		if uuid.MatchString(part) {
			return part
		}
	}
	return ""
}

var uuid = regexp.MustCompile(`^[0-9A-Fa-f]{8}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{12}$`)

// serves are the identifiers of the records of the datasets that a service
// operates on, with their titles where they are given.
func (r *record) serves() []coupled {
	var out []coupled
	add := func(c coupled) {
		if c.id != "" && !slices.ContainsFunc(out, func(o coupled) bool { return o.id == c.id }) {
			out = append(out, c)
		}
	}
	for _, n := range r.ident.All("operatesOn") {
		add(coupled{reference(n), strings.TrimSpace(n.Attr("title"))})
	}
	for _, n := range r.ident.All("coupledResource", "SV_CoupledResource") {
		for _, ref := range n.All("resourceReference") {
			add(coupled{reference(ref), strings.TrimSpace(ref.Attr("title"))})
		}
		if id := r.first(n, "identifier").text(); uuid.MatchString(id) {
			add(coupled{id: id})
		}
	}
	return out
}

// coupled is a record to which another leads.
type coupled struct{ id, title string }

// parents are the records of which this one is a part.
func (r *record) parents() []coupled {
	var out []coupled
	if id := r.first(r.root, "parentIdentifier").text(); id != "" {
		out = append(out, coupled{id: id})
	}
	for _, n := range r.root.All("parentMetadata") {
		c := coupled{reference(n), r.first(n, "CI_Citation", "title").text()}
		if c.id == "" {
			c.id = r.first(n, "CI_Citation", "identifier", "MD_Identifier", "code").text()
		}
		if c.id == "" {
			c.id = r.first(n, "MD_Identifier", "code").text()
		}
		if c.id != "" {
			out = append(out, c)
		}
	}
	return slices.DeleteFunc(out, func(c coupled) bool { return c.id == r.id() })
}
