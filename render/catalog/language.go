package catalog

import (
	"maps"
	"slices"
	"strings"
)

// Undetermined is the tag of a text whose language nobody states (BCP 47, 4.1).
const Undetermined = "und"

// Texts are the forms of one text by language: a BCP 47 tag and the text. A
// text that a machine translated has a tag with extension T (RFC 6497), such as
// en-t-nl: English, made from Dutch.
type Texts map[string]string

// Terms are lists of terms by language.
type Terms map[string][]string

// MachineTag tells that a tag marks what a machine translated (RFC 6497).
func MachineTag(tag string) bool { return strings.Contains(tag, "-t-") }

// PlainTag is a tag without the mark of machine translation.
func PlainTag(tag string) string {
	plain, _, _ := strings.Cut(tag, "-t-")
	return plain
}

// In is the text in a language, and the tag under which it stands: first the
// tag itself, then one of the same language, then one that a machine
// translated (RFC 4647, 3.4). It is "" when there is none.
func (t Texts) In(lang string) (text, tag string) {
	if text, ok := t[lang]; ok {
		return text, lang
	}
	base, _, _ := strings.Cut(lang, "-")
	machine := ""
	for _, tag := range slices.Sorted(maps.Keys(t)) {
		if first, _, _ := strings.Cut(tag, "-"); first != base {
			continue
		}
		if !MachineTag(tag) {
			return t[tag], tag
		}
		if machine == "" {
			machine = tag
		}
	}
	return t[machine], machine
}

// Tags are the tags of the texts, sorted.
func (t Texts) Tags() []string { return slices.Sorted(maps.Keys(t)) }

// checkTexts judges the tags and the length of texts by language.
func checkTexts(field string, t Texts, longest int) error {
	for _, tag := range t.Tags() {
		if tag == "" || len(tag) > 35 {
			return &FieldError{field, tag, "use a BCP 47 language tag"}
		}
		if err := CheckText(field, t[tag], longest); err != nil {
			return err
		}
	}
	return nil
}
