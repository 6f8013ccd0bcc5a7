// Package thesaurus holds what people call the things that they look for: concepts with
// their names in many languages, and the codes of the EU data themes and high-value
// dataset categories that mean them. It is data and its reading; package search says
// where the names stand in texts and queries. README.md describes the tables.
package thesaurus

import (
	_ "embed"
	"slices"
	"strings"
	"sync"
)

// Concept is one thing that is asked for.
type Concept struct {
	// ID names it in the index.
	ID string
	// Codes are those of the EU data-theme authority table (TRAN) and of the high-value
	// dataset categories (c_b79e35eb) that mean the concept.
	Codes []string
	Names []Name
	// Place tells that it is a place, whose names begin with capitals; In are the codes of the regions
	// that it lies in.
	Place bool
	In    []string
}

// Name is what a concept is called in a language, a BCP 47 tag, "" for any.
type Name struct {
	Text, Lang string
	// Asked tells that the name counts in queries only, because texts use the word for
	// other things as well.
	Asked bool
	// List tells that other lists are called so, too: cadastre of trees.
	List bool
	// Kind tells that it is an adjective, which says of what kind another thing is: electoral canton.
	Kind bool
}

// asked marks the names that count in queries only, list those that other lists have, too, kind
// adjectives.
const (
	asked = "?"
	list  = "!"
	kind  = "~"
)

//go:embed concepts.tsv
var concepts string

//go:embed themes.tsv
var themes string

//go:embed places.tsv
var cities string

//go:embed regions.tsv
var regions string

// Concepts are those of the table of synonyms.
var Concepts = sync.OnceValue(func() []Concept {
	head, body, _ := strings.Cut(concepts, "\n")
	languages := strings.Split(head, "\t")[2:]
	var out []Concept
	for line := range strings.Lines(body) {
		cells := strings.Split(strings.TrimRight(line, "\n"), "\t")
		c := Concept{ID: cells[0], Codes: strings.Fields(cells[1])}
		for i, names := range cells[2:] {
			for name := range strings.SplitSeq(names, ";") {
				if name != "" {
					text, only := strings.CutPrefix(name, asked)
					text, other := strings.CutPrefix(text, list)
					text, adjective := strings.CutPrefix(text, kind)
					c.Names = append(c.Names, Name{text, languages[i], only, other, adjective})
				}
			}
		}
		out = append(out, c)
	}
	return append(out, ownOnes(false)...)
})

// Themes are the EU data themes by their official labels.
var Themes = sync.OnceValue(func() (out []Concept) {
	head, body, _ := strings.Cut(themes, "\n")
	langs := strings.Split(head, "\t")
	for line := range strings.Lines(body) {
		cells := strings.Split(strings.TrimRight(line, "\n"), "\t")
		c := Concept{ID: cells[0], Codes: cells[:1]}
		for i, label := range cells[1:] {
			c.Names = append(c.Names, Name{Text: label, Lang: langs[i+1]})
		}
		out = append(out, c)
	}
	return out
})

// Places are those of the tables of countries and cities and of regions.
var Places = sync.OnceValue(func() []Concept { return slices.Concat(placesOf(regions), placesOf(cities), ownOnes(true)) })

// lies begins the code of a region that a place lies in.
const lies = "<"

// placesOf reads a table of places: codes, the first of which names the place, regions that it lies in, and names.
func placesOf(table string) (out []Concept) {
	_, body, _ := strings.Cut(table, "\n")
	for line := range strings.Lines(body) {
		codes, names, _ := strings.Cut(strings.TrimRight(line, "\n"), "\t")
		c := Concept{Place: true}
		for code := range strings.FieldsSeq(codes) {
			if region, ok := strings.CutPrefix(code, lies); ok {
				c.In = append(c.In, region)
			} else {
				c.Codes = append(c.Codes, code)
			}
		}
		c.ID = c.Codes[0]
		for name := range strings.SplitSeq(names, ";") {
			c.Names = append(c.Names, Name{Text: name})
		}
		out = append(out, c)
	}
	return out
}
