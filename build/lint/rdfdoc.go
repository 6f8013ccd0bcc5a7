package lint

import (
	"fmt"
	"strings"
	"time"

	"golang.org/x/text/language"

	"github.com/assay-register/assay/build/harvest/source"
	"github.com/assay-register/assay/build/rdf"
	"github.com/assay-register/assay/render/lint"
)

// dateTypes counts how dates are typed in a document.
type dateTypes struct {
	days, times int
	document    string
}

func (d *dateTypes) close(l *linter) {
	if d.days > 0 && d.times > 0 {
		f := lint.New("date.types", lint.Record{Document: d.document}, "dct:modified, dct:issued", "", fmt.Sprintf("%d dates are xsd:date, %d xsd:dateTime", d.days, d.times))
		f.Count = min(d.days, d.times)
		l.add(f)
		if kept := l.once["date.types "+d.document]; kept != nil {
			kept.Count = f.Count
		}
	}
}

// prefixes shorten predicates to what people write.
var prefixes = [][2]string{{"http://purl.org/dc/terms/", "dct:"}, {"http://www.w3.org/ns/dcat#", "dcat:"}, {"http://xmlns.com/foaf/0.1/", "foaf:"},
	{"http://www.w3.org/2006/vcard/ns#", "vcard:"}, {"http://www.w3.org/2000/01/rdf-schema#", "rdfs:"}, {"http://www.w3.org/2004/02/skos/core#", "skos:"},
	{"http://www.w3.org/ns/adms#", "adms:"}, {"http://data.europa.eu/r5r/", "dcatap:"}}

func short(iri string) string {
	for _, p := range prefixes {
		if rest, ok := strings.CutPrefix(iri, p[0]); ok {
			return p[1] + rest
		}
	}
	return iri
}

// statement looks at one statement of RDF.
func (l *linter) statement(document string, t *rdf.Triple) error {
	predicate := short(t.Predicate.Value)
	if predicate == t.Predicate.Value {
		return l.err // of vocabularies that the register does not read
	}
	_, local, _ := strings.Cut(predicate, ":")
	m := member{pointer: predicate, name: local, value: t.Object.Value, kind: "string"}
	at := lint.Record{Document: document, Subject: subject(t.Subject)}
	r := rdfLook{l: l, at: at, t: t, m: &m}
	if t.Object.Kind == rdf.Blank {
		return l.err
	}
	if t.Object.Kind == rdf.Literal {
		r.literal()
	}
	switch c := classOf(&m); {
	case predicate == "dct:license" || predicate == "dct:identifier" || predicate == "dct:format" || predicate == "dct:description":
	case c == address && (t.Object.Kind == rdf.IRI || strings.Contains(t.Object.Value, "/")):
		r.address()
	case c == date && t.Object.Kind == rdf.Literal:
		r.date()
	case c == mail && predicate != "foaf:mail":
		r.mail()
	}
	return l.err
}

func subject(t rdf.Term) string {
	if t.Kind == rdf.Blank {
		return "_:" + t.Value
	}
	return t.Value
}

// rdfLook is a look at one statement. The rules about values are those of JSON; what
// they find is told with a patch in Turtle.
type rdfLook struct {
	l  *linter
	at lint.Record
	t  *rdf.Triple
	m  *member
}

// found tells a finding; with a mended value the statement is replaced.
func (r *rdfLook) found(rule, message string, mended ...rdf.Term) {
	r.replaced(rule, message, false, mended...)
}

// replaced is found, where choose tells that the mended value is an example.
func (r *rdfLook) replaced(rule, message string, choose bool, mended ...rdf.Term) {
	f := lint.New(rule, r.at, r.m.pointer, r.t.Object.Value, message)
	if r.t.Subject.Kind == rdf.IRI && len(mended) > 0 {
		f.Patch = &lint.Patch{Form: lint.Turtle, Choose: choose, Remove: StatementText(r.t.Subject, r.t.Predicate, r.t.Object)}
		for _, o := range mended {
			f.Patch.Add = StatementText(r.t.Subject, r.t.Predicate, o)
		}
	}
	r.l.add(f)
}

func (r *rdfLook) with(value string) rdf.Term {
	o := r.t.Object
	o.Value = value
	of, typed := strings.CutPrefix(o.Datatype, xsd)
	if !typed || of != "date" && of != "dateTime" && of != "gYear" && of != "gYearMonth" {
		return o
	}
	// The type follows the value, and a day whose type has to change those of the other dates.
	if _, err := time.Parse(time.DateOnly, value); err == nil {
		if o.Datatype = xsd + "date"; of == "dateTime" || of != "date" && r.l.dates.days == 0 && r.l.dates.times > 0 {
			o.Value, o.Datatype = value+"T00:00:00Z", xsd+"dateTime"
		}
	} else if _, err := time.Parse(time.RFC3339, value); err == nil {
		o.Datatype = xsd + "dateTime"
	}
	return o
}

// xsd is the namespace of the types of values.
const xsd = "http://www.w3.org/2001/XMLSchema#"

func (r *rdfLook) literal() {
	o := &r.t.Object
	if o.Lang != "" {
		r.tag(o.Lang)
	}
	if holder.MatchString(strings.TrimSpace(o.Value)) {
		r.replaced("text.placeholder", "", true, r.with(exampleText(classOf(r.m))))
		return
	}
	if rule := charactersRule(o.Value); rule != "" {
		mended := source.CleanText(o.Value)
		if rule == "text.mojibake" {
			mended = undo(o.Value)
		}
		if mended == "" || mended == o.Value {
			r.found(rule, "")
		} else {
			r.found(rule, "", r.with(mended))
		}
	}
}

// tag looks at a language tag.
func (r *rdfLook) tag(tag string) {
	if source.MachineTranslated(tag) {
		r.l.add(lint.New("language.machine", r.at, r.m.pointer, tag, ""))
		return
	}
	parsed, err := language.Parse(tag)
	if base, _ := parsed.Base(); err != nil || base.String() == "und" || len(base.String()) > 3 || !ascii(tag) {
		o := r.t.Object
		o.Lang, o.Datatype = "", rdf.XSDString
		r.found("language.tag", fmt.Sprintf("%q is no language tag", tag), o)
	}
}

// address judges by the rules of JSON; its findings are taken and told in RDF.
func (r *rdfLook) address() {
	if r.t.Object.Kind == rdf.IRI && strings.HasPrefix(r.t.Object.Value, "mailto:") {
		return
	}
	r.judge(func(in *linter, m *member) { in.address(r.at, m, strings.TrimSpace(m.value)) })
}

func (r *rdfLook) date() {
	switch {
	case r.m.name != "modified" && r.m.name != "issued":
	case strings.HasSuffix(r.t.Object.Datatype, "XMLSchema#date"):
		r.l.dates.days, r.l.dates.document = r.l.dates.days+1, r.at.Document
	case strings.HasSuffix(r.t.Object.Datatype, "XMLSchema#dateTime"):
		r.l.dates.times, r.l.dates.document = r.l.dates.times+1, r.at.Document
	}
	if v := strings.TrimSpace(r.m.value); r.m.name == "modified" && interval.MatchString(v) {
		r.found("date.interval", "") // whether its place is still free, one statement does not tell
		return
	}
	r.judge(func(in *linter, m *member) { in.date(r.at, m, strings.TrimSpace(m.value)) })
}

func (r *rdfLook) mail() {
	v := r.t.Object.Value
	if r.t.Object.Kind == rdf.IRI && !strings.HasPrefix(v, "mailto:") && len(source.Mails(v)) > 0 {
		mail := source.Mails(v)[0]
		r.found("mail.scheme", "", rdf.Term{Kind: rdf.IRI, Value: "mailto:" + mail})
		return
	}
	if r.t.Object.Kind == rdf.Literal && !strings.HasPrefix(v, "mailto:") && r.m.name == "hasEmail" && len(source.Mails(v)) > 0 {
		r.found("mail.scheme", "", rdf.Term{Kind: rdf.IRI, Value: "mailto:" + source.Mails(v)[0]})
		return
	}
	if r.t.Object.Kind == rdf.IRI && strings.HasPrefix(v, "http") {
		r.found("mail.unusable", "the address of a page stands where an address of mail belongs; state it with vcard:hasURL")
		return
	}
	if strings.HasPrefix(v, "mailto:") || r.t.Object.Kind == rdf.Literal {
		r.judge(func(in *linter, m *member) { in.mail(r.at, m, strings.TrimSpace(m.value)) })
	}
}

// judge runs a rule for values of JSON and tells what it finds of the statement.
func (r *rdfLook) judge(rule func(in *linter, m *member)) {
	in := &linter{kind: r.l.kind, licences: r.l.licences, once: r.l.once, o: Options{Found: func(f *lint.Finding) error {
		var mended []rdf.Term
		if p := f.Patch; p != nil && len(p.Operations) > 0 {
			if value, ok := p.Operations[len(p.Operations)-1].Value.(string); ok {
				mended = append(mended, r.with(value))
			}
		}
		r.replaced(f.Rule, f.Message, f.Patch != nil && f.Patch.Choose, mended...)
		return r.l.err
	}}}
	m := *r.m
	m.pointer = "/" + m.pointer
	rule(in, &m)
}

// node looks at what all statements about a subject say together.
func (l *linter) node(document string, n described) error {
	at := lint.Record{Document: document, Subject: subject(n.Subject)}
	if n.Class("Distribution") {
		l.reached(at, &n)
		if len(n.Values["dct:license"])+len(n.Values["dct:rights"]) == 0 {
			l.add(lint.New("distribution.no-licence", at, "dct:license", "", ""))
		}
		if len(n.Values["dct:title"]) == 0 {
			l.add(lint.New("distribution.no-title", at, "dct:title", "", ""))
		}
	}
	if !n.Class("Dataset") && !n.Class("DataService") && !n.Class("DatasetSeries") {
		return l.err
	}
	if len(n.Values["dct:title"]) == 0 {
		l.unlisted(at, &n)
	}
	for _, p := range [][2]string{{"dct:modified", "http://purl.org/dc/terms/modified"}, {"dct:issued", "http://purl.org/dc/terms/issued"}} {
		if list := n.Values[p[0]]; len(list) > 1 {
			values := make([]string, len(list))
			for i := range list {
				values[i] = list[i].Value
			}
			l.add(lint.New("date.repeated", at, p[0], strings.Join(values, ", "), fmt.Sprintf("%s has %d values", p[0], len(list))))
		}
	}
	for _, t := range n.Values["dct:title"] {
		l.all.title(t.Value, at)
		break
	}
	return l.err
}

// reached tells of a distribution without the access address that DCAT-AP asks for;
// where a download is stated, it is that.
func (l *linter) reached(at lint.Record, n *described) {
	if len(n.Values["dcat:accessURL"]) > 0 {
		return
	}
	f := lint.New("distribution.no-address", at, "dcat:accessURL", "", "")
	if file := n.Values["dcat:downloadURL"]; len(file) > 0 {
		f.Message = "a distribution has dcat:downloadURL and no dcat:accessURL"
		if n.Subject.Kind == rdf.IRI && file[0].Kind == rdf.IRI && sound(file[0].Value) {
			f.Patch = &lint.Patch{Form: lint.Turtle, Add: StatementText(n.Subject, rdf.Term{Kind: rdf.IRI, Value: "http://www.w3.org/ns/dcat#accessURL"}, file[0])}
		}
	}
	l.add(f)
}

// unlisted tells what else a dataset lacks that is not listed because it has no
// title.
func (l *linter) unlisted(at lint.Record, n *described) {
	for _, x := range []struct{ property, field string }{{"dct:description", "description"}, {"dct:publisher", "publisher_name"}, {"dcat:distribution", "dataset_details.distributions"}} {
		if len(n.Values[x.property]) == 0 && n.Class("Dataset") {
			f := lint.New(lint.GapRule(x.field), at, x.property, "", "not stated: "+x.property)
			if t := lint.TemplateOf("dcat", "", x.field); t != nil && n.Subject.Kind == rdf.IRI {
				f.Patch = &lint.Patch{Form: lint.Turtle, Choose: true, Add: "<" + lint.IRI(n.Subject.Value) + "> " + t.Turtle + " ."}
			}
			l.add(f)
		}
	}
}
