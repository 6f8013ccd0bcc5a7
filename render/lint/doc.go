// Package lint holds the rules by which a description of data or of an API is
// mended: what is wrong, why that matters to readers, which standard says so,
// and what to write instead. A finding names the record and the member; most bring
// a patch. The same rules serve `assay lint` and the lists of what a publisher
// of a register can mend. The package also writes findings down: as text, JSON,
// SARIF 2.1.0 and JUnit XML. The two last are small subsets of stable formats, for
// which a library would bring a model of some hundred types.
package lint

import "strings"

// Severity says how grave a finding is.
type Severity string

// Severities. What must be mended keeps a record or a statement from readers,
// or breaks a rule of its format; what should be mended makes it harder to find,
// to judge or to use.
const (
	Must   Severity = "must"
	Should Severity = "should"
)

// Source is the standard or practice that a rule is taken from.
type Source struct {
	Name string `json:"name"`
	URL  string `json:"url"`
}

// Rule is one thing that can be wrong.
type Rule struct {
	ID       string   `json:"id"`
	Severity Severity `json:"severity"`
	// Title says what is wrong, Why what readers lose by it, Remedy what to do.
	Title  string `json:"title"`
	Why    string `json:"why"`
	Remedy string `json:"remedy"`
	Source Source `json:"source"`
	// Once makes of all findings of a document one that counts them.
	Once bool `json:"-"`
}

// Record is what a finding is about.
type Record struct {
	// ID is the publisher's own name of the record: an identifier, an IRI.
	ID    string `json:"id,omitempty"`
	Title string `json:"title,omitempty"`
	// Document is the file or address in which it stands, Line where it begins
	// there, Pointer where it lies in JSON or YAML (RFC 6901), Subject its IRI or
	// blank node in RDF.
	Document string `json:"document"`
	Line     int    `json:"line,omitempty"`
	Pointer  string `json:"pointer,omitempty"`
	Subject  string `json:"subject,omitempty"`
}

// Finding is one thing that is wrong with one record, or, where a rule counts, with
// a document.
type Finding struct {
	Rule     string   `json:"rule"`
	Severity Severity `json:"severity"`
	Record   Record   `json:"record"`
	// Member is the member in question: a JSON pointer from the root of the
	// document, a property of the subject, or the name of a column.
	Member string `json:"member,omitempty"`
	// Value is what stands there, cut to 200 bytes, Message what is wrong with it.
	Value   string `json:"value,omitempty"`
	Message string `json:"message"`
	Why     string `json:"why"`
	Remedy  string `json:"remedy"`
	Source  Source `json:"source"`
	// Points is how much the record's quality score rises when it is mended, of 100;
	// 0 where no score depends on it alone.
	Points float64 `json:"points"`
	// Count is how many places of the document it stands for; 0 is one.
	Count int    `json:"count,omitempty"`
	Patch *Patch `json:"patch,omitempty"`
}

// The forms of patches.
const (
	// JSONPatch is a list of operations of RFC 6902 upon the document, or upon the
	// record of the line where the document is JSON lines.
	JSONPatch = "application/json-patch+json"
	// Turtle are statements to take out and statements to put in.
	Turtle = "text/turtle"
)

// Patch mends what a finding tells.
type Patch struct {
	Form string `json:"form"`
	// Operations are those of a JSON patch.
	Operations []Operation `json:"operations,omitempty"`
	// Remove and Add are Turtle.
	Remove string `json:"remove,omitempty"`
	Add    string `json:"add,omitempty"`
	// Choose tells that what is put in is an example: the publisher writes what is
	// true in its place.
	Choose bool `json:"choose,omitempty"`
}

// Operation is one of RFC 6902.
type Operation struct {
	Op    string `json:"op"`
	From  string `json:"from,omitempty"`
	Path  string `json:"path"`
	Value any    `json:"value,omitempty"`
}

// valueMax is the longest value that a finding quotes, in bytes.
const valueMax = 200

// New is a finding by a rule. The message says what is wrong here; without one it
// is the title of the rule.
func New(rule string, r Record, member, value, message string) Finding {
	x := Of(rule)
	if message == "" {
		message = x.Title
	}
	return Finding{Rule: x.ID, Severity: x.Severity, Record: r, Member: member, Value: clip(value), Message: message,
		Why: x.Why, Remedy: x.Remedy, Source: x.Source}
}

// clip shortens a quoted value at a character's end.
func clip(s string) string {
	if len(s) <= valueMax {
		return s
	}
	return strings.ToValidUTF8(s[:valueMax], "") + "…"
}

// Of is the rule with an id; one that nobody wrote down is a mistake of the program.
func Of(id string) *Rule {
	r, ok := byID[id]
	if !ok {
		panic("no rule " + id)
	}
	return r
}

var byID = func() map[string]*Rule {
	index := make(map[string]*Rule, len(rules))
	for i := range rules {
		index[rules[i].ID] = &rules[i]
	}
	return index
}()
