package source

import (
	"strings"

	"golang.org/x/text/language"
)

// Language is the shortest BCP 47 tag of the language that a statement names:
// an IRI of the EU language authority table, of Lexvo or of the Library of
// Congress, an ISO 639-1, -2 or -3 code, a tag in any case with hyphens or low
// lines, or the name of a common language. Extensions and private use are
// dropped; a tag whose two parts were swapped (us-EN) is put right. The codes
// for several, no or an unknown language are none.
func Language(raw string) (tag string, ok bool) {
	s := strings.ReplaceAll(LastSegment(strings.TrimSpace(raw)), "_", "-")
	if len(s) < 2 || len(s) > 60 {
		return "", false
	}
	if code, ok := languageNames[foldName(s)]; ok {
		return code, true
	}
	s = withoutExtensions(strings.ToLower(s))
	t, err := language.Parse(s)
	if first, second, two := strings.Cut(s, "-"); err != nil && two && len(first) == 2 {
		t, err = language.Parse(second + "-" + first)
	}
	if err != nil {
		return "", false
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

// languageNames are names of languages, folded, in English and in themselves.
var languageNames = map[string]string{
	"english": "en", "french": "fr", "francais": "fr", "german": "de", "deutsch": "de", "spanish": "es", "espanol": "es",
	"castellano": "es", "italian": "it", "italiano": "it", "portuguese": "pt", "dutch": "nl", "nederlands": "nl",
	"catalan": "ca", "catala": "ca", "galego": "gl", "euskara": "eu", "swedish": "sv", "svenska": "sv", "danish": "da", "dansk": "da",
	"norwegian": "no", "norsk": "no", "finnish": "fi", "suomi": "fi", "polish": "pl", "polski": "pl", "czech": "cs", "cestina": "cs",
	"slovak": "sk", "hungarian": "hu", "magyar": "hu", "romanian": "ro", "romana": "ro", "bulgarian": "bg", "greek": "el",
	"croatian": "hr", "hrvatski": "hr", "serbian": "sr", "slovenian": "sl", "estonian": "et", "latvian": "lv", "lithuanian": "lt",
	"irish": "ga", "gaeilge": "ga", "welsh": "cy", "cymraeg": "cy", "maltese": "mt", "russian": "ru", "ukrainian": "uk",
	"turkish": "tr", "arabic": "ar", "chinese": "zh", "japanese": "ja", "korean": "ko",
	"日本語": "ja", "中文": "zh", "한국어": "ko", "русский": "ru", "ελληνικα": "el", "українська": "uk", "български": "bg",
}
