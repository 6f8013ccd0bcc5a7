package query

import (
	"fmt"
	"net/url"
	"slices"
	"strings"

	"github.com/assay-register/assay/render/snapshot"
	"github.com/assay-register/assay/render/wire"
)

// nameMax is the longest id or slug that a reader may ask for, in bytes.
const nameMax = 200

// CompareRequest is a request for a comparison that was found valid.
type CompareRequest struct {
	// Names are the different ids or slugs, in the order asked for.
	Names []string
	// Snapshot is the id that the reader names, or "".
	Snapshot string
	// Format is json, csv or "" for whatever the client prefers.
	Format string
	// Safe asks for the CSV that no spreadsheet runs; Format is csv then.
	Safe bool
}

// ParseCompare reads the parameters of a comparison, ParseMatrix those of a
// matrix. All errors come together.
func ParseCompare(values url.Values) (*CompareRequest, error) {
	return parseCompare(values, wire.CompareParams())
}

// ParseMatrix reads the parameters of a matrix.
func ParseMatrix(values url.Values) (*CompareRequest, error) {
	q, err := parseCompare(values, wire.MatrixParams())
	if err != nil || !values.Has(wire.Safe) {
		return q, err
	}
	if q.Format != "json" { // no spreadsheet runs JSON
		q.Format, q.Safe = "csv", true
	}
	return q, nil
}

func parseCompare(values url.Values, params []wire.Param) (*CompareRequest, error) {
	p := &parser{values: values, out: &Request{}}
	names := p.names()
	for i := range params {
		if params[i].Name != "ids" {
			p.param(&params[i])
		}
	}
	p.unknown(params)
	if len(p.errors) > 0 {
		return nil, &paramsError{p.errors}
	}
	return &CompareRequest{Names: names, Snapshot: p.out.Snapshot, Format: values.Get("format")}, nil
}

// names reads the entries of a comparison, each once.
func (p *parser) names() []string {
	remedy := fmt.Sprintf("give %d to %d different ids or slugs, separated by commas", wire.CompareMin, wire.CompareMax)
	list := p.values["ids"]
	if len(list) > 1 {
		p.wrong("ids", list[1], "given more than once; "+remedy)
		return nil
	}
	parts := strings.Split(strings.Join(list, ""), ",")
	if len(parts) > wire.CompareMax {
		p.wrong("ids", p.values.Get("ids"), remedy)
		return nil
	}
	var names []string
	for _, part := range parts {
		name := strings.TrimSpace(part)
		if name == "" || len(name) > nameMax {
			p.wrong("ids", p.values.Get("ids"), remedy)
			return nil
		}
		if !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	if len(names) < wire.CompareMin {
		p.wrong("ids", p.values.Get("ids"), remedy)
	}
	return names
}

// asked follows names to visible entries, each once.
func (s *Snapshot) asked(names []string) ([]*snapshot.Line, wire.CompareHead) {
	head := wire.CompareHead{Asked: []wire.Asked{}, NotFound: []string{}, Snapshot: s.ID}
	var lines []*snapshot.Line
	for _, name := range names {
		place := s.Find(name)
		a := wire.Asked{Name: name, Outcome: outcomes[place.Standing]}
		if place.Merged {
			a.Outcome = wire.AskedMerged
		}
		if place.Successor != "" {
			a.Successor = &place.Successor
		}
		if place.ID == "" {
			head.NotFound = append(head.NotFound, name)
		} else {
			a.EntryID = &place.ID
			if l := &s.Lines[s.ByID(place.ID)]; !slices.Contains(lines, l) {
				lines = append(lines, l)
			}
		}
		head.Asked = append(head.Asked, a)
	}
	return lines, head
}

var outcomes = map[Standing]wire.AskedOutcome{
	Unknown: wire.AskedUnknown, Visible: wire.AskedFound, Moved: wire.AskedMoved, Removed: wire.AskedRemoved,
}

// ComparePage sets entries side by side.
func (s *Snapshot) ComparePage(r *CompareRequest) ([]byte, error) {
	lines, head := s.asked(r.Names)
	return wire.EncodeComparison(s.Catalog, lines, head, s.AsOf)
}

// MatrixPage sets the fields of entries side by side, as CSV or sealed JSON.
func (s *Snapshot) MatrixPage(r *CompareRequest, asCSV bool) ([]byte, error) {
	lines, head := s.asked(r.Names)
	m, err := wire.NewComparisonMatrix(s.Catalog, lines, head)
	if err != nil {
		return nil, err
	}
	if asCSV {
		return m.CSV(r.Safe)
	}
	return wire.Seal(m, s.AsOf, true)
}
