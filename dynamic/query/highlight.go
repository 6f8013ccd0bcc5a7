package query

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"html"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/assay-register/assay/render/search"
	"github.com/assay-register/assay/render/wire"
)

// Bounds of a highlight, in bytes of the text.
const (
	pieceMax  = 240
	leadMax   = 60 // before the first word found
	tagsShown = 5
)

// marker marks what was found in the texts of entries. It remembers how they
// write each term.
type marker struct {
	terms    map[string]bool
	surfaces map[string]string
	speller  *search.Speller
}

// spellers remember the words of the texts that were marked before.
var spellers = sync.Pool{New: func() any { return &search.Speller{} }}

// highlights are the pieces of an item's texts in which the words of the query
// stand.
func (m *marker) highlights(item []byte) ([]wire.Highlight, error) {
	out := []wire.Highlight{}
	if len(m.terms) == 0 {
		return out, nil
	}
	e, err := textsOf(item)
	if err != nil {
		return nil, err
	}
	add := func(field, text, lang string) bool {
		piece, found := m.mark(text, lang)
		if found {
			out = append(out, wire.Highlight{Field: field, HTML: piece})
		}
		return found
	}
	add("name", e.Name, e.NativeLang)
	if e.NameEn != e.Name {
		add("name_en", e.NameEn, "en")
	}
	shown := 0
	for _, t := range e.Tags {
		if shown < tagsShown && add("tags", t, e.NativeLang) {
			shown++
		}
	}
	add("description", e.Description, e.NativeLang)
	if e.DescriptionEn != e.Description {
		add("description_en", e.DescriptionEn, "en")
	}
	return out, nil
}

// itemTexts are the texts of a list item.
type itemTexts struct {
	Name, NameEn, NativeLang, Description, DescriptionEn string
	Tags                                                 []string
}

// textsOf reads the texts of an item without the rest, which is much longer.
func textsOf(item []byte) (itemTexts, error) {
	var e itemTexts
	return e, errors.Join(member(item, "name", &e.Name), member(item, "description", &e.Description), member(item, "tags", &e.Tags),
		member(item, "name_en", &e.NameEn), member(item, "description_en", &e.DescriptionEn), member(item, "native_lang", &e.NativeLang))
}

// member decodes one member of an item that is not its first. Items are flat,
// and within a string quotes are escaped, so its name stands there once.
func member(item []byte, name string, into any) error {
	_, rest, found := bytes.Cut(item, []byte(`,"`+name+`":`))
	if !found {
		return fmt.Errorf("no member %s", name)
	}
	return json.NewDecoder(bytes.NewReader(rest)).Decode(into)
}

// mark writes the piece of a text around the first words found, or tells that
// there are none.
func (m *marker) mark(text, lang string) (string, bool) {
	var found []search.Word
	m.speller.Words(text, lang, func(w search.Word) {
		term := w.Term
		if !m.terms[term] {
			term = w.Other
		}
		if m.terms[term] {
			found = append(found, w)
			if _, ok := m.surfaces[term]; !ok {
				m.surfaces[term] = strings.ToLower(text[w.Start:w.End])
			}
		}
	})
	if len(found) == 0 {
		return "", false
	}
	return Excerpt(text, found), true
}

// Excerpt is the piece of a text around the first of some words of it, as HTML in which they are marked.
func Excerpt(text string, found []search.Word) string {
	from, to := piece(text, found[0].Start)
	var out strings.Builder
	if from > 0 {
		out.WriteString("…")
	}
	at := from
	for _, w := range found {
		if w.Start < at || w.End > to {
			continue
		}
		out.WriteString(html.EscapeString(text[at:w.Start]) + "<mark>" + html.EscapeString(text[w.Start:w.End]) + "</mark>")
		at = w.End
	}
	out.WriteString(html.EscapeString(text[at:to]))
	if to < len(text) {
		out.WriteString("…")
	}
	return out.String()
}

// piece chooses the part of a text to show, between words where it can.
func piece(text string, first int) (from, to int) {
	if len(text) <= pieceMax {
		return 0, len(text)
	}
	if first > leadMax {
		from = first - leadMax
		if space := strings.IndexByte(text[from:first], ' '); space >= 0 {
			from += space + 1
		}
	}
	to = min(len(text), max(from+pieceMax, first+1))
	if space := strings.LastIndexByte(text[from:to], ' '); to < len(text) && from+space > first {
		to = from + space
	}
	for from > 0 && !utf8.RuneStart(text[from]) {
		from--
	}
	for to < len(text) && !utf8.RuneStart(text[to]) {
		to++
	}
	return from, to
}
