package personal

import (
	"net/netip"
	"regexp"
	"strings"
	"sync"
	"unicode"

	"github.com/assay-register/assay/build/profile/checkdigit"
	"github.com/assay-register/assay/build/profile/words"
)

var (
	emailForm = regexp.MustCompile(`[^\s@,;:<>"'()\[\]{}|=?&/]+@[^\s@,;:<>"'()\[\]{}|=?&/]+\.[\pL]{2,}`)
	phoneForm = regexp.MustCompile(`^(?:(?:tel|fax|mob|phone|t|f|m)\.?:?\s*)?(?:\+|00)?[\d(][\d\s().\x{00a0}/-]{5,22}\d(?:\s*(?:ext|x|app|w)\.?\s*\d{1,5})?$`)
	callForm  = regexp.MustCompile(`\+\s?(?:\(?\d\)?[\s().\x{00a0}/-]{0,2}){8,15}`)
	ibanForm  = regexp.MustCompile(`\b[A-Z]{2}\d{2}(?:\s?[0-9A-Z]){11,30}\b`)
	plateForm = regexp.MustCompile(`^(?:[A-ZΑ-Ω]{1,3}[- ]?\d{1,4}[- ]?[A-ZΑ-Ω]{0,3}|\d{1,4}[- ]?[A-ZΑ-Ω]{2,3}[- ]?\d{1,4})$`)
	dateForm  = regexp.MustCompile(`^\d{1,4}[-/.]\d{1,2}[-/.]\d{1,4}`)
	wordForm  = regexp.MustCompile(`[\pL\pN]+`)
)

func isEmail(s string) bool {
	s = strings.TrimPrefix(strings.ToLower(strings.TrimSpace(s)), "mailto:")
	return emailForm.FindString(s) == s && s != ""
}

// isPhone asks for a sign that digits are dialled: an international prefix or
// groups. Plain digits are a number.
func isPhone(s string) bool {
	if !phoneForm.MatchString(strings.ToLower(s)) || dateForm.MatchString(s) {
		return false
	}
	n := digits(s)
	if n < 7 || n > 20 {
		return false
	}
	international := strings.HasPrefix(s, "+") || strings.HasPrefix(s, "00")
	return international || strings.ContainsAny(s, " ()/-\u00a0") && n >= 8 && strings.Count(s, "/") < 2 || strings.HasPrefix(s, "0") && n >= 9
}

// dialForm is the international prefix with a country's code, or a number that
// begins with a zero and has groups.
var dialForm = regexp.MustCompile(`^(?:\+|00)[1-9]|^\(?0\d{1,5}\)?[ /-]`)

// dialled is a telephone number even under a name that promises something else,
// such as "number": keys are hardly written so.
func dialled(s string) bool { return dialForm.MatchString(s) && isPhone(s) }

func digits(s string) int {
	n := 0
	for _, r := range s {
		if unicode.IsDigit(r) {
			n++
		}
	}
	return n
}

// isIBAN: ISO 13616, with the check digits of ISO/IEC 7064 MOD 97-10.
func isIBAN(s string) bool {
	s = strings.ToUpper(separators.Replace(s))
	return len(s) >= 15 && len(s) <= 34 && s[0] >= 'A' && s[0] <= 'Z' && checkdigit.Digits(s[2:4], 2) && checkdigit.Mod97(s[4:]+s[:4]) == 1
}

func isIP(s string) bool {
	a, err := netip.ParseAddr(strings.TrimSpace(s))
	return err == nil && (strings.Count(s, ".") == 3 || strings.Count(s, ":") >= 2) && a.IsValid()
}

// nameShape is two to five capitalised words without digits, as the name of a
// person is written, with particles such as "van" between them; one word is a
// name too if single is allowed.
func nameShape(s string, single bool) bool {
	s = strings.TrimSpace(s)
	if s == "" || len(s) > 80 || strings.ContainsAny(s, "0123456789@/\\_:;!?#%&*+=<>|\"()[]{}") {
		return false
	}
	capital, all := 0, strings.FieldsFunc(s, func(r rune) bool { return r == ' ' || r == ',' || r == '\u00a0' })
	for _, w := range all {
		first := []rune(w)[0]
		switch {
		case unicode.IsUpper(first), unicode.IsLetter(first) && !unicode.IsLower(first):
			capital++
		case !particles[strings.ToLower(w)]:
			return false
		}
	}
	return len(all) <= 6 && (capital >= 2 || single && capital == 1 && len(all) == 1 && len([]rune(s)) > 1)
}

var particles = map[string]bool{"van": true, "von": true, "der": true, "den": true, "de": true, "da": true, "do": true, "dos": true, "das": true, "di": true, "del": true,
	"della": true, "la": true, "le": true, "du": true, "ten": true, "ter": true, "zu": true, "zum": true, "af": true, "av": true, "el": true, "al": true, "bin": true, "y": true, "e": true, "i": true, "o": true, "d": true, "van't": true}

// NameOfPerson tells whether what a record states as a name has the form of a
// person's and no word of an organisation.
func NameOfPerson(s string) bool { return nameShape(s, true) && !hasEntityWord(s) }

// LooksLikeName tells whether a text may be the name of a person: it has the
// shape of one and no word of organisations, places or column names.
func LooksLikeName(s string) bool {
	if !nameShape(s, true) || hasEntityWord(s) {
		return false
	}
	for _, w := range words.Split(strings.ToLower(s)) {
		if particles[w] {
			continue
		}
		if c := OfHeader(w); c != "" && !givenNames()[w] {
			return false
		}
	}
	return true
}

var givenNames = sync.OnceValue(func() map[string]bool {
	out := map[string]bool{}
	for _, line := range lines("given_names.tsv") {
		_, list, _ := strings.Cut(line, "\t")
		for _, n := range words.Split(list) {
			out[n] = true
		}
	}
	return out
})

// IsGivenName tells whether a word is a known given name of a person.
func IsGivenName(word string) bool { return givenNames()[strings.ToLower(word)] }

func hasGivenName(s string) bool {
	for _, w := range words.Split(strings.ToLower(s)) {
		if givenNames()[w] {
			return true
		}
	}
	return false
}

var entityWords = sync.OnceValue(func() map[string]bool {
	out := map[string]bool{}
	for _, line := range lines("entity_words.tsv") {
		_, list, _ := strings.Cut(line, "\t")
		for _, phrase := range strings.Split(list, "|") {
			out[strings.Join(words.Split(phrase), " ")] = true
		}
	}
	return out
})

// hasEntityWord finds a legal form or a word for a body or place. Compounds
// such as "Stadtwerke" count by their end or beginning.
func hasEntityWord(s string) bool {
	// "GmbH" is one word: capitals within a value are no boundary.
	known, list := entityWords(), words.Split(strings.ToLower(s))
	for i, w := range list {
		if known[w] || i+1 < len(list) && known[w+" "+list[i+1]] || i+2 < len(list) && known[w+" "+list[i+1]+" "+list[i+2]] {
			return true
		}
		for _, stem := range []string{"schule", "werke", "verband", "verein", "amt", "stadt", "klinik", "gesellschaft", "genossenschaft", "zentrum", "school", "bank"} {
			if len(w) > len(stem)+2 && (strings.HasSuffix(w, stem) || strings.HasPrefix(w, stem)) {
				return true
			}
		}
	}
	return false
}

// Private tells whether a text, such as the name of a column, is itself
// personal: an address of e-mail or internet, a telephone number, an account or
// a national identity number.
func Private(s string) bool {
	s = strings.TrimSpace(s)
	return emailForm.MatchString(s) || isIBAN(s) || isIP(s) || nationalID(s, true) >= 0 ||
		(strings.HasPrefix(s, "+") || strings.HasPrefix(s, "00")) && isPhone(s) || strings.Trim(s, "0123456789 ()/-+") == "" && digits(s) >= 7
}
