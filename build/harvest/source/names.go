package source

import (
	"cmp"
	"slices"
	"strings"

	"github.com/assay-register/assay/build/reference"
	"github.com/assay-register/assay/render/catalog"
)

// Text is a text in a language. Lang is the tag that the source gives it, as
// it stands there; "" is none.
type Text struct{ Value, Lang string }

// phrase is a text made ready: clean, its language known or not.
type phrase struct {
	value, transform, repair string
	// raw is the tag as it stands in the source, lang the language it means.
	raw, lang string
	// how says what lang rests on.
	how     basisOfLanguage
	machine bool
	// from is the language that a machine translated it from, if it is stated.
	from string
	// main says that the source also gives this text without a tag, as its own.
	main bool
}

// tag is the tag under which the text is kept.
func (p *phrase) tag() string {
	switch {
	case p.lang == "":
		return catalog.Undetermined
	case p.machine:
		return p.lang + "-t-" + cmp.Or(p.from, catalog.Undetermined)
	}
	return p.lang
}

// basisOfLanguage is what the language of a text rests on.
type basisOfLanguage int

const (
	langUnknown basisOfLanguage = iota
	langTagged
	langDeclared
	langScript
)

// Names sets the titles: all of them by language, and of these name, name_en
// and native_lang. The name is the original: the human-written text in the
// resource's own language, else in that of the catalogue, else one that the
// source also gives without a tag, else in an official language of the
// country; then one without a language, one in another language than English,
// and the English one (decisions-2 §D). What a machine translated is the name
// only if there is nothing else; native_lang is then left open. A text without
// a tag has a language only if its script decides it or if DefaultLang is
// declared. Second titles in a language become alternative titles. Without a
// usable text the name stays empty.
func (b *Builder) Names(upstream string, texts ...Text) {
	e := &b.Draft.Entry
	list, others := perLanguage(b.phrases(texts, oneLine))
	original, english := b.choose(list, e.NativeLang)
	if original == nil {
		return
	}
	b.put(&e.Name, "name", upstream, original, catalog.NameMax)
	b.speak(upstream, original)
	if english != nil {
		b.put(&e.NameEn, "name_en", upstream, english, catalog.NameMax)
	}
	b.keep(&e.Titles, "titles", upstream, list, catalog.NameMax)
	b.AlternativeTitles(upstream, others...)
}

// Descriptions sets the descriptions by the rules of Names, the shown one in
// the language of the name where there is a text in it. HTML and markdown
// become plain text.
func (b *Builder) Descriptions(upstream string, texts ...Text) {
	e := &b.Draft.Entry
	list, _ := perLanguage(b.phrases(texts, readable))
	original, english := b.choose(list, e.NativeLang)
	if original == nil {
		return
	}
	b.put(&e.Description, "description", upstream, original, catalog.DescriptionMax)
	if english != nil {
		b.put(&e.DescriptionEn, "description_en", upstream, english, catalog.DescriptionMax)
	}
	b.keep(&e.Descriptions, "descriptions", upstream, list, catalog.DescriptionMax)
}

// keep sets the texts of a field by language. One text without a language says
// nothing that the field itself does not.
func (b *Builder) keep(dst *catalog.Texts, field, upstream string, list []phrase, limit int) {
	if len(list) == 1 && list[0].lang == "" {
		return
	}
	texts := make(catalog.Texts, len(list))
	repaired := ""
	for i := range list {
		p := &list[i]
		text, cut := Cut(p.value, limit)
		if cut {
			repaired = "cut to the longest text the register keeps"
		}
		texts[p.tag()] = text
	}
	*dst = texts
	b.row(field, catalog.BasisPublisher, upstream, "by language", repaired)
}

// perLanguage keeps one text for each language, the longest; others are further
// human-written texts in a language that has one.
func perLanguage(list []phrase) (kept []phrase, others []string) {
	for i := range list {
		p := &list[i]
		// One without a tag that repeats what a machine made of a text that is there is that machine's.
		if p.lang == "" && slices.ContainsFunc(list, func(o phrase) bool { return o.lang != "" && !o.machine && o.value == p.value }) ||
			p.how != langTagged && slices.ContainsFunc(list, func(o phrase) bool {
				return o.machine && o.value == p.value && slices.ContainsFunc(list, func(h phrase) bool { return h.how == langTagged && !h.machine && h.lang == o.from })
			}) {
			continue
		}
		j := slices.IndexFunc(kept, func(o phrase) bool { return o.tag() == p.tag() })
		switch {
		case j < 0:
			kept = append(kept, *p)
		case kept[j].value == p.value:
			kept[j].main = kept[j].main || p.main
		case len(p.value) > len(kept[j].value):
			others = human(others, &kept[j])
			main := kept[j].main || p.main
			kept[j] = *p
			kept[j].main = main
		default:
			others = human(others, p)
		}
	}
	return kept, others
}

// human adds a text that no machine wrote.
func human(list []string, p *phrase) []string {
	if p.machine {
		return list
	}
	return append(list, p.value)
}

// phrases makes the texts ready and leaves out the empty ones.
func (b *Builder) phrases(texts []Text, clean func(string) (string, string, string)) []phrase {
	list := make([]phrase, 0, len(texts))
	for _, t := range texts {
		p := phrase{raw: t.Lang}
		if p.value, p.transform, p.repair = clean(t.Value); p.value == "" {
			continue
		}
		lang, tagged := Language(t.Lang)
		switch script := scriptLanguage(p.value); {
		// "fixme" in the place of the tag marks a text that someone has to
		// look at; it says nothing about the language.
		case tagged:
			p.lang, p.how, p.machine = lang, langTagged, MachineTranslated(t.Lang)
			if p.machine {
				p.from = translatedFrom(t.Lang)
			}
		case script != "":
			p.lang, p.how = script, langScript
		case b.DefaultLang != "":
			p.lang, p.how = b.DefaultLang, langDeclared
		}
		if strings.EqualFold(strings.TrimSpace(t.Lang), "fixme") {
			p.repair = join(p.repair, "the source marks this text as one to be corrected (fixme)")
		}
		list = append(list, p)
	}
	for i := range list {
		list[i].main = list[i].how == langTagged && slices.ContainsFunc(list, func(p phrase) bool {
			return p.how != langTagged && p.value == list[i].value
		})
	}
	for i := range list {
		if list[i].how != langDeclared {
			continue
		}
		if lang := otherTag(list, &list[i]); lang != "" {
			list[i].lang, list[i].how = lang, langTagged
		}
	}
	return list
}

// otherTag is the tag under which a source gives a text that it gives without one, too, if it is not that of
// the declared language.
func otherTag(list []phrase, text *phrase) (lang string) {
	for i := range list {
		p := &list[i]
		if p.how != langTagged || p.machine || p.value != text.value {
			continue
		}
		if sameLanguage(p.lang, text.lang) {
			return ""
		}
		lang = cmp.Or(lang, p.lang)
	}
	return lang
}

// choose picks the original and, if that is not English, the English text.
func (b *Builder) choose(list []phrase, native string) (original, english *phrase) {
	wishes := []func(*phrase) bool{
		func(p *phrase) bool { return !p.machine && native != "" && sameLanguage(p.lang, native) },
		func(p *phrase) bool { return !p.machine && b.DefaultLang != "" && sameLanguage(p.lang, b.DefaultLang) },
	}
	for _, lang := range b.Preferred {
		wishes = append(wishes, func(p *phrase) bool { return !p.machine && sameLanguage(p.lang, lang) })
	}
	wishes = append(wishes, func(p *phrase) bool { return !p.machine && p.main })
	for _, lang := range reference.OfficialLanguages(b.in.Source.CountryCode) {
		wishes = append(wishes, func(p *phrase) bool { return !p.machine && sameLanguage(p.lang, lang) })
	}
	wishes = append(wishes,
		func(p *phrase) bool { return !p.machine && p.lang == "" },
		func(p *phrase) bool { return !p.machine && !sameLanguage(p.lang, "en") },
		func(p *phrase) bool { return !p.machine },
		func(*phrase) bool { return true },
	)
	for _, wish := range wishes {
		if original = firstPhrase(list, wish); original != nil {
			break
		}
	}
	if original == nil || sameLanguage(original.lang, "en") {
		return original, nil
	}
	other := func(p *phrase) bool { return sameLanguage(p.lang, "en") && p.value != original.value }
	if english = firstPhrase(list, func(p *phrase) bool { return !p.machine && other(p) }); english == nil {
		english = firstPhrase(list, other)
	}
	return original, english
}

func firstPhrase(list []phrase, wish func(*phrase) bool) *phrase {
	for i := range list {
		if wish(&list[i]) {
			return &list[i]
		}
	}
	return nil
}

// put sets a field to a phrase and records where it is from.
func (b *Builder) put(dst *string, field, upstream string, p *phrase, limit int) {
	if p.raw != "" {
		upstream += "@" + CleanText(p.raw)
	}
	if !p.machine {
		b.text(dst, field, upstream, p.transform, p.value, p.repair, limit)
		return
	}
	*dst, _ = Cut(p.value, limit)
	b.row(field, catalog.BasisTranslated, upstream, p.transform, "the source marks this text as translated by a machine")
}

// speak records the language of the original.
func (b *Builder) speak(upstream string, p *phrase) {
	if p.machine || p.lang == "" {
		return
	}
	b.Draft.Entry.NativeLang = p.lang
	switch p.how {
	case langTagged:
		b.Remark("native_lang", upstream, "the language tag of the name", "")
	case langDeclared:
		b.Inherit("native_lang", "declared for the texts of this source")
	case langScript:
		b.Compute("native_lang", upstream, "the one language of the name's script", "")
	}
}

// sameLanguage tells that two tags agree in their language; en-GB is English.
func sameLanguage(a, b string) bool {
	x, _, _ := strings.Cut(a, "-")
	y, _, _ := strings.Cut(b, "-")
	return x == y
}

func oneLine(s string) (value, transform, repair string) {
	value, repair = Line(s)
	return value, "white space folded", repair
}
