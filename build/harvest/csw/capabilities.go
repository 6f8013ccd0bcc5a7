package csw

import (
	"context"
	"encoding/xml"
	"errors"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/assay-register/assay/build/harvest/source"
	"github.com/assay-register/assay/build/harvest/source/xmltree"
)

// Versions of the protocol that are spoken, the one that more services know first
// (OGC 07-006r1 and 12-176r7).
const (
	version2 = "2.0.2"
	version3 = "3.0.0"
)

// abilities are what a service says that it can.
type abilities struct {
	version string
	// get and post tell by which methods it gives records; postAt is where, if that
	// is stated.
	get, post bool
	postAt    string
	// schemas are those of its records, none where it does not say.
	schemas []string
}

// negotiate asks the service what it can. Of one that does not say it, or cannot
// be understood, what every service has to know is taken.
func (h *harvest) negotiate(ctx context.Context, base *url.URL) (abilities, error) {
	plain := abilities{version: version2, get: true}
	at := with(base, "service", "CSW", "request", "GetCapabilities", "acceptVersions", version2+","+version3)
	resp, err := h.in.Fetch(ctx, source.Request{URL: at, Accept: accept, Unconditional: true})
	switch fetch := (*source.FetchError)(nil); {
	case err == nil:
	case errors.As(err, &fetch) && fetch.Status >= http.StatusBadRequest && fetch.Status != http.StatusTooManyRequests && fetch.Status != http.StatusServiceUnavailable:
		return plain, nil
	default:
		return plain, err
	}
	defer resp.Body.Close()
	can := abilities{version: version2}
	d := xmltree.Document{Name: at, Limits: h.in.Limits,
		Take: func(n xml.Name) bool { return n.Local == "Operation" },
		Enter: func(n *xmltree.Node) {
			if n.Name == "Capabilities" && strings.HasPrefix(n.Attr("version"), "3.") {
				can.version = version3
			}
		},
		Each: func(n *xmltree.Node, _ string) error {
			if n.Attr("name") == "GetRecords" {
				can.records(n)
			}
			return nil
		}}
	if _, _, err := d.Read(ctx, resp.Body, func(source.Rejection) error { return nil }); err != nil {
		return plain, err
	}
	if !can.get && !can.post {
		plain.version = can.version
		return plain, nil
	}
	return can, nil
}

// records reads what is said of GetRecords.
func (a *abilities) records(n *xmltree.Node) {
	a.get = n.Has("DCP", "HTTP", "Get")
	for _, p := range n.All("DCP", "HTTP", "Post") {
		if encodings := values(p, "Constraint", "PostEncoding"); len(encodings) == 0 || slices.Contains(encodings, "XML") {
			a.post, a.postAt = true, p.Attr("href")
			break
		}
	}
	a.schemas = values(n, "Parameter", "outputSchema")
}

// values are those that an element allows for a name. Version 2.0.2 lists them
// directly, 3.0 within AllowedValues.
func values(n *xmltree.Node, kind, name string) (out []string) {
	for _, p := range n.All(kind) {
		if !strings.EqualFold(p.Attr("name"), name) {
			continue
		}
		for _, v := range append(p.All("Value"), p.All("AllowedValues", "Value")...) {
			out = append(out, strings.TrimSpace(v.Text))
		}
	}
	return out
}

// way is a way to ask for records.
type way struct {
	types, schema string
	post          bool
}

// ways are the addresses of the first page in each way to ask, the one that gives
// most first. Some services want the type of the records that they are to give,
// others know one type only.
func (a *abilities) ways(base *url.URL, filters map[string]string) (list []string) {
	for _, types := range a.modes(filters[FilterSchema]) {
		if a.get {
			list = append(list, a.request(base, types, filters[FilterConstraint]))
		}
		if a.post {
			types.post = true
			list = append(list, a.request(a.at(base), types, filters[FilterConstraint]))
		}
	}
	return list
}

// modes are the types of records and their schemas.
func (a *abilities) modes(schema string) (list []way) {
	if schema != "" {
		return []way{{types: "csw:Record", schema: schema}, {types: "gmd:MD_Metadata", schema: schema}}
	}
	all := []way{{types: "csw:Record", schema: gmd}, {types: "gmd:MD_Metadata", schema: gmd}}
	for _, s := range a.schemas {
		if strings.HasPrefix(s, "http://standards.iso.org/iso/19115/-3/mdb/") && !slices.Contains(a.schemas, gmd) {
			all = append(all, way{types: "csw:Record", schema: s}, way{types: "mdb:MD_Metadata", schema: s})
		}
	}
	for _, m := range all {
		if len(a.schemas) == 0 || slices.Contains(a.schemas, m.schema) {
			list = append(list, m)
		}
	}
	return append(list, way{types: "csw:Record", schema: a.core()})
}

// core is the schema of Dublin Core, and the namespace of the protocol.
func (a *abilities) core() string { return space(a.version) }

func space(version string) string {
	if version == version3 {
		return core3
	}
	return core
}

// at is where the service takes what is posted: at the address that it states if
// that is of its own host, as many state one that only they can reach.
func (a *abilities) at(base *url.URL) *url.URL {
	u, err := url.Parse(a.postAt)
	if err != nil || !strings.EqualFold(u.Host, base.Host) {
		return base
	}
	return bare(u)
}

// request is the address of the first page; of what is posted it stands for the
// body.
func (a *abilities) request(base *url.URL, w way, cql string) string {
	pairs := []string{"service", "CSW", "version", a.version, "request", "GetRecords", "elementSetName", "full",
		"typeNames", w.types, "outputSchema", w.schema, "maxRecords", rows, "startPosition", "1"}
	if a.version == version3 {
		pairs = append(pairs, "namespace", "xmlns(csw,"+core3+"),xmlns(gmd,"+gmd+")")
	} else {
		pairs = append(pairs, "resultType", "results", "namespace", "xmlns(csw="+core+"),xmlns(gmd="+gmd+")")
	}
	if cql != "" {
		pairs = append(pairs, "constraintLanguage", "CQL_TEXT", "constraint_language_version", "1.1.0", "constraint", cql)
	}
	u := with(base, pairs...)
	if w.post {
		u += "#" + posted
	}
	return u
}
