package contract

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/assay-register/assay/render/catalog"
)

// Severities. Breaking: a client that worked stops, or reads something else.
// Compatible: it goes on.
const (
	Breaking   = "breaking"
	Compatible = "compatible"
)

// Change is one difference between two contracts.
type Change = catalog.ContractChange

// Difference is how a contract changed; its severity is that of the gravest change.
type Difference struct {
	Severity string   `json:"severity,omitempty"`
	Changes  []Change `json:"changes,omitempty"`
}

// Compare returns the changes from one contract of a source to a later one, what
// breaks clients first. Contracts of different kinds have nothing in common: that
// is one breaking change.
func Compare(from, to *Contract) (d Difference, err error) {
	switch {
	case from == nil || to == nil || from.Sum() == to.Sum():
		return d, nil
	case from.Kind != to.Kind:
		d.add(Breaking, "interface.replaced", "", from.Kind, to.Kind)
	case from.Kind == OpenAPI:
		if d.Changes, err = compareOpenAPI(from.Document, to.Document); err != nil {
			return Difference{}, err
		}
	default:
		d.items(from, to)
	}
	slices.SortStableFunc(d.Changes, func(a, b Change) int {
		return cmp.Or(cmp.Compare(a.Severity, b.Severity), cmp.Compare(a.Field, b.Field), cmp.Compare(a.Kind, b.Kind))
	})
	if len(d.Changes) > 0 {
		d.Severity = d.Changes[0].Severity
	}
	return d, nil
}

func (d *Difference) add(severity, kind, field, from, to string) {
	d.Changes = append(d.Changes, Change{Severity: severity, Kind: kind, Field: field, From: from, To: to})
}

func (d *Difference) items(from, to *Contract) {
	after := map[string]*Item{}
	for i := range to.Items {
		after[to.Items[i].Kind+" "+to.Items[i].Path] = &to.Items[i]
	}
	before := map[string]*Item{}
	for i := range from.Items {
		old := &from.Items[i]
		before[old.Kind+" "+old.Path] = old
		if now := after[old.Kind+" "+old.Path]; now != nil {
			d.item(old, now)
		} else if old.Kind != form && !below(before, after, old.Path) {
			d.add(Breaking, old.Kind+".removed", old.Path, old.Type, "")
		}
	}
	for i := range to.Items {
		now := &to.Items[i]
		if before[now.Kind+" "+now.Path] == nil && !below(after, before, now.Path) {
			d.added(now)
		}
	}
}

// below tells of a part that what it is a part of is in one contract and not in the
// other: then that is the change.
func below(in, other map[string]*Item, path string) bool {
	i := strings.LastIndexByte(path, '/')
	if i < 0 {
		return false
	}
	for key := range kinds {
		parent := key + " " + path[:i]
		if in[parent] != nil {
			return other[parent] == nil
		}
	}
	return false
}

// kinds are the kinds of parts that have others.
var kinds = map[string]bool{"tool": true, "dataflow": true, "entity-set": true, "function": true, "layer": true, "feature-type": true, "operation": true, "collection": true}

// added: what is new breaks nobody, but for what every call must give from now on,
// and for a dimension, without which the keys of series have one place too few
// (SDMX 2.1, section 7 of the REST guidelines).
func (d *Difference) added(now *Item) {
	switch {
	case now.Kind == form: // it was not told before
	case now.Kind == "dimension", now.Kind == "key":
		d.add(Breaking, now.Kind+".added", now.Path, "", now.Type)
	case now.Required && input(now.Kind):
		d.add(Breaking, now.Kind+".required-added", now.Path, "", now.Type)
	default:
		d.add(Compatible, now.Kind+".added", now.Path, "", now.Type)
	}
}

// input tells of parts that clients send; the others they receive.
func input(kind string) bool { return kind == "argument" || kind == "parameter" }

// item compares a part with what it was.
func (d *Difference) item(old, now *Item) {
	if old.Type != now.Type {
		d.add(retyped(old.Kind, old.Type, now.Type), old.Kind+".type-changed", old.Path, old.Type, now.Type)
	}
	if old.Place != now.Place {
		d.add(Breaking, old.Kind+".moved", old.Path, fmt.Sprint(old.Place), fmt.Sprint(now.Place))
	}
	if old.Required != now.Required && now.Kind != "column" { // of columns a sample says so
		d.required(old, now)
	}
	d.values(old, now)
}

// required: a call that left an argument out is refused when it must be given; who
// reads a property that was never empty meets one that is.
func (d *Difference) required(old, now *Item) {
	rule, severity := ".optional", Compatible
	if now.Required {
		rule = ".required"
	}
	if now.Required == input(now.Kind) {
		severity = Breaking
	}
	d.add(severity, old.Kind+rule, old.Path, "", "")
}

// values: what is no longer offered breaks who asks for it. That a limit falls (no
// values at all) widens what is taken, and one that comes narrows it.
func (d *Difference) values(old, now *Item) {
	var gone, come []string
	for _, v := range old.Values {
		if !slices.Contains(now.Values, v) {
			gone = append(gone, v)
		}
	}
	for _, v := range now.Values {
		if !slices.Contains(old.Values, v) {
			come = append(come, v)
		}
	}
	switch {
	case len(gone)+len(come) == 0:
	case len(now.Values) == 0 && input(old.Kind):
		d.add(Compatible, old.Kind+".values-open", old.Path, list(gone), "")
	case len(old.Values) == 0 && input(old.Kind):
		d.add(Breaking, old.Kind+".values-closed", old.Path, "", list(come))
	default:
		if len(gone) > 0 {
			d.add(Breaking, old.Kind+".values-removed", old.Path, list(gone), "")
		}
		if len(come) > 0 {
			d.add(Compatible, old.Kind+".values-added", old.Path, "", list(come))
		}
	}
}

// listMax is how many values a change names.
const listMax = 10

func list(values []string) string {
	if len(values) > listMax {
		return strings.Join(values[:listMax], ", ") + fmt.Sprintf(" and %d more", len(values)-listMax)
	}
	return strings.Join(values, ", ")
}

// wider are the types that take every value of another one, so that who sends the
// narrower one goes on, and who reads the wider one does.
var wider = map[string][]string{
	"integer": {"number", "decimal"}, "year": {"integer", "number"}, "decimal": {"number"}, "number": {"decimal"},
	"Edm.Byte": {"Edm.Int16", "Edm.Int32", "Edm.Int64"}, "Edm.Int16": {"Edm.Int32", "Edm.Int64"}, "Edm.Int32": {"Edm.Int64"}, "Edm.Single": {"Edm.Double"},
	"identifier": {"string"}, "url": {"string"}, "email": {"string"},
}

// retyped judges a change of type: what a client sends may be taken more widely, what
// it reads may be given more narrowly. Where a type was not known, or is not any more,
// nothing is known of a change.
func retyped(kind, from, to string) string {
	if from == "" || to == "" || from == "unknown" || to == "unknown" {
		return Compatible
	}
	a, b := to, from // what is read
	if input(kind) {
		a, b = from, to
	}
	if slices.Contains(wider[a], b) {
		return Compatible
	}
	if kind == "column" && texts[from] && texts[to] {
		return Compatible // how a sample of text is called
	}
	return Breaking
}

// texts are types of columns that are read as text.
var texts = map[string]bool{"string": true, "identifier": true, "id": true, "url": true, "email": true}
