package source

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/assay-register/assay/build/profile/personal"
	"github.com/assay-register/assay/render/catalog"
	"github.com/assay-register/assay/render/search"
)

// Personal is [PersonalMail] for an address of the record: one that is called as the
// record or its publisher is, and as no person whom it names, is the office's.
func (b *Builder) Personal(mail string, names ...string) bool {
	if !PersonalMail(mail, names...) {
		return false
	}
	a, ok := parseMailbox(mail)
	return !ok || slices.ContainsFunc(personsIn(names), a.repeats) || !CalledAs(&b.Draft.Entry, mail)
}

// CalledAs tells that an address is called as an entry or its publisher is. Of the
// titles only the first part of an address may be a word: the last one is where a
// family name stands.
func CalledAs(e *catalog.Entry, mail string) bool {
	a, ok := parseMailbox(mail)
	if !ok {
		return false
	}
	titles, bodies := append([]string{e.Name}, e.AlternativeTitles...), []string{e.PublisherName}
	for lang, title := range e.Titles {
		if !catalog.MachineTag(lang) {
			titles = append(titles, title)
		}
	}
	if p := e.Publisher; p != nil && !p.Person {
		bodies = append(bodies, p.Aliases...)
		for _, name := range p.Names {
			bodies = append(bodies, name)
		}
	}
	called := func(parts []string) func(string) bool {
		return func(name string) bool { return calledAs(parts, name) && len(personsIn([]string{name})) == 0 }
	}
	parts := a.parts()
	return len(parts) > 0 && (slices.ContainsFunc(bodies, called(parts)) || slices.ContainsFunc(titles, called(parts[:1])))
}

// parts are those of the local part, none where one of them is a given name or the
// initial of one.
func (a *mailbox) parts() []string {
	parts := strings.FieldsFunc(a.local, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
	if slices.ContainsFunc(parts, func(part string) bool { return utf8.RuneCountInString(part) < 2 || personal.IsGivenName(part) }) {
		return nil
	}
	return parts
}

// calledAs tells that a part of an address is a word of a name, words of it written
// together, or the initials of all: "bjo.omgeving" of the Departement Omgeving,
// "djepva.disi" of the Direction de la jeunesse, de l'éducation populaire et de la
// vie associative.
func calledAs(parts []string, name string) bool {
	words := strings.FieldsFunc(strings.ReplaceAll(search.Fold(name), "'", " "), notLetter)
	joined := strings.Join(words, "")
	return slices.ContainsFunc(parts, func(part string) bool {
		const word, several, letters = 4, 8, 3
		return len(part) >= word && slices.Contains(words, part) || len(part) >= several && strings.Contains(joined, part) ||
			len(part) >= letters && (part == initialsOf(name, lower) || part == initialsOf(name, short))
	})
}

// initialsOf are the first letters of the words of a name that are not left out.
func initialsOf(name string, out func(word string) bool) string {
	words := strings.FieldsFunc(strings.ReplaceAll(name, "'", " "), notLetter)
	return initials(strings.Fields(search.Fold(strings.Join(slices.DeleteFunc(words, out), " "))))
}

// lower tells words that bodies write small within their names, short the articles
// and prepositions of the Romance languages.
func lower(word string) bool { return strings.ToLower(word) == word }
func short(word string) bool { return utf8.RuneCountInString(word) < 3 }
