package pages

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/assay-register/assay/render/catalog"
	"github.com/assay-register/assay/templates/entry"
)

// texts are the title and the description for the readers of a language: theirs first, written by
// people before machines; else the entry's own.
func (v *view) texts(lang string) entry.Texts {
	e := v.e
	own := entry.Text{Lang: e.NativeLang, Text: v.title()}
	t := entry.Texts{Title: inLanguage(e.Titles, e.NativeLang, e.Name, e.NameEn, lang)}
	if t.Title.Text == "" {
		t.Title = own
	}
	switch {
	case t.Title.Text != own.Text:
		t.Original = own
	case e.NameEn != "" && e.NameEn != e.Name:
		t.Original = entry.Text{Lang: "en", Text: e.NameEn}
	}
	about := inLanguage(e.Descriptions, e.NativeLang, e.Description, e.DescriptionEn, lang)
	for _, other := range [...]entry.Text{{Lang: "en", Text: e.DescriptionEn}, {Lang: e.NativeLang, Text: e.Description}} {
		if about.Text == "" {
			about = other
			about.Text = strings.TrimSpace(other.Text)
		}
	}
	t.Others = v.others(&t, about.Text)
	t.Native, t.Others = v.elsewhere(t.Others, e.NativeLang, lang)
	t.Description = about
	if t.Repeats = about.Text != "" && (about.Text == t.Title.Text || about.Text == t.Original.Text); t.Repeats {
		t.Description.Text = ""
	}
	t.Description.Text, t.Rest, t.Cut = foldText(t.Description.Text, v.most(restText))
	return t
}

// inLanguage is the form of a text in a language, empty for none: what a source gives by language,
// its own text, or its English one.
func inLanguage(all catalog.Texts, native, own, english, lang string) entry.Text {
	found := ""
	for _, tag := range all.Tags() {
		if strings.TrimSpace(all[tag]) == "" || base(catalog.PlainTag(tag)) != lang {
			continue
		}
		if found == "" || catalog.MachineTag(found) && !catalog.MachineTag(tag) {
			found = tag
		}
	}
	switch {
	case base(native) == lang && strings.TrimSpace(own) != "":
		return entry.Text{Lang: native, Text: strings.TrimSpace(own)}
	case found != "" && (!catalog.MachineTag(found) || lang != "en" || english == ""):
		return entry.Text{Lang: catalog.PlainTag(found), Text: strings.TrimSpace(all[found]), Machine: catalog.MachineTag(found)}
	case lang == "en" && strings.TrimSpace(english) != "":
		return entry.Text{Lang: "en", Text: strings.TrimSpace(english), Machine: found != "" && all[found] == english}
	}
	return entry.Text{}
}

// base is the language of a tag, without region and script.
func base(tag string) string {
	lang, _, _ := strings.Cut(tag, "-")
	return strings.ToLower(lang)
}

// others are the titles and descriptions that the page does not show yet.
func (v *view) others(t *entry.Texts, about string) []entry.Translation {
	e := v.e
	titles, texts := map[string]string{}, map[string]string{}
	for tag, text := range e.Titles {
		titles[tag] = text
	}
	for tag, text := range e.Descriptions {
		texts[tag] = text
	}
	if e.NativeLang != "" && texts[e.NativeLang] == "" {
		texts[e.NativeLang] = e.Description
	}
	if texts["en"] == "" {
		texts["en"] = e.DescriptionEn
	}
	var list []entry.Translation
	for _, tag := range slices.Compact(slices.Sorted(slices.Values(append(catalog.Texts(titles).Tags(), catalog.Texts(texts).Tags()...)))) {
		o := entry.Translation{Lang: catalog.PlainTag(tag), Title: strings.TrimSpace(titles[tag]), Description: strings.TrimSpace(texts[tag]), Machine: catalog.MachineTag(tag)}
		if tag == catalog.Undetermined {
			o.Lang = ""
		}
		if o.Title == t.Title.Text || o.Title == t.Original.Text {
			o.Title = ""
		}
		if o.Description == about {
			o.Description = ""
		}
		if o.Title != "" || o.Description != "" {
			o.Description = clip(o.Description, v.most(otherText))
			list = append(list, o)
		}
	}
	return list
}

// elsewhere leaves out the texts in languages that have a page of their own, which says them first, and
// tells whether the entry's own language is one of these.
func (v *view) elsewhere(list []entry.Translation, own, lang string) (native string, others []entry.Translation) {
	for _, o := range list {
		switch in := base(o.Lang); {
		case in == lang || !slices.Contains(languages, in):
			others = append(others, o)
		case in == base(own):
			native = in
		}
	}
	return native, others[:min(len(others), v.most(othersShown))]
}

// Bounds of the texts in other languages; all of them are in the JSON.
const (
	othersShown = 6
	otherText   = 600
)

// Bounds of a description: from how many bytes on it is folded, and how much of the rest is shown.
const (
	longText = 700
	restText = 700
)

// foldText cuts a long text at a space, and tells whether some of it is left out.
func foldText(text string, most int) (short, rest string, cut bool) {
	if len(text) <= longText {
		return text, "", false
	}
	short, rest = cutAt(text, longText)
	if cut = len(rest) > most; cut {
		rest, _ = cutAt(rest, most)
		rest += "…"
	}
	return short, rest, cut
}

// cutAt cuts text into n bytes at most and the rest, at a space where there is one.
func cutAt(text string, n int) (head, tail string) {
	for n > 0 && !utf8.RuneStart(text[n]) {
		n--
	}
	if i := strings.LastIndexAny(text[:n], " \n"); i > n/2 {
		n = i
	}
	return text[:n], text[n:]
}
