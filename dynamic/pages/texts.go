package pages

import (
	"cmp"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"strings"

	"github.com/assay-register/assay/dynamic/query"
	"github.com/assay-register/assay/render/catalog"
	view "github.com/assay-register/assay/render/pages"
	"github.com/assay-register/assay/render/search"
	"github.com/assay-register/assay/render/snapshot"
	"github.com/assay-register/assay/render/wire"
)

// translated puts the descriptions in the reader's language beside the results whose list items have
// none in it: the entry's own document has all. Words of the question are marked in them.
func (c Config) translated(r *http.Request, current *snapshot.Catalog, lang, question string, found *view.Found) error {
	if lang == view.Languages()[0] {
		return nil // list items have the English text
	}
	found.Abouts = make([]string, len(found.Items))
	for i := range found.Items {
		item := &found.Items[i]
		if item.NativeLang != nil && isOf(*item.NativeLang, lang) && item.Description != nil {
			continue
		}
		said := ""
		if item.DescriptionEn != nil {
			said = *item.DescriptionEn
		}
		text, err := c.descriptionIn(r, current, lang, item.ID, said)
		if err != nil {
			return err
		}
		if text == "" {
			continue
		}
		found.Abouts[i] = text
		if i < len(found.Marked) {
			found.Marked[i] = excerpt(question, text, lang)
		}
	}
	return nil
}

// isOf tells whether a language tag (BCP 47) is one of a language.
func isOf(tag, lang string) bool { return strings.HasPrefix(tag+"-", lang+"-") }

// compareIn puts the descriptions in the reader's language, or in English, in place of the entries' own.
func (c Config) compareIn(r *http.Request, current *snapshot.Catalog, lang string, m *wire.ComparisonMatrix) error {
	rows := map[string][]any{}
	for i := range m.Rows {
		rows[m.Rows[i].Field] = m.Rows[i].Values
	}
	own, english, languages := rows["description"], rows["description_en"], rows["native_lang"]
	if len(own) != len(m.Entries) || len(english) != len(own) || len(languages) != len(own) {
		return nil
	}
	for i := range own {
		native, _ := languages[i].(string)
		if isOf(native, lang) && own[i] != nil {
			continue
		}
		said, _ := english[i].(string)
		text, err := c.descriptionIn(r, current, lang, m.Entries[i].ID, said)
		if err != nil {
			return err
		}
		if text = cmp.Or(text, said); text != "" {
			own[i] = text
		}
	}
	return nil
}

// descriptionIn is the description of an entry in a language other than its own, "" for none; english is
// what it says in English.
func (c Config) descriptionIn(r *http.Request, current *snapshot.Catalog, lang, id, english string) (string, error) {
	answer, err := c.API.Get(r.Context(), wire.Path(current.Site, "/api/v1/entries/")+url.PathEscape(id))
	if err != nil || answer.Problem() != nil {
		return "", err // one that has gone meanwhile is shown as its item says
	}
	var texts struct {
		Descriptions catalog.Texts `json:"descriptions"`
	}
	if err := json.Unmarshal(answer.Body, &texts); err != nil {
		return "", fmt.Errorf("descriptions of entry %s: %w", id, err)
	}
	return view.DescriptionIn(lang, texts.Descriptions, "", "", english), nil
}

// leastStem is how many letters two forms of a word share at least, endingMax how many of the end of
// the one in the question may differ.
const (
	leastStem = 4
	endingMax = 2
)

// excerpt is the piece of a text with words of a question in any form, as HTML; "" where it has none.
func excerpt(question, text, lang string) string {
	var stems []string
	search.Words(question, lang, func(w search.Word) {
		if n := len(w.Term) - endingMax; n >= leastStem {
			stems = append(stems, w.Term[:n])
		} else {
			stems = append(stems, w.Term+" ")
		}
	})
	var found []search.Word
	search.Words(text, lang, func(w search.Word) {
		for _, stem := range stems {
			if strings.HasPrefix(w.Term+" ", stem) {
				found = append(found, w)
				return
			}
		}
	})
	if len(found) == 0 {
		return ""
	}
	return query.Excerpt(text, found)
}
