package snapshot

import (
	"strings"

	"github.com/assay-register/assay/render/catalog"
	web "github.com/assay-register/assay/site"
)

// Title is the title of an entry in a language of the interface.
type Title struct {
	Lang string `json:"lang"`
	Text string `json:"text"`
}

// titlesOf are the titles in the languages of the interface besides Name and NameEn.
func titlesOf(e *catalog.Entry) []Title {
	var out []Title
	for _, lang := range web.Languages() {
		if lang == "en" && e.NameEn != "" || baseOf(e.NativeLang) == lang {
			continue
		}
		if text, _ := e.Titles.In(lang); text != "" && text != e.Name {
			out = append(out, Title{lang, text})
		}
	}
	return out
}

// TitleIn is the title for readers of a language of the interface: that in it, where there is
// one, else the entry's own; and the language in which it is, "" for an unknown one.
func (l *Line) TitleIn(lang string) (text, in string) {
	if baseOf(l.Lang) == lang {
		return l.Name, l.Lang
	}
	if lang == "en" && l.NameEn != "" {
		return l.NameEn, lang
	}
	for i := range l.Titles {
		if l.Titles[i].Lang == lang {
			return l.Titles[i].Text, lang
		}
	}
	return l.Name, l.Lang
}

func baseOf(tag string) string {
	base, _, _ := strings.Cut(tag, "-")
	return base
}
