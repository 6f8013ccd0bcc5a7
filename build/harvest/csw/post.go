package csw

import (
	"encoding/xml"
	"fmt"
	"net/url"

	"github.com/assay-register/assay/build/harvest/source"
)

// posted is the fragment of an address whose words are posted as a document, so
// that one address tells where a run goes on in either way.
const posted = "post"

// getRecords is the document of a request (OGC 07-006r1, section 10.8, and
// 12-176r7, section 7.4).
type getRecords struct {
	XMLName xml.Name `xml:"csw:GetRecords"`
	CSW     string   `xml:"xmlns:csw,attr"`
	GMD     string   `xml:"xmlns:gmd,attr"`
	MDB     string   `xml:"xmlns:mdb,attr,omitempty"`
	Service string   `xml:"service,attr"`
	Version string   `xml:"version,attr"`
	Result  string   `xml:"resultType,attr,omitempty"`
	Start   string   `xml:"startPosition,attr"`
	Max     string   `xml:"maxRecords,attr"`
	Format  string   `xml:"outputFormat,attr"`
	Schema  string   `xml:"outputSchema,attr"`
	Query   getQuery `xml:"csw:Query"`
}

type getQuery struct {
	Types      string      `xml:"typeNames,attr"`
	Set        string      `xml:"csw:ElementSetName"`
	Constraint *constraint `xml:"csw:Constraint"`
}

type constraint struct {
	Version string `xml:"version,attr"`
	CQL     string `xml:"csw:CqlText"`
}

// document is the request of a page, with where it is sent.
func document(at *url.URL) (source.Request, error) {
	q := at.Query()
	version := q.Get("version")
	doc := getRecords{CSW: space(version), GMD: gmd, Service: "CSW", Version: version, Result: q.Get("resultType"),
		Start: q.Get("startPosition"), Max: q.Get("maxRecords"), Format: "application/xml", Schema: q.Get("outputSchema"),
		Query: getQuery{Types: q.Get("typeNames"), Set: q.Get("elementSetName")}}
	if doc.Schema != gmd && doc.Schema != space(version) {
		doc.MDB = doc.Schema
	}
	if cql := q.Get("constraint"); cql != "" {
		doc.Query.Constraint = &constraint{Version: q.Get("constraint_language_version"), CQL: cql}
	}
	body, err := xml.Marshal(doc)
	if err != nil {
		return source.Request{}, fmt.Errorf("write the request of %s: %w", at, err)
	}
	to := without(bare(at), "elementsetname", "typenames", "outputschema", "maxrecords", "startposition", "namespace", "resulttype", "constraint",
		"constraintlanguage", "constraint_language_version")
	return source.Request{URL: to.String(), Body: append([]byte(xml.Header), body...), ContentType: "application/xml"}, nil
}
