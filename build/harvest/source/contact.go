package source

import (
	_ "embed" // functions.txt
	"net/url"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/net/publicsuffix"

	"github.com/assay-register/assay/build/profile/personal"
	"github.com/assay-register/assay/render/search"
)

var mailShape = regexp.MustCompile(`[A-Za-z0-9._%+'-]+@[A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)*\.[A-Za-z]{2,}`)

// freeMail are hosts at which private people have their addresses.
var freeMail = []string{"gmail.com", "googlemail.com", "hotmail.com", "outlook.com", "live.com", "yahoo.com", "yahoo.fr",
	"icloud.com", "aol.com", "gmx.de", "gmx.net", "web.de", "orange.fr", "wanadoo.fr", "free.fr", "laposte.net",
	"proton.me", "protonmail.com", "btinternet.com"}

// functional are words that name a function or a subject, not a person: in the
// local part of an address, and in the name that stands beside it. Those of more
// than three letters count within a word of an address, too.
var functional = strings.Fields(functionWords)

//go:embed functions.txt
var functionWords string

// bodies are parts of words in the names of organisations: an address beside such a
// name is the organisation's, as the name is no person's.
var bodies = []string{"centre", "center", "centrum", "zentrum", "department", "departement", "departamento", "direccion", "institut", "minist", "agence", "agency",
	"agentschap", "behorde", "university", "universit", "laborator", "museum", "secretar", "中心", "研究", "大學", "大学", "政府", "公司", "學會"}

// Mails lists the e-mail addresses in a text, also in one whose characters are percent-encoded as those of a
// mailto URI are (RFC 6068).
func Mails(raw string) []string {
	if text, err := url.PathUnescape(raw); err == nil {
		raw = text
	}
	return mailShape.FindAllString(raw, -1)
}

// PersonalMail tells whether an address is a person's: names are what the record
// states of whom it reaches, a person's or a body's. What proves it is a
// person's name that the address repeats, whole, cut or by initials; a private
// mailbox that neither names a function nor repeats the name of a body; or the
// form given.family without a word for a function, which is withheld in doubt.
func PersonalMail(mail string, names ...string) bool {
	a, ok := parseMailbox(mail)
	if !ok {
		return true
	}
	names = slices.DeleteFunc(slices.Clone(names), func(n string) bool { return strings.TrimSpace(n) == "" })
	persons := slices.DeleteFunc(personsIn(names), a.house)
	private := slices.Contains(freeMail, a.host)
	switch {
	case slices.ContainsFunc(persons, a.repeats):
		return true
	case a.function():
		return false
	case len(persons) > 0:
		return private || slices.ContainsFunc(persons, han) || a.dotted()
	case private:
		return !slices.ContainsFunc(names, a.repeats)
	}
	return a.dotted()
}

// mailbox is an address in the parts by which it is judged, in lower case.
type mailbox struct {
	local, host   string
	words, labels []string
}

func parseMailbox(mail string) (mailbox, bool) {
	local, host, ok := strings.Cut(strings.ToLower(mail), "@")
	if !ok || local == "" || host == "" {
		return mailbox{}, false
	}
	return mailbox{local: local, host: host, words: strings.FieldsFunc(local, notLetter),
		labels: strings.FieldsFunc(host, func(r rune) bool { return r == '.' || r == '-' })}, true
}

func notLetter(r rune) bool { return !unicode.IsLetter(r) }

// function tells that the local part names a function, or the organisation
// whose host it is.
func (a *mailbox) function() bool {
	return slices.ContainsFunc(a.words, func(word string) bool {
		return len(word) > 2 && slices.Contains(a.labels, word) || slices.ContainsFunc(functional, func(f string) bool {
			return word == f || len(f) > 3 && strings.Contains(word, f)
		})
	})
}

// repeats tells that the local part has a word of a name, a cut one, or the
// initials of all its words.
func (a *mailbox) repeats(name string) bool {
	parts := strings.FieldsFunc(strings.ReplaceAll(search.Fold(name), "'", ""), notLetter)
	if len(parts) == 0 {
		return false
	}
	for _, word := range a.words {
		for _, part := range parts {
			if word == part && len(word) > 2 || len(part) > 2 && word == parts[0][:1]+part || len(part) > 3 && strings.Contains(word, part) || len(word) > 3 && strings.HasPrefix(part, word) {
				return true
			}
		}
	}
	joined, first, last := strings.Join(a.words, ""), parts[0], parts[len(parts)-1]
	return len(parts) > 1 && joined == a.local && (joined == initials(parts) || personal.IsGivenName(first) && len(joined) == 3 && joined[0] == first[0] && joined[2] == last[0]) ||
		joined == strings.Join(parts, "")
}

// house tells that a name is the organisation's: one of its words is in the
// local part and in the host ("digitaal.vlaanderen@vlaanderen.be").
func (a *mailbox) house(name string) bool {
	return slices.ContainsFunc(strings.FieldsFunc(search.Fold(name), notLetter), func(word string) bool {
		return len(word) > 3 && slices.Contains(a.words, word) && slices.Contains(a.labels, word)
	})
}

// initials are the first letters of words.
func initials(words []string) string {
	var out strings.Builder
	for _, w := range words {
		out.WriteByte(w[0])
	}
	return out.String()
}

// dotted tells that the local part has the form family.given or initial.family,
// and no part that is no word.
func (a *mailbox) dotted() bool {
	parts := strings.FieldsFunc(a.local, func(r rune) bool { return r == '.' || r == '_' })
	return len(parts) > 1 && !slices.ContainsFunc(parts, func(p string) bool { return strings.ContainsAny(p, "0123456789") || acronym(p) })
}

// acronym tells that a part of an address is no word: letters without a vowel,
// two at least, as no name is.
func acronym(part string) bool {
	return len(part) > 1 && !strings.ContainsAny(part, "aeiouy-")
}

// personsIn are the names of persons among those that are stated, without the
// role or the office that stands beside them ("Jane Roe - Researcher").
func personsIn(names []string) []string {
	var out []string
	for _, name := range names {
		name = familyFirst.ReplaceAllString(strings.TrimSpace(name), "$2 $1")
		for _, part := range nameParts.Split(name, -1) {
			if part = strings.TrimSpace(part); namesPerson(part) {
				out = append(out, part)
			}
		}
	}
	return out
}

// familyFirst is "Roe, Jane M.".
var familyFirst = regexp.MustCompile(`^(\pL+), (\pL+(?: \pL\.?)?)$`)

var nameParts = regexp.MustCompile(`\s+-(?:\s|$)|[,;/|(),，、；]|\sand\s`)

// namesHost tells that a text is the name of a host below a registered domain, as "www.data.example.be": a login
// has no parts before one.
func namesHost(name string) bool {
	domain, err := publicsuffix.EffectiveTLDPlusOne(name)
	suffix, listed := publicsuffix.PublicSuffix(name)
	return err == nil && listed && len(suffix) > 0 && domain != name && !strings.ContainsAny(name, " @/:")
}

// namesPerson tells that a text has the form of a person's name and no word of
// a body or a function: two words at least, unless it is a given name or a login.
func namesPerson(name string) bool {
	if name = strings.ReplaceAll(name, "_", " "); name == "" || namesFunction(name) || namesHost(name) {
		return false
	}
	if han(name) {
		return true
	}
	words := strings.Fields(name)
	if name == strings.ToLower(name) {
		for i, w := range words {
			_, size := utf8.DecodeRuneInString(w)
			words[i] = strings.ToUpper(w[:size]) + w[size:]
		}
		return len(words) < 4 && personal.NameOfPerson(strings.Join(words, " "))
	}
	first, _, _ := strings.Cut(words[0], "-")
	switch given := personal.IsGivenName(first); {
	case given:
		return len(words) < 7 && personal.NameOfPerson(words[0])
	case len(words) < 2 || len(words[0]) < 5 && words[0] == strings.ToUpper(words[0]) && !personal.IsGivenName(words[1]) && !strings.Contains(words[0], "."):
		return false // one word, or an acronym before others
	}
	return personal.NameOfPerson(name)
}

var (
	hanName  = regexp.MustCompile(`^\p{Han}{2,4}$`)
	hanPlace = regexp.MustCompile(`[縣市局處署部院館所會系校隊司組室]$`)
)

// han tells that a name is written as those of persons are in Chinese, which no
// Latin letters of an address can repeat.
func han(name string) bool { return hanName.MatchString(name) && !hanPlace.MatchString(name) }

// capitals is a word that no name of a person has: no vowel is in it.
var capitals = regexp.MustCompile(`^[B-DF-HJ-NP-TV-XZ]{2,}$`)

// namesFunction tells that a name is that of a function ("Support API SIRENE") or
// of an organisation.
func namesFunction(name string) bool {
	folded := search.Fold(name)
	if slices.ContainsFunc(bodies, func(part string) bool { return strings.Contains(folded, search.Fold(part)) }) {
		return true
	}
	return slices.ContainsFunc(strings.FieldsFunc(folded, notLetter), func(word string) bool { return slices.Contains(functional, word) }) ||
		slices.ContainsFunc(strings.FieldsFunc(name, notLetter), func(word string) bool { return capitals.MatchString(word) })
}
