package pages

import (
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
		if item.NativeLang != nil && strings.HasPrefix(*item.NativeLang+"-", lang+"-") && item.Description != nil {
			continue
		}
		text, err := c.descriptionIn(r, current, lang, item)
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

// descriptionIn is the description of an entry in a language, "" for none.
func (c Config) descriptionIn(r *http.Request, current *snapshot.Catalog, lang string, item *wire.Item) (string, error) {
	answer, err := c.API.Get(r.Context(), wire.Path(current.Site, "/api/v1/entries/")+url.PathEscape(item.ID))
	if err != nil || answer.Problem() != nil {
		return "", err // one that has gone meanwhile is shown as its item says
	}
	var texts struct {
		Descriptions catalog.Texts `json:"descriptions"`
	}
	if err := json.Unmarshal(answer.Body, &texts); err != nil {
		return "", fmt.Errorf("descriptions of entry %s: %w", item.ID, err)
	}
	deref := func(s *string) string {
		if s == nil {
			return ""
		}
		return *s
	}
	return view.DescriptionIn(lang, texts.Descriptions, deref(item.NativeLang), deref(item.Description), deref(item.DescriptionEn)), nil
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
