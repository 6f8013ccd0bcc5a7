// Package oai answers as a repository of OAI-PMH 2.0: records of Dublin Core and of
// DCAT-AP, with sets, datestamps to the second and deletions that are kept for good.
// Sections are those of the specification (OAI-PMH 2.0 of 2002-06-14).
//
// It keeps no state: a resumption token names the snapshot that the list began with, its
// conditions and the place in it, so that a list is one catalogue from its first page to
// its last. A token whose snapshot has expired is refused as the protocol wants, and a
// harvester begins the list again.
package oai

import (
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/assay-register/assay/dynamic/query"
	"github.com/assay-register/assay/dynamic/web"
	"github.com/assay-register/assay/render/snapshot"
	"github.com/assay-register/assay/render/wire"
)

// Source reads the document of a route; fs.ErrNotExist where there is none.
type Source interface {
	Read(route string) ([]byte, error)
}

// The formats of metadata.
const (
	prefixCore = "oai_dc"
	prefixDCAT = "dcat_ap"
)

// How many records, or headers alone, a page has.
const (
	recordsMax = 100
	headersMax = 1000
)

const (
	namespace = "http://www.openarchives.org/OAI/2.0/"
	mediaXML  = "text/xml; charset=utf-8" // section 3.1.2.1
	schema    = "http://www.w3.org/2001/XMLSchema-instance"
)

// fault is an error of the protocol (section 3.6).
type fault struct{ code, text string }

func (f *fault) Error() string { return f.code + ": " + f.text }

func faultf(code, format string, args ...any) *fault {
	return &fault{code, fmt.Sprintf(format, args...)}
}

// verbs are the arguments that each verb takes beside itself (section 4); those
// with a star are required unless a token is given.
var verbs = map[string][]string{
	"Identify": nil, "ListMetadataFormats": {"identifier"}, "ListSets": {"resumptionToken"}, "GetRecord": {"identifier*", "metadataPrefix*"},
	"ListIdentifiers": {"metadataPrefix*", "from", "until", "set", "resumptionToken"}, "ListRecords": {"metadataPrefix*", "from", "until", "set", "resumptionToken"},
}

type handler struct {
	library *query.Library
	source  Source
	now     func() time.Time
}

// Repository answers requests by GET and POST.
func Repository(library *query.Library, source Source, now func() time.Time) web.Handler {
	h := &handler{library, source, now}
	return h.serve
}

// request is one that is being answered.
type request struct {
	*handler
	s    *query.Snapshot
	args url.Values
	out  strings.Builder
}

func (h *handler) serve(w http.ResponseWriter, r *http.Request) error {
	s, err := h.library.At(r.Context(), "")
	if err != nil {
		return err
	}
	q := &request{handler: h, s: s}
	bad := q.read(r)
	if bad == nil {
		err = q.answer(r)
		if f, ok := err.(*fault); ok {
			bad, err = f, nil
		}
	}
	if err != nil {
		return err
	}
	body := q.document(bad)
	d := web.Document{Head: web.Head{Type: mediaXML, Cache: web.CacheLive, Snapshot: q.s.ID}, Body: web.NewBody([]byte(body))}
	return d.Write(w, r)
}

// read takes the arguments, each of which may stand once (section 3.6, badArgument).
func (q *request) read(r *http.Request) *fault {
	raw := r.URL.RawQuery
	if r.Method == http.MethodPost {
		if err := r.ParseForm(); err != nil {
			return faultf("badArgument", "the body is no form: %v", err)
		}
		raw = r.PostForm.Encode()
	}
	args, err := url.ParseQuery(raw)
	if err != nil {
		return faultf("badArgument", "the query cannot be read: %v", err)
	}
	q.args = args
	known, ok := verbs[args.Get("verb")]
	if len(args["verb"]) != 1 || !ok {
		q.args = nil
		return faultf("badVerb", "verb must be one of GetRecord, Identify, ListIdentifiers, ListMetadataFormats, ListRecords and ListSets, once")
	}
	for name, values := range args {
		if name != "verb" && !slices.Contains(known, name) && !slices.Contains(known, name+"*") {
			return faultf("badArgument", "%s takes no argument %q", args.Get("verb"), name)
		}
		if len(values) != 1 {
			return faultf("badArgument", "the argument %q stands %d times", name, len(values))
		}
		if values[0] == "" {
			return faultf("badArgument", "the argument %q is empty: leave it out, or give it a value", name)
		}
	}
	if args.Has("resumptionToken") {
		if len(args) != 2 {
			return faultf("badArgument", "a resumptionToken stands alone")
		}
		return nil
	}
	for _, name := range known {
		if name, required := strings.CutSuffix(name, "*"); required && args.Get(name) == "" {
			return faultf("badArgument", "%s needs the argument %s", args.Get("verb"), name)
		}
	}
	return nil
}

func (q *request) answer(r *http.Request) error {
	switch q.args.Get("verb") {
	case "Identify":
		q.identify()
		return nil
	case "ListMetadataFormats":
		return q.formats()
	case "ListSets":
		return q.sets()
	case "GetRecord":
		return q.record()
	case "ListIdentifiers":
		return q.list(r, headersMax, false)
	}
	return q.list(r, recordsMax, true)
}

// document puts the answer into its frame (section 3.2). Arguments are repeated unless
// they were no good.
func (q *request) document(bad *fault) string {
	var b strings.Builder
	fmt.Fprintf(&b, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<OAI-PMH xmlns=%q xmlns:xsi=%q xsi:schemaLocation=\"%s %s\">\n<responseDate>%s</responseDate>\n<request",
		namespace, schema, namespace, "http://www.openarchives.org/OAI/2.0/OAI-PMH.xsd", stamp(q.now()))
	if bad == nil || bad.code != "badVerb" && bad.code != "badArgument" {
		for _, name := range []string{"verb", "identifier", "metadataPrefix", "from", "until", "set", "resumptionToken"} {
			if q.args.Has(name) {
				fmt.Fprintf(&b, ` %s="%s"`, name, escape(q.args.Get(name)))
			}
		}
	}
	fmt.Fprintf(&b, ">%s</request>\n", escape(q.base()))
	if bad != nil {
		fmt.Fprintf(&b, "<error code=%q>%s</error>\n", bad.code, escape(bad.text))
	} else {
		verb := q.args.Get("verb")
		fmt.Fprintf(&b, "<%s>\n%s</%s>\n", verb, q.out.String(), verb)
	}
	b.WriteString("</OAI-PMH>\n")
	return b.String()
}

func (q *request) base() string { return strings.TrimRight(q.s.Site.BaseURL, "/") + wire.RouteOAI }

// identify tells who answers (section 4.2).
func (q *request) identify() {
	site := q.s.Site
	mail := strings.TrimPrefix(site.ContactURI(), "mailto:")
	if !strings.Contains(mail, "@") { // an address of mail is required; a site without one has none better
		mail = "postmaster@" + q.host()
	}
	fmt.Fprintf(&q.out, "<repositoryName>%s</repositoryName>\n<baseURL>%s</baseURL>\n<protocolVersion>2.0</protocolVersion>\n<adminEmail>%s</adminEmail>\n"+
		"<earliestDatestamp>%s</earliestDatestamp>\n<deletedRecord>persistent</deletedRecord>\n<granularity>YYYY-MM-DDThh:mm:ssZ</granularity>\n<compression>gzip</compression>\n"+
		"<description><oai-identifier xmlns=\"http://www.openarchives.org/OAI/2.0/oai-identifier\" xsi:schemaLocation=\"http://www.openarchives.org/OAI/2.0/oai-identifier http://www.openarchives.org/OAI/2.0/oai-identifier.xsd\">"+
		"<scheme>oai</scheme><repositoryIdentifier>%s</repositoryIdentifier><delimiter>:</delimiter><sampleIdentifier>%s</sampleIdentifier></oai-identifier></description>\n",
		escape(site.Name), escape(q.base()), escape(mail), stamp(q.earliest()), escape(q.host()), escape(q.identifier("00000000-0000-5000-8000-000000000000")))
}

// host is that of the register, of which identifiers are made (guidelines for
// oai-identifier).
func (q *request) host() string {
	if u, err := url.Parse(q.s.Site.BaseURL); err == nil && u.Hostname() != "" {
		return u.Hostname()
	}
	return "localhost"
}

func (q *request) identifier(id string) string { return "oai:" + q.host() + ":" + id }

// earliest is no later than any datestamp.
func (q *request) earliest() time.Time {
	first := q.s.AsOf
	for i := range q.s.Lines {
		if at := changedAt(&q.s.Lines[i]); at.Before(first) {
			first = at
		}
	}
	for i := range q.s.Gone {
		if at := q.s.Gone[i].At; at.Before(first) {
			first = at
		}
	}
	return first
}

// changedAt is when an entry last said something else, or appeared.
func changedAt(l *snapshot.Line) time.Time {
	return time.Unix(max(l.Updated, l.Published, l.ContentChanged, l.Created), 0).UTC()
}

func stamp(t time.Time) string { return t.UTC().Format("2006-01-02T15:04:05Z") }

// formats lists those of the repository, or of one record (section 4.4).
func (q *request) formats() error {
	dcat := true
	if q.args.Has("identifier") {
		l, gone, err := q.find(q.args.Get("identifier"))
		if err != nil {
			return err
		}
		dcat = gone != nil || l.LeftOut == ""
	}
	for _, f := range []struct{ prefix, schema, space string }{
		{prefixCore, "http://www.openarchives.org/OAI/2.0/oai_dc.xsd", "http://www.openarchives.org/OAI/2.0/oai_dc/"},
		{prefixDCAT, "http://www.w3.org/1999/02/22-rdf-syntax-ns#", "http://www.w3.org/1999/02/22-rdf-syntax-ns#"},
	} {
		if f.prefix == prefixDCAT && !dcat {
			continue
		}
		fmt.Fprintf(&q.out, "<metadataFormat><metadataPrefix>%s</metadataPrefix><schema>%s</schema><metadataNamespace>%s</metadataNamespace></metadataFormat>\n", f.prefix, f.schema, f.space)
	}
	return nil
}

// find looks up an identifier: an entry, or one that left.
func (q *request) find(identifier string) (*snapshot.Line, *snapshot.Tombstone, error) {
	unknown := faultf("idDoesNotExist", "no record has the identifier %q", identifier)
	id, ok := strings.CutPrefix(identifier, q.identifier(""))
	if !ok {
		return nil, nil, unknown
	}
	if i := q.s.ByID(id); i >= 0 {
		return &q.s.Lines[i], nil, nil
	}
	for i := range q.s.Gone {
		if q.s.Gone[i].ID == id {
			return nil, &q.s.Gone[i], nil
		}
	}
	return nil, nil, unknown
}
