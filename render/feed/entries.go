package feed

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/assay-register/assay/render/catalog"
	"github.com/assay-register/assay/render/snapshot"
)

// listed is what a feed takes from the rendered list item of an entry.
type listed struct {
	Name          string `json:"name"`
	NameEn        string `json:"name_en"`
	Lang          string `json:"native_lang"`
	Description   string `json:"description"`
	DescriptionEn string `json:"description_en"`
	Source        string `json:"primary_source_url"`
	Homepage      string `json:"homepage_url"`
}

// entryItem is the item of a new entry. Its texts are those of the lists.
func entryItem(c *snapshot.Catalog, ordinal int32) (item, error) {
	l := &c.Lines[ordinal]
	var e listed
	b, err := c.ReadItem(l)
	if err == nil {
		err = json.Unmarshal(b, &e)
	}
	if err != nil {
		return item{}, fmt.Errorf("item of entry %s: %w", l.ID, err)
	}
	published := time.Unix(l.Published, 0).UTC()
	it := item{id: "urn:uuid:" + l.ID, title: cmp.Or(oneLine(e.Name), l.Slug), lang: language(e.Lang), about: entryRoute(l.Slug),
		source: cmp.Or(web(e.Homepage), web(e.Source)), tags: categories(l), published: published,
		updated: time.Unix(max(l.Published, l.ContentChanged), 0).UTC()}
	var p page
	if en := oneLine(e.NameEn); en != "" && en != it.title {
		p.text(en, "en")
	}
	p.text(e.Description, it.lang)
	p.text(e.DescriptionEn, "en")
	it.summary = facts(c, l)
	p.text(it.summary, "en")
	p.link("The source", it.source)
	it.html = p.b.String()
	return it, nil
}

// entryRoute is where the register shows an entry.
func entryRoute(slug string) string { return "/api/v1/entries/" + slug }

// kinds are the entry types in words.
var kinds = map[catalog.EntryType]string{catalog.TypeAPI: "API", catalog.TypeDataset: "Dataset", catalog.TypeMCPServer: "MCP server"}

// facts say in a line what the entry is and whose.
func facts(c *snapshot.Catalog, l *snapshot.Line) string {
	parts := []string{cmp.Or(kinds[l.Type], string(l.Type))}
	if i := c.Institutions[l.InstitutionID]; i != nil {
		parts = append(parts, oneLine(cmp.Or(i.NameEn, i.Name)))
	}
	if catalog.CountryShape(l.Country) {
		parts = append(parts, countryName(l.Country))
	}
	return strings.Join(parts, ", ")
}

func categories(l *snapshot.Line) []string {
	out := []string{cmp.Or(kinds[l.Type], string(l.Type))}
	for _, t := range l.Tags {
		if t = oneLine(t); t != "" && !slices.Contains(out, t) {
			out = append(out, t)
		}
	}
	return out
}

// latest are the items of the entries published last, among those given.
func latest(c *snapshot.Catalog, ordinals []int32) ([]item, error) {
	slices.SortFunc(ordinals, func(a, b int32) int {
		return cmp.Or(cmp.Compare(c.Lines[b].Published, c.Lines[a].Published), cmp.Compare(a, b))
	})
	var out []item
	for _, i := range ordinals[:min(len(ordinals), latestMax)] {
		it, err := entryItem(c, i)
		if err != nil {
			return nil, err
		}
		out = append(out, it)
	}
	return out, nil
}
