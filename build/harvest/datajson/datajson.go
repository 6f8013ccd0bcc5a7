// Package datajson reads the data.json files of DCAT-US: versions 1.1 (Project
// Open Data) and 3.0, the lists of version 1.0, the national profiles made of
// them, and the data.json that ArcGIS Hub writes.
package datajson

import (
	"cmp"
	"context"
	"encoding/json"
	"path"
	"strings"

	"github.com/assay-register/assay/build/harvest/source"
)

// Kind is the word for this connector in `assay harvest --kind`.
const Kind = "datajson"

// Connector implements source.Connector. The filter "language" of its source
// declares the language of the texts where the file does not.
type Connector struct{}

// lists hold the records of a file.
var lists = []string{"dataset", "service", "datasetSeries", "catalog"}

// Catalogue implements source.Describer: by the IRI of the catalogue, else by its
// home page, which the profiles of Latin America have, else by its publisher.
func (Connector) Catalogue(ctx context.Context, in source.Input) (source.Catalogue, error) {
	feed := source.Feed{Paths: lists}
	return feed.Describe(ctx, &in, func(j *source.JSON) (c source.Catalogue) {
		var iri, home, title source.Loose
		var by agent
		j.Head("@id", &iri)
		j.Head("homepage", &home)
		j.Head("title", &title)
		j.Head("publisher", &by)
		_ = c.Names(string(iri)) || c.Names(string(home))
		c.Publisher, c.Title = cmp.Or(string(by.Name), string(by.PrefLabel)), string(title)
		return c
	}, nil)
}

// Run implements source.Connector. The file of a live source is at its
// address, or at data.json below it.
func (Connector) Run(ctx context.Context, in source.Input, emit func(source.Draft) error, reject func(source.Rejection) error) error {
	m := mapper{in: &in, emit: emit, reject: reject}
	feed := source.Feed{Paths: lists, Each: m.each}
	if in.Fetch != nil {
		u, err := in.Address()
		if err != nil {
			return err
		}
		if ext := path.Ext(u.Path); ext == "" && u.RawQuery == "" && !strings.Contains(u.Path, "feed") {
			u.Path = strings.TrimRight(u.Path, "/") + "/data.json"
		}
		feed.First = u.String()
	}
	return feed.Run(ctx, &in, reject)
}

// mapper turns datasets and services into drafts.
type mapper struct {
	in     *source.Input
	emit   func(source.Draft) error
	reject func(source.Rejection) error
}

// each takes one element of a list, by the name of the list.
func (m *mapper) each(j *source.JSON, it source.Item, seed string) error {
	if it.Path == "" {
		if bad := notARecord(j, it); bad != nil {
			return m.reject(*bad)
		}
	}
	at := where{place: j.Place(it), seed: seed}
	at.lang = language(j)
	decode := func(v any) *source.Rejection { return j.Decode(it, v) }
	return m.take(it.Path, decode, at, 0)
}

// where is a record's place in the file, and what the file says of all.
type where struct {
	place, seed, lang string
}

// nestedMax is how deep catalogues lie in catalogues.
const nestedMax = 8

// take reads a record of a list into v by decode.
func (m *mapper) take(list string, decode func(v any) *source.Rejection, at where, depth int) error {
	switch list {
	case "service":
		var s service
		if bad := decode(&s); bad != nil {
			return m.reject(*bad)
		}
		return m.service(&s, at, depth)
	case "datasetSeries", "catalog":
		var g group
		if bad := decode(&g); bad != nil {
			return m.reject(*bad)
		}
		return m.group(&g, list, at, depth)
	}
	var d dataset
	if bad := decode(&d); bad != nil {
		return m.reject(*bad)
	}
	return m.dataset(&d, at)
}

// nested takes the members of a record that are records of their own. A member
// that only refers to another record has no title and is none.
func (m *mapper) nested(list string, raw []json.RawMessage, at where, depth int) error {
	if len(raw) > 0 && depth >= nestedMax {
		return m.reject(source.Rejection{Place: at.place, Code: source.CodeInvalidField, Reason: "catalogues lie too deep in catalogues",
			Remedy: "list the records in one catalogue"})
	}
	for _, r := range raw {
		if reference(r) {
			continue
		}
		decode := func(v any) *source.Rejection {
			if err := json.Unmarshal(r, v); err != nil {
				return &source.Rejection{Place: at.place, Code: source.CodeInvalidField, Reason: err.Error(), Remedy: "correct the nested record"}
			}
			return nil
		}
		if err := m.take(list, decode, at, depth+1); err != nil {
			return err
		}
	}
	return nil
}

// reference tells that a member is the IRI of a record, or an object that
// holds no more than that.
func reference(raw json.RawMessage) bool {
	if len(raw) == 0 || raw[0] != '{' {
		return true
	}
	var o map[string]json.RawMessage
	if json.Unmarshal(raw, &o) != nil {
		return false
	}
	delete(o, "@id")
	delete(o, "@type")
	return len(o) == 0
}

// group takes what lies in a series of datasets or in a catalogue in the
// catalogue.
func (m *mapper) group(g *group, list string, at where, depth int) error {
	before := len(g.Member) + len(g.Dataset) + len(g.Service) + len(g.Series) + len(g.Catalog)
	if before == 0 {
		return m.reject(source.Rejection{Place: at.place, Code: source.CodeNotData,
			Reason: "this " + list + " holds no record of its own: " + string(g.Title), Remedy: "list its members in it or beside it"})
	}
	for _, part := range []struct {
		list string
		raw  []json.RawMessage
	}{{"dataset", g.Member}, {"dataset", g.Dataset}, {"service", g.Service}, {"datasetSeries", g.Series}, {"catalog", g.Catalog}} {
		if err := m.nested(part.list, part.raw, at, depth); err != nil {
			return err
		}
	}
	return nil
}

// notARecord says that an object that stands alone is a catalogue without
// lists, or something else.
func notARecord(j *source.JSON, it source.Item) *source.Rejection {
	var o struct {
		Type       source.Loose    `json:"@type"`
		ConformsTo json.RawMessage `json:"conformsTo"`
		Title      source.Loose    `json:"title"`
		Identifier json.RawMessage `json:"identifier"`
		AccessURL  source.Loose    `json:"accessURL"`
		Files      json.RawMessage `json:"distribution"`
	}
	if bad := j.Decode(it, &o); bad != nil {
		return bad
	}
	catalogue := strings.HasSuffix(strings.ToLower(string(o.Type)), "catalog")
	if !catalogue && (o.Files != nil || o.AccessURL != "" || o.Identifier != nil || o.Title != "" && o.ConformsTo == nil) {
		return nil
	}
	return &source.Rejection{Place: j.Place(it), Code: source.CodeNoRecords, Reason: "this object is neither a dataset nor a catalogue with a list of datasets",
		Remedy: "give a data.json file, whose datasets are in the list dataset"}
}

// language is the language that the catalogue declares for its texts.
func language(j *source.JSON) string {
	var declared source.LooseList
	if !j.Head("language", &declared) || len(declared) == 0 {
		return ""
	}
	tag, _ := source.Language(declared[0])
	return tag
}
