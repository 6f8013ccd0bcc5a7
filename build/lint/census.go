package lint

import (
	"fmt"
	"strings"
	"unicode"

	"github.com/assay-register/assay/build/harvest/source"
	"github.com/assay-register/assay/render/lint"
	"github.com/assay-register/assay/render/search"
)

// census counts what several records have in common. It keeps a hash and a number
// for each value, and the record only where it tells of one: some 40 bytes a record
// for each of the counts.
type census struct {
	identifiers, titles, pages, shapes map[uint64]int32
	first                              map[uint64]string
	shared                             map[uint64]*lint.Finding
}

// alikeFrom is how many titles that differ by numbers only are told, sharedFrom how
// many records at one address.
const alikeFrom, sharedFrom = 20, 3

func newCensus() census {
	return census{identifiers: map[uint64]int32{}, titles: map[uint64]int32{}, pages: map[uint64]int32{}, shapes: map[uint64]int32{},
		first: map[uint64]string{}, shared: map[uint64]*lint.Finding{}}
}

func (c *census) identifier(id string, at lint.Record) {
	c.tell("identifier.repeated", c.identifiers, id, at, 2)
}

func (c *census) page(address string, at lint.Record) {
	c.tell("url.shared", c.pages, address, at, sharedFrom)
}

func (c *census) title(text string, at lint.Record) {
	text, _ = source.Line(text)
	if text == "" {
		return
	}
	c.tell("title.repeated", c.titles, search.Fold(text), at, 2)
	shape := strings.Map(func(r rune) rune {
		if unicode.IsDigit(r) {
			return '#'
		}
		return r
	}, text)
	for strings.Contains(shape, "##") {
		shape = strings.ReplaceAll(shape, "##", "#")
	}
	if shape == text {
		return
	}
	key := hash(shape)
	if c.shapes[key]++; c.shapes[key] == alikeFrom {
		c.first[key] = shape
	}
}

// tell counts a value; from the from-th record on, one finding counts them.
func (c *census) tell(rule string, in map[uint64]int32, value string, at lint.Record, from int32) {
	if value == "" {
		return
	}
	key := hash(value)
	if in[key]++; in[key] < from {
		return
	}
	key ^= hash(rule)
	if f := c.shared[key]; f != nil {
		f.Count++
		return
	}
	f := lint.New(rule, at, "", value, "")
	f.Count = int(from)
	c.shared[key] = &f
}

// close tells what was counted.
func (c *census) close(l *linter) {
	byPlace := map[string]*lint.Finding{}
	for _, f := range c.shared {
		f.Message = fmt.Sprintf("%d records have it", f.Count)
		byPlace[f.Rule+" "+f.Value+" "+lint.Place(&f.Record)] = f
	}
	for _, key := range sortedKeys(byPlace) {
		l.add(*byPlace[key])
	}
	shapes := map[string]int32{}
	for key, shape := range c.first {
		shapes[shape] = c.shapes[key]
	}
	for _, shape := range sortedKeys(shapes) {
		f := lint.New("catalogue.alike", lint.Record{Document: l.o.Input.Name}, "", shape, fmt.Sprintf("%d titles differ by their numbers only", shapes[shape]))
		f.Count = int(shapes[shape])
		l.add(f)
	}
}

// empty tells once that a document lists nothing, unless there is something in it that cannot be read.
func (l *linter) empty(at lint.Record) {
	if !l.unread[at.Document] {
		l.add(lint.New("catalogue.empty", at, "", "", ""))
	}
}

// unreads are the rules that tell why nothing was read of a document.
var unreads = []string{"catalogue.empty", "document.csv", "document.rdf", "document.syntax", "document.unreadable", "document.yaml", "record.refused"}

// nothing tells of an input in which not one record is, whatever it holds instead.
func (l *linter) nothing() {
	if l.records == l.voids && l.drafts == 0 && len(l.unread) == 0 {
		l.records = 0
		l.empty(lint.Record{Document: l.o.Input.Name})
	}
}

// void tells of a document whose whole content is {}, [], null or an empty text.
func void(list []member) bool {
	return len(list) == 0 || len(list) == 1 && list[0].pointer == "" && list[0].size == 0 && list[0].value == ""
}

// envelope tells what the members around the records say of the list.
func (l *linter) envelope(name string, j *source.JSON, count map[string]int) {
	at := lint.Record{Document: name}
	n := 0
	for _, c := range count {
		n += c
	}
	if n == 0 && j.Lists() > 0 && l.o.Input.Fetch == nil { // the last page of a live source may be empty
		l.empty(at)
	}
	for _, member := range []string{"total_count", "result.count", "count", "resultSetSize", "total", "numberMatched"} {
		total := 0
		if n > 0 && j.Head(member, &total) && total > n && l.o.Input.Fetch == nil {
			f := lint.New("catalogue.incomplete", at, "/"+strings.ReplaceAll(member, ".", "/"), fmt.Sprint(total), fmt.Sprintf("%d records are stated, %d are in the list", total, n))
			l.add(f)
			return
		}
	}
}
