package ldes

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/assay-register/assay/build/harvest/source"
	"github.com/assay-register/assay/build/rdf"
)

// The vocabularies of the LDES and TREE specifications and of Activity Streams 2.0.
const (
	nsLDES = "https://w3id.org/ldes#"
	nsTREE = "https://w3id.org/tree#"
	nsAS   = "https://www.w3.org/ns/activitystreams#"
	nsDCT  = "http://purl.org/dc/terms/"

	versionOf   = nsDCT + "isVersionOf"
	generatedAt = "http://www.w3.org/ns/prov#generatedAtTime"
)

// terms say how members of the stream tell what they are.
type terms struct {
	// times are the properties that say when a version was published, of those of which they
	// are versions, deletes the classes of deletions; what the stream declares stands first.
	times, of, deletes []string
}

func usual() terms {
	return terms{times: []string{nsAS + "published", generatedAt, nsDCT + "modified", nsDCT + "issued"}, of: []string{nsAS + "object", versionOf},
		deletes: []string{nsAS + "Delete", nsAS + "Remove"}}
}

// page is a node of the tree with its statements, each graph by itself.
type page struct {
	name string
	// about are the statements of the default graph by their subject.
	about  map[rdf.Term][]rdf.Triple
	graphs map[rdf.Term][]rdf.Triple
	broken *source.Rejection
	// views, relations and members are in the order of the page.
	views, relations, members []rdf.Term
}

// page reads a page and keeps its members.
func (h *harvest) page(ctx context.Context, r io.Reader, name, base, contentType string) (*page, error) {
	limits := h.in.Limits.OrDefault()
	limits.Bytes = min(limits.Bytes, pageMax)
	stream, err := source.NewStream(r, name, limits)
	if err != nil {
		return nil, err
	}
	text := bufio.NewReaderSize(stream, 64<<10)
	head, err := text.Peek(4 << 10)
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, fmt.Errorf("read %s: %w", name, err)
	}
	p := &page{name: name, about: map[rdf.Term][]rdf.Triple{}, graphs: map[rdf.Term][]rdf.Triple{}}
	syntax, html := rdf.Detect(head, contentType, name)
	if html || syntax == rdf.Unknown {
		p.broken = &source.Rejection{Place: name, Code: "not_rdf", Reason: "the page is empty or a web page, not RDF", Remedy: "give the address of a Linked Data Event Stream"}
		return p, nil
	}
	faults, err := p.read(ctx, text, syntax, base)
	var bad *rdf.Problem
	switch p.broken = stream.Problem(); {
	case err == nil || p.broken != nil:
	case errors.As(err, &bad):
		p.broken = &source.Rejection{Place: p.place(bad), Code: CodeSyntax, Reason: err.Error() + "; what stands before it was read", Remedy: "correct the page"}
	default:
		return nil, fmt.Errorf("read %s: %w", name, err)
	}
	for _, f := range faults {
		if err := h.reject(source.Rejection{Place: p.place(&f), Code: CodeSyntax, Reason: f.Reason, Remedy: "correct the statement"}); err != nil {
			return nil, err
		}
	}
	return p, h.take(ctx, p)
}

func (p *page) place(f *rdf.Problem) string { return fmt.Sprintf("%s:%d:%d", p.name, f.Line, f.Column) }

// read sorts the statements and gives the places where one was lost.
func (p *page) read(ctx context.Context, text io.Reader, syntax rdf.Syntax, base string) (faults []rdf.Problem, err error) {
	o := rdf.Options{Base: base, Lenient: func(f rdf.Problem) error {
		if f.Lost {
			faults = append(faults, f)
		}
		return nil
	}}
	n := 0
	add := func(graph rdf.Term, t rdf.Triple) error {
		if n++; n&1023 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		if graph.Kind != 0 {
			p.graphs[graph] = append(p.graphs[graph], t)
			return nil
		}
		p.about[t.Subject] = append(p.about[t.Subject], t)
		switch t.Predicate.Value {
		case nsTREE + "view":
			p.views = append(p.views, t.Object)
		case nsTREE + "relation":
			p.relations = append(p.relations, t.Object)
		case nsTREE + "member":
			p.members = append(p.members, t.Object)
		}
		return nil
	}
	if syntax == rdf.Turtle || syntax == rdf.TriG {
		return faults, rdf.ReadTriG(text, o, add)
	}
	err = rdf.Read(text, syntax, o, func(t rdf.Triple) error { return add(rdf.Term{}, t) })
	return faults, err
}

// one is the first value of a property, the zero term if there is none.
func (p *page) one(node rdf.Term, property string) rdf.Term {
	for _, t := range p.about[node] {
		if t.Predicate.Value == property {
			return t.Object
		}
	}
	return rdf.Term{}
}

// first is the first value of the first of the properties that there is.
func (p *page) first(node rdf.Term, properties []string) rdf.Term {
	for _, property := range properties {
		if v := p.one(node, property); v.Kind != 0 {
			return v
		}
	}
	return rdf.Term{}
}

// learn takes over what the page says of the stream.
func (h *harvest) learn(p *page) {
	known := func(list []string, v rdf.Term) []string {
		if v.Kind != rdf.IRI || slices.Contains(list[:1], v.Value) {
			return list
		}
		return append([]string{v.Value}, list...)
	}
	if len(p.views)+len(p.relations) > 0 {
		h.streams++
	}
	for node, list := range p.about {
		for _, t := range list {
			switch t.Predicate.Value {
			case nsLDES + "timestampPath":
				h.terms.times = known(h.terms.times, t.Object)
			case nsLDES + "versionOfPath":
				h.terms.of = known(h.terms.of, t.Object)
			case nsLDES + "versionDeleteObject":
				h.terms.deletes = known(h.terms.deletes, t.Object)
			case rdf.RDFType:
				if v := t.Object.Value; v == nsLDES+"EventStream" {
					h.streams++
				} else if v == nsLDES+"DurationAgoPolicy" || v == nsLDES+"PointInTimePolicy" {
					h.window = strings.TrimPrefix(v, nsLDES)
					if d := p.first(node, []string{nsTREE + "value", nsLDES + "pointInTime"}); d.Value != "" {
						h.window += " " + d.Value
					}
				}
			}
		}
	}
}

// next are the pages that this one leads to: those of its relations but for such as lead to
// what is older than since; without relations and members, the first view.
func (p *page) next(terms *terms, since time.Time) []string {
	var list []string
	past := map[string]bool{}
	for _, r := range p.relations {
		to := p.one(r, nsTREE+"node")
		if to.Kind != rdf.IRI {
			continue
		}
		if list = append(list, to.Value); p.older(r, terms, since) {
			past[to.Value] = true
		}
	}
	if len(p.relations)+len(p.members) == 0 && len(p.views) > 0 && p.views[0].Kind == rdf.IRI {
		return []string{p.views[0].Value}
	}
	return slices.DeleteFunc(list, func(to string) bool { return past[to] })
}

// older tells that a relation leads to members from before an instant only.
func (p *page) older(relation rdf.Term, terms *terms, since time.Time) bool {
	kind := p.one(relation, rdf.RDFType).Value
	if since.IsZero() || kind != nsTREE+"LessThanRelation" && kind != nsTREE+"LessThanOrEqualToRelation" ||
		!slices.Contains(terms.times, p.one(relation, nsTREE+"path").Value) {
		return false
	}
	until := instant(p.one(relation, nsTREE+"value").Value)
	return !until.IsZero() && until.Before(since)
}

// instant reads an xsd:dateTime or xsd:date; what has no zone is of UTC.
func instant(s string) time.Time {
	for _, form := range []string{time.RFC3339Nano, "2006-01-02T15:04:05.999999999", time.DateOnly} {
		if at, err := time.Parse(form, s); err == nil {
			return at.UTC()
		}
	}
	return time.Time{}
}
