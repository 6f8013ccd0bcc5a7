package dcat

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/assay-register/assay/render/artifact"
)

// The feed is the catalogue as a Linked Data Event Stream in the form of the DCAT-AP Feed
// specification of SEMIC: each version of an entry is an activity (Activity Streams 2.0)
// that creates, updates or deletes it, whose payload is the named graph of the activity's
// own name. Fragments hold the activities of one build and never change. They are found by
// time: the feed leads to days, a day to its fragments.

// RouteFeed is where a reader begins, RouteFeedShape the SHACL shape of the activities.
const (
	RouteFeed      = "/api/v1/ldes"
	RouteFeedShape = RouteFeed + "/shape.ttl"
)

// ClassFeed is the class of the feed's documents.
const ClassFeed artifact.Class = "ldes"

// TypeTriG is the media type of TriG (RDF 1.1 TriG §6).
const TypeTriG = "application/trig"

// FeedFragmentMax is how many activities a fragment has at most: about half a megabyte,
// and little to fetch again when a reader's connection breaks.
const FeedFragmentMax = 100

// FeedPart is a fragment as the documents that lead to it know it. All its activities were
// published at one instant.
type FeedPart struct {
	Number  int       `json:"n"`
	At      time.Time `json:"at"`
	Members int       `json:"members"`
}

// Feed says where a feed stands. A generation begins with all entries; it ends when most
// of what the feed holds is out of date, or the register moves to another address.
type Feed struct {
	Base       string     `json:"base"`
	Generation string     `json:"generation"`
	Parts      []FeedPart `json:"parts"`
}

// Activity is what happened to one entry.
type Activity struct {
	// Kind is Create, Update or Delete.
	Kind string
	// Entry is its id, Successor that of the one that took its place, "" for none.
	Entry, Successor string
	// Document is the entry's document in Turtle, nil when it is deleted.
	Document []byte
}

func (f *Feed) fragment(n int) string {
	return RouteFeed + "/" + f.Generation + "/" + strconv.Itoa(n) + ".trig"
}

func (f *Feed) day(day string) string { return RouteFeed + "/" + f.Generation + "/" + day + ".ttl" }

// FragmentRoute is the route of a fragment.
func (f *Feed) FragmentRoute(n int) string { return f.fragment(n) }

// feedHead declares the prefixes that entries do not need.
const feedHead = "@prefix as: <https://www.w3.org/ns/activitystreams#> .\n@prefix ldes: <https://w3id.org/ldes#> .\n@prefix sh: <http://www.w3.org/ns/shacl#> .\n" +
	"@prefix tree: <https://w3id.org/tree#> .\n"

// Fragment renders activities that were published at an instant as fragment n.
func (f *Feed) Fragment(n int, at time.Time, list []Activity) (artifact.File, error) {
	size := 1 << 12
	for i := range list {
		size += len(list[i].Document) + 512
	}
	route := f.fragment(n)
	name := f.Base + route
	b := append(artifact.Buffer(size), feedHead...)
	b = append(b, turtleHead...)
	b = fmt.Appendf(b, "<%s> a tree:Node .\n\n<%s%s#feed> tree:member", name, f.Base, RouteFeed)
	for i := range list {
		comma := " ,"
		if i == 0 {
			comma = ""
		}
		b = fmt.Appendf(b, "%s <%s#%d>", comma, name, i+1)
	}
	b = append(b, " .\n"...)
	when := at.UTC().Format(time.RFC3339)
	for i := range list {
		a := &list[i]
		b = fmt.Appendf(b, "\n<%s#%d> a as:%s ;\n    as:object <%s/id/%s> ;\n    as:published \"%s\"^^xsd:dateTime", name, i+1, a.Kind, f.Base, a.Entry, when)
		if a.Successor != "" {
			b = fmt.Appendf(b, " ;\n    dct:isReplacedBy <%s/id/%s>", f.Base, a.Successor)
		}
		b = append(b, " .\n"...)
		if a.Document == nil {
			continue
		}
		body, ok := bytes.CutPrefix(a.Document, []byte(turtleHead))
		if !ok {
			return artifact.File{}, fmt.Errorf("entry %s: its document is no Turtle of this register", a.Entry)
		}
		b = fmt.Appendf(b, "\n<%s#%d> {\n", name, i+1)
		b = append(append(b, bytes.TrimSpace(body)...), "\n}\n"...)
	}
	return artifact.File{Route: route, Type: TypeTriG, Class: ClassFeed, Cache: artifact.Hashed, Body: b, Pooled: true}, nil
}

// Leads renders what leads to the fragments: the feed, its days, and its shape.
func (f *Feed) Leads() []artifact.File {
	var root strings.Builder
	root.WriteString(feedHead + turtleHead)
	feed := f.Base + RouteFeed
	fmt.Fprintf(&root, `<%[1]s#feed> a ldes:EventStream ;
    dct:title "Changes of the register, as DCAT-AP"@en ;
    ldes:timestampPath as:published ;
    ldes:versionOfPath as:object ;
    ldes:versionCreateObject as:Create ;
    ldes:versionUpdateObject as:Update ;
    ldes:versionDeleteObject as:Delete ;
    tree:shape <%[2]s#activity> ;
    tree:view <%[1]s> .

<%[1]s> a tree:Node ;
    ldes:retentionPolicy <%[1]s#retention> .

<%[1]s#retention> a ldes:LatestVersionSubset ;
    ldes:amount "1"^^xsd:integer .
`, feed, f.Base+RouteFeedShape)
	var files []artifact.File
	for from := 0; from < len(f.Parts); {
		day := f.Parts[from].At.UTC().Format(time.DateOnly)
		to := from
		for to < len(f.Parts) && f.Parts[to].At.UTC().Format(time.DateOnly) == day {
			to++
		}
		begin, _ := time.Parse(time.DateOnly, day)
		relate(&root, feed, "day-"+day, f.Base+f.day(day), begin, begin.AddDate(0, 0, 1), "LessThanRelation")
		files = append(files, turtleFile(f.day(day), f.dayDocument(day, f.Parts[from:to])))
		from = to
	}
	return append(files, turtleFile(RouteFeed, root.String()), turtleFile(RouteFeedShape, feedShape(f.Base+RouteFeedShape)))
}

func (f *Feed) dayDocument(day string, parts []FeedPart) string {
	var b strings.Builder
	name := f.Base + f.day(day)
	b.WriteString(feedHead + turtleHead)
	fmt.Fprintf(&b, "<%s%s#feed> tree:view <%s%s> .\n\n<%s> a tree:Node .\n", f.Base, RouteFeed, f.Base, RouteFeed, name)
	for _, p := range parts {
		relate(&b, name, "part-"+strconv.Itoa(p.Number), f.Base+f.fragment(p.Number), p.At, p.At, "LessThanOrEqualToRelation")
	}
	return b.String()
}

// relate says what a node leads to and when that was published: two relations to one
// node both hold (TREE §4.1).
func relate(b *strings.Builder, node, name, to string, from, until time.Time, below string) {
	for _, r := range []struct {
		end, kind string
		at        time.Time
	}{{"-from", "GreaterThanOrEqualToRelation", from}, {"-to", below, until}} {
		id := node + "#" + name + r.end
		fmt.Fprintf(b, "\n<%s> tree:relation <%s> .\n<%s> a tree:%s ;\n    tree:path as:published ;\n    tree:value \"%s\"^^xsd:dateTime ;\n    tree:node <%s> .\n",
			node, id, id, r.kind, r.at.UTC().Format(time.RFC3339), to)
	}
}

func turtleFile(route, body string) artifact.File {
	return artifact.File{Route: route, Type: TypeTurtle, Class: ClassFeed, Body: []byte(body)}
}

// feedShape is the shape of an activity. What a payload must have are the shapes of
// DCAT-AP, which it passes.
func feedShape(route string) string {
	return feedHead + turtleHead + fmt.Sprintf(`<%[1]s#activity> a sh:NodeShape ;
    sh:property <%[1]s#object> , <%[1]s#published> .

<%[1]s#object> a sh:PropertyShape ;
    sh:path as:object ;
    sh:nodeKind sh:IRI ;
    sh:minCount 1 ;
    sh:maxCount 1 .

<%[1]s#published> a sh:PropertyShape ;
    sh:path as:published ;
    sh:datatype xsd:dateTime ;
    sh:minCount 1 ;
    sh:maxCount 1 .
`, route)
}
