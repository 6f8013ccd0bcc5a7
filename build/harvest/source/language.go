package source

import (
	"strings"

	"golang.org/x/text/language"
)

// Language is the shortest BCP 47 tag of the language that a statement names:
// an IRI of the EU language authority table, of Lexvo or of the Library of
// Congress, an ISO 639-1, -2 or -3 code, a tag in any case with hyphens or low
// lines, or the name of a language (see languageNamed). Extensions and private use are
// dropped; a tag whose two parts were swapped (us-EN) is put right. The codes
// for several, no or an unknown language are none.
func Language(raw string) (tag string, ok bool) {
	s := strings.ReplaceAll(LastSegment(strings.TrimSpace(raw)), "_", "-")
	if len(s) < 2 || len(s) > 60 {
		return "", false
	}
	if !codeShape(s) {
		if code, ok := languageNamed(s); ok {
			return code, true
		}
	}
	s = withoutExtensions(strings.ToLower(s))
	t, err := language.Parse(s)
	if first, second, two := strings.Cut(s, "-"); err != nil && two && len(first) == 2 {
		t, err = language.Parse(second + "-" + first)
	}
	if err != nil {
		code := moreLanguageNames[s]
		return code, code != ""
	}
	base, script, region := t.Raw()
	switch base.String() {
	case "und", "mul", "mis", "zxx":
		return "", false
	}
	if t, err = language.Compose(base, script, region); err != nil {
		return "", false
	}
	if t, err = (language.SuppressScript | language.DeprecatedBase).Canonicalize(t); err != nil {
		return "", false
	}
	return t.String(), true
}

// codeShape tells that a statement begins as codes and tags do, with two or three letters.
func codeShape(s string) bool {
	primary, _, _ := strings.Cut(s, "-")
	return len(primary) <= 3
}

// withoutExtensions cuts a tag before its first singleton (RFC 5646, 2.2.6)
// and takes off the mark mtec of machine translation.
func withoutExtensions(tag string) string {
	parts := strings.Split(tag, "-")
	for i, p := range parts {
		if i > 0 && (len(p) == 1 || p == "mtec") {
			return strings.Join(parts[:i], "-")
		}
	}
	return tag
}

// MachineTranslated tells that a language tag marks a text as translated by a
// machine: BCP 47 extension T (RFC 6497) as in en-t-fr, the mechanism mtec of
// the European Commission, or the private x-mtfrom.
func MachineTranslated(tag string) bool {
	t := strings.ReplaceAll(strings.ToLower(strings.TrimSpace(tag)), "_", "-") + "-"
	return strings.Contains(t, "-t-") || strings.Contains(t, "-mtec-") || strings.Contains(t, "-x-mt")
}

// translatedFrom is the language that a machine translated a text from, as the
// tag states it: nl in en-t-nl, or "".
func translatedFrom(tag string) string {
	t := strings.ReplaceAll(strings.ToLower(strings.TrimSpace(tag)), "_", "-")
	_, rest, ok := strings.Cut(t, "-t-")
	if !ok {
		if _, rest, ok = strings.Cut(t, "-x-mtfrom-"); !ok {
			return ""
		}
	}
	first, _, _ := strings.Cut(rest, "-")
	// A field of the extension has a letter and a digit (t0, m0).
	if len(first) < 2 || strings.ContainsAny(first, "0123456789") {
		return ""
	}
	lang, _ := Language(first)
	return lang
}
