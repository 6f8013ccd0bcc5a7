package feed

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"time"

	"github.com/assay-register/assay/render/catalog"
	"github.com/assay-register/assay/render/snapshot"
)

// listed is what a feed takes from the rendered list item of an entry.
type listed struct {
	name, nameEn, lang, description, descriptionEn, source, homepage string
}

// read takes the members that a feed shows and leaves the rest, which is much
// longer.
func (e *listed) read(item []byte) (err error) {
	for _, m := range [...]struct {
		name string
		into *string
	}{
		{"name", &e.name}, {"name_en", &e.nameEn}, {"native_lang", &e.lang}, {"description", &e.description},
		{"description_en", &e.descriptionEn}, {"primary_source_url", &e.source}, {"homepage_url", &e.homepage},
	} {
		if *m.into, err = member(item, m.name); err != nil {
			return fmt.Errorf("%s: %w", m.name, err)
		}
	}
	return nil
}

// member reads a text, or null, that is not the first member of an item. Items
// are flat, and within a string quotes are escaped, so its name stands there
// once.
func member(item []byte, name string) (string, error) {
	_, value, _ := bytes.Cut(item, []byte(`,"`+name+`":`))
	if bytes.HasPrefix(value, []byte("null")) {
		return "", nil
	}
	end, escaped := 1, false
	for end < len(value) && value[end] != '"' {
		if value[end] == '\\' {
			escaped = true
			end++
		}
		end++
	}
	if end >= len(value) || value[0] != '"' {
		return "", io.ErrUnexpectedEOF
	}
	if !escaped {
		return string(value[1:end]), nil
	}
	var text string
	err := json.Unmarshal(value[:end+1], &text)
	return text, err
}

// itemMaker makes the items of new entries. It reads each in the room of the
// one before.
type itemMaker struct {
	c     *snapshot.Catalog
	buf   []byte
	html  document
	items []item
}

// item is the item of a new entry. Its texts are those of the lists.
func (m *itemMaker) item(ordinal int32) (item, error) {
	l := &m.c.Lines[ordinal]
	m.buf = slices.Grow(m.buf[:0], l.Item.Length)[:l.Item.Length]
	var e listed
	_, err := m.c.Items.ReadAt(m.buf, l.Item.Offset)
	if err == nil {
		err = e.read(m.buf)
	}
	if err != nil {
		return item{}, fmt.Errorf("item of entry %s: %w", l.ID, err)
	}
	it := item{id: "urn:uuid:" + l.ID, title: cmp.Or(oneLine(e.name), l.Slug), lang: language(e.lang), about: entryRoute(l.Slug),
		source: cmp.Or(web(e.homepage), web(e.source)), tags: categories(l), summary: facts(m.c, l),
		published: time.Unix(l.Published, 0).UTC(), updated: time.Unix(max(l.Published, l.ContentChanged), 0).UTC()}
	m.html = m.html[:0]
	if en := oneLine(e.nameEn); en != "" && en != it.title {
		m.html.paragraphs(en, "en")
	}
	m.html.paragraphs(e.description, it.lang)
	m.html.paragraphs(e.descriptionEn, "en")
	m.html.paragraphs(it.summary, "en")
	m.html.link("The source", it.source)
	it.html = string(m.html)
	return it, nil
}

// entryRoute is where the register shows an entry.
func entryRoute(slug string) string { return "/entry/" + slug }

// kinds are the entry types in words.
var kinds = map[catalog.EntryType]string{catalog.TypeAPI: "API", catalog.TypeDataset: "Dataset", catalog.TypeMCPServer: "MCP server"}

// facts say in a line what the entry is and whose.
func facts(c *snapshot.Catalog, l *snapshot.Line) string {
	text := cmp.Or(kinds[l.Type], string(l.Type))
	if i := c.Institutions[l.InstitutionID]; i != nil {
		text += ", " + oneLine(cmp.Or(i.NameEn, i.Name))
	}
	if catalog.CountryShape(l.Country) {
		text += ", " + countryName(l.Country)
	}
	return text
}

func categories(l *snapshot.Line) []string {
	out := make([]string, 1, 1+len(l.Tags))
	out[0] = cmp.Or(kinds[l.Type], string(l.Type))
	for _, t := range l.Tags {
		if t = oneLine(t); t != "" && !slices.Contains(out, t) {
			out = append(out, t)
		}
	}
	return out
}

// latest are the entries published last, among those given.
func (m *itemMaker) latest(ordinals []int32) []int32 {
	slices.SortFunc(ordinals, func(a, b int32) int {
		return cmp.Or(cmp.Compare(m.c.Lines[b].Published, m.c.Lines[a].Published), cmp.Compare(a, b))
	})
	return ordinals[:min(len(ordinals), latestMax)]
}

// itemsOf are the items of entries; they stand until the next ones are made.
func (m *itemMaker) itemsOf(ordinals []int32) ([]item, error) {
	m.items = slices.Grow(m.items[:0], len(ordinals))
	for _, i := range ordinals {
		it, err := m.item(i)
		if err != nil {
			return nil, err
		}
		m.items = append(m.items, it)
	}
	return m.items, nil
}
