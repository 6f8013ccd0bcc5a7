package templates

import (
	"strings"
	"time"

	"github.com/a-h/templ"
)

// Locale is the language of a reader: the words of the interface, and how the
// language writes numbers and days and names places.
type Locale interface {
	// Code is the language, such as "en".
	Code() string
	// T is a string of the interface, by its key.
	T(key string) string
	// Say is a string with the values of its {names} filled in: name, value, name, value.
	Say(key string, pairs ...string) string
	// Word is the name of a value of a closed vocabulary, the value itself where it has none.
	Word(family, value string) string
	// Told is what the interface says in English, as the language says it; ok tells that it is
	// known in that.
	Told(text string) (own string, ok bool)
	// Number groups the digits of a count.
	Number(n int) string
	// Day writes the UTC day of an instant.
	Day(at time.Time) string
	// Size writes a number of bytes, Decimal a number with so many decimals, -1 for as many as it has.
	Size(bytes int64) string
	Decimal(v float64, decimals int) string
	// Country and Language name a code, by itself where it has no name.
	Country(code string) string
	Language(tag string) string
	// Place is what the language calls a place that a source states by its name, a code or an address.
	Place(stated string) string
}

// Site is the site of a register in the language of a reader.
type Site struct {
	Locale
	// Name is the register's.
	Name string
	// Base is the address of the register without a slash at its end, Prefix what it has
	// behind scheme and host.
	Base, Prefix string
	// First is the language of the addresses without a prefix; Languages are all, First
	// before the others, with what they call themselves.
	First     string
	Languages []Language
	// Asset is the route of a file of the site, by its name.
	Asset func(name string) string
	// Linkable tells that a page may link an address of another site.
	Linkable func(address string) bool
	// Encoded writes what may stand in an address but not in an attribute as percent codes.
	Encoded func(address string) string
}

// Language is one of the interface: its code and what it calls itself.
type Language struct{ Code, Name string }

// Route is the path of a document of the register, put together from parts.
func (s *Site) Route(parts ...string) templ.SafeURL {
	return templ.SafeURL(s.Prefix + strings.Join(parts, ""))
}

// Local is the path of a page that exists in every language, in the reader's.
func (s *Site) Local(route string) templ.SafeURL {
	return templ.SafeURL(s.Prefix + s.In(s.Code(), route))
}

// In is the route of a page that exists in every language, in a language.
func (s *Site) In(lang, route string) string {
	switch {
	case lang == s.First:
		return route
	case route == "/":
		return "/" + lang
	}
	return "/" + lang + route
}

// NameOf is what a language of the interface calls itself.
func (s *Site) NameOf(lang string) string {
	for _, l := range s.Languages {
		if l.Code == lang {
			return l.Name
		}
	}
	return lang
}

// Link is an address of another site that Linkable let pass.
func (s *Site) Link(address string) templ.SafeURL { return templ.SafeURL(s.Encoded(address)) }

// Clip shortens text to n characters at most, on one line.
func Clip(text string, n int) string {
	line, cut := Shorten(text, n)
	if cut {
		return line + "…"
	}
	return line
}

// Stamp writes an instant for machines (RFC 3339, in UTC).
func Stamp(at time.Time) string { return at.UTC().Format(time.RFC3339) }

// Minute writes an instant to the minute, in UTC.
func Minute(at time.Time) string { return at.UTC().Format("2006-01-02 15:04") }
