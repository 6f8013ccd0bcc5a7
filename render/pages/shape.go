package pages

import (
	"regexp"
	"strings"
)

// shape is what the interface says with values in it, such as the name of a host.
type shape struct {
	english *regexp.Regexp
	// places are the names of the values in their order, own is the text of the language with them.
	places []string
	own    string
	// letters is how much of the text is no value: of two shapes that fit, the longer one is meant.
	letters int
}

// toldValue is where a value stands in a text: {n} is a number, {x} a text, every other one has no space.
var toldValue = regexp.MustCompile(`\{[a-z]\}`)

func newShape(english, own string) shape {
	s := shape{own: own}
	var b strings.Builder
	b.WriteString(`(?s)^`)
	end := 0
	for _, at := range toldValue.FindAllStringIndex(english, -1) {
		name := english[at[0]:at[1]]
		b.WriteString(regexp.QuoteMeta(english[end:at[0]]))
		switch name {
		case "{n}":
			b.WriteString(`(\d+)`)
		case "{x}":
			b.WriteString(`(.+)`)
		default:
			b.WriteString(`(\S+)`)
		}
		s.places, s.letters, end = append(s.places, name), s.letters+at[0]-end, at[1]
	}
	b.WriteString(regexp.QuoteMeta(english[end:]) + `$`)
	s.letters += len(english) - end
	s.english = regexp.MustCompile(b.String())
	return s
}

// say is a text of the shape in a language; a value that the interface says, too, is said in it.
func (s *shape) say(text string, t *locale) (string, bool) {
	found := s.english.FindStringSubmatch(text)
	if found == nil {
		return "", false
	}
	pairs := make([]string, 0, 2*len(s.places))
	for i, name := range s.places {
		value := found[i+1]
		if own, ok := t.Told(value); ok {
			value = own
		}
		pairs = append(pairs, name, value)
	}
	return strings.NewReplacer(pairs...).Replace(s.own), true
}
