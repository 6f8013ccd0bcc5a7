package personal

import (
	"embed"
	"slices"
	"strings"
	"sync"

	"github.com/assay-register/assay/build/profile/words"
)

//go:embed *.tsv
var tables embed.FS

// order decides between phrases of equal length: what is more personal first,
// the bare "name", which says nothing, last.
var order = []Class{Sensitive, Email, Phone, NationalID, IBAN, IP, Plate, BirthDate, GivenName, FamilyName, Username, Sex, Age, Nationality,
	FullName, Status, Measure, Address, Entity, Place, Category, Text, Identifier, Moment, Name}

// vocabulary are the words of column names. Stems are parts of compounds, such
// as the German "*nummer".
type vocabulary struct {
	phrases  map[string][]Class
	prefixes map[Class][]string
	suffixes map[Class][]string
	longest  int
}

var headers = sync.OnceValue(func() *vocabulary {
	v := &vocabulary{phrases: map[string][]Class{}, prefixes: map[Class][]string{}, suffixes: map[Class][]string{}}
	for _, line := range lines("headers.tsv") {
		class, list, _ := strings.Cut(line, "\t")
		for _, phrase := range strings.Split(list, "|") {
			v.add(Class(class), phrase)
		}
	}
	return v
})

func lines(file string) []string {
	text, err := tables.ReadFile(file)
	if err != nil {
		panic("the embedded table: " + err.Error())
	}
	return strings.Split(strings.TrimSpace(string(text)), "\n")[1:]
}

func (v *vocabulary) add(class Class, phrase string) {
	list := words.Split(phrase)
	if len(list) == 0 {
		return
	}
	if strings.HasSuffix(phrase, "*") {
		v.prefixes[class] = append(v.prefixes[class], list[0])
	}
	if strings.HasPrefix(phrase, "*") {
		v.suffixes[class] = append(v.suffixes[class], list[0])
	}
	key := strings.Join(list, " ")
	for _, c := range v.phrases[key] {
		if c == class {
			return
		}
	}
	v.phrases[key] = append(v.phrases[key], class)
	v.longest = max(v.longest, len(list))
}

// OfHeader returns the class that the name of a column says, or the empty
// string. The longest phrase wins; then the order of classes.
func OfHeader(name string) Class {
	v, list := headers(), words.Split(name)
	for n := min(v.longest, len(list)); n > 0; n-- {
		found := map[Class]bool{}
		for i := 0; i+n <= len(list); i++ {
			for _, c := range v.phrases[strings.Join(list[i:i+n], " ")] {
				found[c] = true
			}
			if n == 1 {
				v.compound(list[i], found)
			}
		}
		for _, c := range order {
			if found[c] {
				return v.keyed(c, list)
			}
		}
	}
	return ""
}

// keyed turns the key of a thing into an identifier: the last word of
// "station id" says what the values are.
func (v *vocabulary) keyed(c Class, list []string) Class {
	if c != Entity && c != Place && c != Name {
		return c
	}
	last := list[len(list)-1]
	found := map[Class]bool{}
	v.compound(last, found)
	if found[Identifier] || slices.Contains(v.phrases[last], Identifier) {
		return Identifier
	}
	return c
}

// stem is a length that the rest of a compound exceeds.
const stem = 1

func (v *vocabulary) compound(word string, found map[Class]bool) {
	for c, list := range v.prefixes {
		for _, p := range list {
			if strings.HasPrefix(word, p) && len(word) > len(p)+stem {
				found[c] = true
			}
		}
	}
	for c, list := range v.suffixes {
		for _, s := range list {
			if strings.HasSuffix(word, s) && len(word) > len(s)+stem {
				found[c] = true
			}
		}
	}
}

// KnownHeader tells whether a text is a usual name of a column: most of its
// words are in the vocabulary.
func KnownHeader(text string) bool {
	list := words.Split(text)
	if len(list) == 0 || len(list) > 8 {
		return false
	}
	known := 0
	for _, w := range list {
		if OfHeader(w) != "" {
			known++
		}
	}
	return known*2 >= len(list) || OfHeader(text) != "" && known > 0 && len(list) <= 4
}
