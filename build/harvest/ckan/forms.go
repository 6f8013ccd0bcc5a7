package ckan

import (
	"encoding/json"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/assay-register/assay/build/harvest/source"
	"github.com/assay-register/assay/render/catalog"
)

// inText is what a text holds that is itself JSON, as fields of some schemas are; else b.
func inText(b []byte) []byte {
	var s string
	if json.Unmarshal(b, &s) == nil {
		if t := strings.TrimSpace(s); strings.HasPrefix(t, "{") || strings.HasPrefix(t, "[") {
			return []byte(t)
		}
	}
	return b
}

// each reads one value or a list of them; values of another shape are nothing that this form knows.
func each[T any](b []byte) (list []T) {
	b = inText(b)
	if json.Unmarshal(b, &list) == nil {
		return list
	}
	var one T
	if json.Unmarshal(b, &one) == nil {
		return []T{one}
	}
	return nil
}

// party is somebody as ckanext-dcat and opendata.swiss write it, or a name only.
type party struct {
	Name       source.LooseTexts `json:"name"`
	Mail       source.Loose      `json:"email"`
	URL        source.Loose      `json:"url"`
	URI        source.Loose      `json:"uri"`
	Identifier source.Loose      `json:"identifier"`
	Type       source.Loose      `json:"type"`
}

// UnmarshalJSON implements json.Unmarshaler.
func (p *party) UnmarshalJSON(b []byte) error {
	if len(b) > 0 && b[0] == '"' {
		return json.Unmarshal(b, &p.Name)
	}
	type plain party
	return json.Unmarshal(b, (*plain)(p))
}

// named tells that the party has a name, which is no address of it.
func (p *party) named() bool {
	name := string(first(p.Name))
	return strings.TrimSpace(name) != "" && !strings.Contains(name, "://")
}

func (p *party) agent() catalog.Agent {
	a := catalog.Agent{IRI: string(p.URI), Type: source.LastSegment(string(p.Type)), HomepageURL: string(p.URL)}
	if id := string(p.Identifier); strings.Contains(id, "://") && a.IRI == "" {
		a.IRI = id
	} else if id != "" {
		a.Identifiers = []string{id}
	}
	return a
}

type parties []party

// UnmarshalJSON implements json.Unmarshaler.
func (l *parties) UnmarshalJSON(b []byte) error {
	*l = each[party](b)
	return nil
}

// termsByLanguage are keywords as ckanext-fluent has them, or a plain list or text of them.
type termsByLanguage []source.Text

var wikidata = regexp.MustCompile(`^Q[0-9]+$`)

// UnmarshalJSON implements json.Unmarshaler.
func (l *termsByLanguage) UnmarshalJSON(b []byte) error {
	*l = nil
	byLang := map[string]source.LooseTerms{}
	if json.Unmarshal(inText(b), &byLang) == nil {
		for _, lang := range slices.Sorted(maps.Keys(byLang)) {
			for _, term := range byLang[lang] {
				*l = append(*l, source.Text{Value: term, Lang: lang})
			}
		}
		return nil
	}
	var plain source.LooseTerms
	if json.Unmarshal(b, &plain) == nil {
		for _, term := range plain {
			if wikidata.MatchString(term) {
				continue // the number of an item is no word
			}
			*l = append(*l, source.Text{Value: term})
		}
	}
	return nil
}

// period is a period of time under the names of opendata.swiss, dati.gov.it and ckanext-dcat.
type period struct {
	Start     source.Loose `json:"start"`
	StartDate source.Loose `json:"start_date"`
	From      source.Loose `json:"temporal_start"`
	End       source.Loose `json:"end"`
	EndDate   source.Loose `json:"end_date"`
	To        source.Loose `json:"temporal_end"`
}

type periods []period

// UnmarshalJSON implements json.Unmarshaler.
func (l *periods) UnmarshalJSON(b []byte) error {
	*l = each[period](b)
	return nil
}

// place is a place of ckanext-dcat: what it is called, its address, its box.
type place struct {
	Text source.Loose `json:"text"`
	URI  source.Loose `json:"uri"`
	BBox spatial      `json:"bbox"`
	Geom spatial      `json:"geom"`
}

// UnmarshalJSON implements json.Unmarshaler.
func (p *place) UnmarshalJSON(b []byte) error {
	type plain place
	var object struct {
		plain
		Coordinates json.RawMessage `json:"coordinates"`
	}
	if len(b) > 0 && b[0] == '{' && json.Unmarshal(b, &object) == nil {
		*p = place(object.plain)
		if object.Coordinates != nil {
			p.Geom = spatial(b)
		}
		return nil
	}
	return json.Unmarshal(b, &p.Text)
}

type places []place

// UnmarshalJSON implements json.Unmarshaler.
func (l *places) UnmarshalJSON(b []byte) error {
	*l = each[place](b)
	return nil
}

// themesIn are the themes of a field: a list, a text with commas, or the objects of dati.gov.it.
func themesIn(raw string) []string {
	var objects []struct {
		Theme source.Loose `json:"theme"`
	}
	if json.Unmarshal([]byte(raw), &objects) != nil {
		return list(raw)
	}
	var themes []string
	for _, o := range objects {
		themes = append(themes, string(o.Theme))
	}
	return themes
}

// single is the text of a field, or of a list of one text, as the harvester of ISO 19139 writes it (ckanext-spatial).
func single(raw string) string {
	var list []string
	if json.Unmarshal([]byte(raw), &list) == nil && len(list) == 1 {
		return list[0]
	}
	return raw
}

// referenceDates are the dates of a dataset by their types (creation, publication, revision), as ckanext-spatial
// writes them; of several of a type the latest.
func referenceDates(raw string) map[string]string {
	var list []struct {
		Type  source.Loose `json:"type"`
		Value source.Loose `json:"value"`
	}
	dates := map[string]string{}
	if json.Unmarshal([]byte(raw), &list) == nil {
		for _, d := range list {
			dates[string(d.Type)] = max(dates[string(d.Type)], string(d.Value))
		}
	}
	return dates
}

// boxOfExtras is the box of a dataset in the extras of ckanext-spatial, as west,south,east,north; "" for none.
func boxOfExtras(x extras) string {
	var box []string
	for _, side := range []string{"bbox-west-long", "bbox-south-lat", "bbox-east-long", "bbox-north-lat"} {
		if x[side] == "" {
			return ""
		}
		box = append(box, x[side])
	}
	return strings.Join(box, ",")
}
