// Package entry is the page of an entry: its data first, then how to use them, what the
// register says of them, and where that comes from.
//
// Page is the same in every language of the interface but for Texts; words of closed
// vocabularies stand in it as they are (such as VERIFIED), and the components look up
// what the language calls them. What only the register as a whole knows is put into
// the slots of a page once all entries are known (Slot).
package entry

import (
	"slices"
	"strings"
	"time"

	"github.com/assay-register/assay/templates"
	"github.com/assay-register/assay/templates/figures"
)

// Slot marks where in a page Fate, Topics, Others and Graphs are put, in this order. Text
// from outside cannot hold it, for its "<" is escaped.
const Slot = "<!--slot-->"

// Page is what the page of an entry shows.
type Page struct {
	ID, Slug  string
	Type      string
	TypeRoute string
	// Qualifier tells it from others of its name, "" for none.
	Qualifier string
	// Publisher is who publishes it, PublisherRoute the page of that body, each "" for none.
	Publisher, PublisherRoute string
	// Unnamed tells that Publisher is an identifier, for nobody says a name.
	Unnamed bool
	// Country is a code, "" for none.
	Country string
	Terms   Terms
	Access  Access
	Fresh   Fresh
	// Actions are what a reader wants first, the main one before all others.
	Actions []Action
	// Preview shows the data, nil where nothing is known of them.
	Preview *Preview
	Use     Use
	Verdict Verdict
	Rights  Rights
	Checks  *Checks
	Changes []Change
	// Scores are those of its quality over time, nil where they did not change.
	Scores *figures.Series
	// Contract is nil where what clients depend on was never read, Announced where
	// the source announces no end.
	Contract  *Contract
	Announced *Announced
	// Said is what owners and readers say, and when it did not answer.
	Said    *Said
	Origins Origins
	Cite    Cite
	About   About
}

// Texts are the title and the description of an entry for the readers of a language.
type Texts struct {
	Title Text
	// Original is the title in the entry's own language, empty where Title is that.
	Original Text
	// Description is in the reader's language where there is one; Rest is what is folded.
	Description Text
	Rest        string
	// Cut tells that there is more of it.
	Cut bool
	// Repeats tells that the description says what the title says.
	Repeats bool
	// Native is the entry's own language if its page shows other texts, "" if not; Others are the texts
	// in languages without a page, folded.
	Native string
	Others []Translation
}

// Text is text from outside in a language, "" for an unknown one.
type Text struct {
	Lang, Text string
	// Machine tells that a machine translated it.
	Machine bool
}

// Translation are title and description in a language, each "" where the page has it.
type Translation struct {
	Lang, Title, Description string
	Machine                  bool
}

// Terms say in a line what may be done with it.
type Terms struct {
	// Key is the string that says it; Licence and Link name the licence, "" for none.
	Key, Licence, Link string
}

// Access says in a line who gets it, and whether it answers.
type Access struct {
	// Key is the string that says who, State the verification state.
	Key, State string
	// At is when it last answered, zero for never; Checked is when it was last asked.
	At, Checked time.Time
}

// Fresh says in a line how old the data are.
type Fresh struct {
	Modified time.Time
	// Frequency is a code of the EU frequency table, "" for none.
	Frequency string
}

// Action is one thing that a reader can do at once.
type Action struct {
	// Key is the string on the button, What is filled in for its {what}: a format.
	Key, What string
	// Size is in bytes, 0 for unknown.
	Size int64
	// Address is that of another site, or of a place on this page, such as "#use".
	Address string
	// Languages are those of the file where they are not that of the entry.
	Languages []string
}

// Preview is a look at the data.
type Preview struct {
	// Figures are records, size and so on.
	Figures []Figure
	// Notice says why there is no sample, or what is masked in it.
	Notice string
	Table  *Table
	Fields []Field
	// Left is how many fields there are besides.
	Left    int
	Members []Member
	// MembersLeft is how many members there are besides.
	MembersLeft int
	// Place is where the data lie, Series a measure over time, Bars values by name; each nil for
	// none.
	Place  *figures.Place
	Series *figures.Series
	Bars   *figures.Bars
}

// Figure is one value about the data: a string of the interface names it.
type Figure struct {
	Key string
	// One of: text from outside, places, a period, an instant, a count or a size in bytes.
	Text     string
	From, To time.Time
	Day      time.Time
	Count    int64
	Bytes    int64
	// Sample tells that a count or size is of the sample, About that it is estimated.
	Sample, About bool
	// Places are areas as the source states them: names, codes or addresses that the register knows.
	Places []string
}

// Table is a sample of records; personal values are masked in it.
type Table struct {
	Columns []Column
	Rows    [][]string
	// Left is how many columns there are besides.
	Left int
}

// Column is a field of the sample with its type.
type Column struct {
	Name, Type string
	Number     bool
	Spread     *figures.Column
}

// Field says what a field means.
type Field struct {
	Name, Type, Meaning, Concept, Range string
	Personal                            bool
}

// Member is what a service serves.
type Member struct{ Name, Address, Formats string }

// stated tells that a format is known of one of the members.
func stated(list []Member) bool {
	return slices.ContainsFunc(list, func(m Member) bool { return m.Formats != "" })
}

// Use says how to get at it.
type Use struct {
	// Auth is how one logs in, "" where one need not or nobody knows; Address is that of a service, "" for none.
	Auth, Address string
	Limits        []string
	// Unsampled tells that there are data of which nothing was read yet.
	Unsampled bool
	Samples   []figures.Sample
	// Console lets a reader try the operations, Look looks into a file; each nil where there is
	// nothing to try.
	Console *figures.Console
	Look    *figures.Look
	Facts   []Fact
	Calls   []Call
	Left    int
	Tools   bool
	// Files are those without a button; FilesLeft is how many there are besides.
	Files     []File
	FilesLeft int
}

// Fact is a value from outside under a string of the interface; it leads to an address if a
// page may link that.
type Fact struct{ Key, Text, Address string }

// Call is an operation of an API, or a tool of an MCP server with no method.
type Call struct {
	Method, Name, Does string
	// Arguments are what a call says, Answer is an example of what comes back, "" for none.
	Arguments []Argument
	Answer    string
}

// Argument is one value of a call.
type Argument struct {
	Name, Type, Does string
	Required         bool
}

// File is one file or access point.
type File struct {
	Name, Address, Format string
	Size                  int64
	Changed               time.Time
	// Languages are its own where they are not that of the entry.
	Languages []string
}

// languages names languages in a line.
func languages(s *templates.Site, tags []string) string {
	names := make([]string, len(tags))
	for i, tag := range tags {
		names[i] = s.Language(tag)
	}
	return strings.Join(names, ", ")
}

// Verdict holds the four verdicts with what is behind each.
type Verdict struct {
	Official Official
	State    State
	Quality  Quality
	Maturity Maturity
}

// Official is how sure it is that the entry is official.
type Official struct {
	// Class is that of the verdict: s-ok, s-warn, s-bad or s-none.
	Class, Basis string
	// Confidence is nil where nobody tried.
	Confidence *int
	Rules      []Rule
}

// State is whether it answers.
type State struct {
	Class, State string
	Checked      time.Time
	Facts        []Fact
}

// Quality is the score of quality.
type Quality struct {
	Class, Tier    string
	Score          float64
	Trust, Ranking float64
	Axes           []Axis
	Advice         []Advice
}

// Axis is a part of the quality score.
type Axis struct {
	ID     string
	Weight int
	Value  float64
	Known  bool
}

// Rule is what a rule found: Outcome is yes, no or unknown. Evidence may be an address.
type Rule struct {
	ID, Outcome, Evidence string
	Points, Max           float64
}

// Advice is a step that raises the score, by so many points.
type Advice struct {
	Rule string
	Gain float64
}

// Maturity is how far up the ladder of seven steps it is.
type Maturity struct {
	Class, Level string
	Step         int
	// Next is the first step that is not met, "" on the top.
	Next  string
	Rungs []Rung
}

// Rung is a step of the ladder: Class is yes, unknown or no, Key says what that means.
type Rung struct{ Class, Key, Level string }

// Rights are what may be done, each yes, no or unknown, in the order of RightKeys; nil where no
// licence is known.
type Rights struct {
	Licence string
	// Raw is what the publisher wrote where no licence is known, Terms a page of it.
	Raw, Terms string
	Answers    []string
	// Files are the terms that files state and the entry does not.
	Files []FileTerms
}

// FileTerms are terms of a number of files, Link is their address.
type FileTerms struct {
	Name, Link string
	Files      int
}

// RightKeys are the strings of the rights. The last two are duties.
var RightKeys = [6]string{"right.open", "right.commercial", "right.redistribute", "right.modify", "right.attribution", "right.share_alike"}

// duties is from which right on they are duties, which are no better for being absent.
const duties = 4

// Checks are those of 90 days.
type Checks struct {
	Up, All  int
	Share    float64
	From, To time.Time
	// Days are the strip by kind of day: paths of a picture, "" for none.
	Days [4]string
	// Line is the path of the latency, "" where there are too few values.
	Line                string
	Least, Middle, Most int
	Stretches           []Stretch
	// Left is how many stretches there are besides.
	Left int
}

// Stretch is a run of days that look the same.
type Stretch struct {
	From, To   time.Time
	Kind       int
	All, Up    int
	Fast, Slow int
}

// Change is a dated event in the life of an entry.
type Change struct {
	At time.Time
	// Key says what happened, Text more of it.
	Key, Text string
}

// Origins say where each field comes from.
type Origins struct {
	// Source is the catalogue that lists the entry, SourceRoute its page.
	Source, SourceRoute string
	Trails              []Trail
	Left                int
}

// Trail are fields that come from one place in one way, "" for all that no other trail names; Source is ""
// for the catalogue that lists the entry.
type Trail struct{ Fields, Basis, Source, Address string }

// Cite is how the entry is cited.
//
// By is who published it, Title what, In the register, the day and the address, each with what parts it from the next.
type Cite struct{ By, Title, In string }

// About is what stands beside the entry: facts, its other forms, what a reader can do.
type About struct {
	Contact       Fact
	Language      string
	Rights, Scope string
	// Section is that of the entry's type in the OKF bundle.
	Section string
}
