package dcatap

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/assay-register/assay/build/harvest/source"
	"github.com/assay-register/assay/build/rdf"
)

// The faults of documents.
const (
	// CodeSyntax is a place where a document breaks the rules of its syntax, so
	// that something of it is lost.
	CodeSyntax source.Code = "rdf_syntax"
	// CodeNoRDF is a document that is no RDF, a web page most often.
	CodeNoRDF source.Code = "not_rdf"
	// CodeLinks is a document with more links between records than are read.
	CodeLinks source.Code = "links_left_out"
)

const (
	// repairsKept is how many subjects may carry notes of repairs.
	repairsKept = 50_000
	// faultsKept is how many faults of a document are told one by one.
	faultsKept = 1000
)

// document is one page or file: its statements, ordered by subject.
type document struct {
	*table
	// name stands in messages, base resolves relative addresses.
	name, base string
	// faults are the places where something was lost, lost the first of them by
	// the subject of the statement, repairs the notes on those that were
	// repaired.
	faults  []rdf.Problem
	lost    map[string]*rdf.Problem
	repairs map[string]string
	// unnoted counts the faults and repairs that are told by their number only.
	unnoted int
	// listed are the addresses of the datasets that its catalogues have.
	listed []string
	// broken says why the document ended early.
	broken *source.Rejection
	watch  *Watch
}

// load reads a document. A document that cannot be read at all is a rejection.
func (c Connector) load(ctx context.Context, in *source.Input, r io.Reader, name, base, contentType string) (*document, *source.Rejection, error) {
	limits := in.Limits.OrDefault()
	stream, err := source.NewStream(r, name, in.Limits)
	if err != nil {
		return nil, nil, err
	}
	text := bufio.NewReaderSize(stream, 64<<10)
	head, err := text.Peek(4 << 10)
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, nil, fmt.Errorf("read %s: %w", name, err)
	}
	syntax, html := rdf.Detect(head, contentType, name)
	if html || syntax == rdf.Unknown {
		if p := stream.Problem(); p != nil {
			return nil, p, nil
		}
		return nil, noRDF(name, html), nil
	}
	d := &document{name: name, base: base, repairs: map[string]string{}, watch: c.Watch}
	s := &sorter{dir: c.TempDir, memory: c.memory()}
	defer s.close()
	if err := d.read(ctx, stream, text, syntax, s); err != nil {
		return nil, nil, err
	}
	if d.table, err = newTable(s, limits.Record); err != nil {
		return nil, nil, fmt.Errorf("sort the statements of %s: %w", name, err)
	}
	return d, nil, nil
}

func noRDF(name string, html bool) *source.Rejection {
	r := &source.Rejection{Place: name, Code: CodeNoRDF, Reason: "the document is empty", Remedy: "give a document in Turtle, RDF/XML, JSON-LD or N-Triples"}
	if html {
		r.Reason = "the document is a web page, not RDF"
	}
	return r
}

// read puts the statements that the mapping reads into the sorter.
func (d *document) read(ctx context.Context, stream *source.Stream, text io.Reader, syntax rdf.Syntax, s *sorter) error {
	var notes []string
	n := 0
	o := rdf.Options{Base: d.base, Context: knownContext, Lenient: func(p rdf.Problem) error {
		switch {
		case !p.Lost:
			notes = append(notes, p.Error())
		case len(d.faults) < faultsKept:
			d.faults = append(d.faults, p)
		default:
			d.unnoted++
		}
		return nil
	}}
	err := rdf.Read(text, syntax, o, func(t rdf.Triple) error {
		if n++; n&1023 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		// What was repaired belongs to the statement that follows.
		for _, note := range notes {
			d.note(key(t.Subject), note)
		}
		notes = notes[:0]
		if err := d.watch.statement(d.name, &t); err != nil {
			return err
		}
		d.list(&t)
		p, ok := properties[t.Predicate.Value]
		if !ok {
			return nil
		}
		if p == propType {
			t.Object.Value = cmp.Or(subclasses[t.Object.Value], t.Object.Value)
		}
		return s.add(func(buf []byte) []byte { return encode(buf, &t, p, uint32(n)) })
	})
	d.unnoted += len(notes)
	d.lost = map[string]*rdf.Problem{}
	for i := range d.faults {
		if k := key(d.faults[i].Subject); k != "" && d.lost[k] == nil {
			d.lost[k] = &d.faults[i]
		}
	}
	return d.ended(err, stream)
}

func (d *document) note(key, note string) {
	before, ok := d.repairs[key]
	switch {
	case !ok && len(d.repairs) >= repairsKept:
		d.unnoted++
	case len(before) < 1000:
		if ok {
			note = before + "; " + note
		}
		d.repairs[key] = note
	}
}

// ended tells why the reading ended early, if it did: the records before are
// taken.
func (d *document) ended(err error, stream *source.Stream) error {
	var p *rdf.Problem
	d.broken = stream.Problem()
	switch {
	case err == nil || d.broken != nil:
	case errors.As(err, &p):
		d.broken = &source.Rejection{Place: d.place(p), Code: CodeSyntax, Reason: err.Error() + "; what stands before it was read",
			Remedy: "correct the document"}
	default:
		return fmt.Errorf("read %s: %w", d.name, err)
	}
	return nil
}

func (d *document) place(p *rdf.Problem) string {
	if p.Line == 0 {
		return d.name
	}
	return fmt.Sprintf("%s:%d:%d", d.name, p.Line, p.Column)
}

// problems lists the faults that no record was rejected for.
func (d *document) problems(told map[string]bool) []source.Rejection {
	var out []source.Rejection
	for i := range d.faults {
		if p := &d.faults[i]; p.Subject.Kind == 0 || !told[key(p.Subject)] {
			r := source.Rejection{Place: d.place(p), Code: CodeSyntax, Reason: p.Reason, Remedy: "correct the statement"}
			if p.Subject.Kind != 0 {
				r.Reason = "of what is said about " + p.Subject.String() + " something is lost: " + p.Reason
			}
			out = append(out, r)
		}
	}
	if d.unnoted > 0 {
		out = append(out, source.Rejection{Place: d.name, Code: CodeSyntax, Remedy: "correct the document",
			Reason: fmt.Sprintf("%d more places of the document break the rules of its syntax", d.unnoted)})
	}
	if d.broken != nil {
		out = append(out, *d.broken)
	}
	return slices.Clip(out)
}
