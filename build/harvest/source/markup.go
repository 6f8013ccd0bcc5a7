package source

import (
	"html"
	"regexp"
	"strings"
)

var (
	// tagMark is a tag, also one that the end of a text cuts off behind an attribute, or a comment: its
	// slash, its name, what follows it.
	tagMark = regexp.MustCompile(`<(/?)([A-Za-z][A-Za-z0-9]*)((?:\s+[A-Za-z_:@-][\w:.-]*\s*=\s*(?:"[^"]*"?|'[^']*'?|[^\s"'<>]*))*)\s*/?(?:>|$)|<!--(?s:.*?)(?:-->|$)`)
	// scriptMark is what browsers run and never show.
	scriptMark = regexp.MustCompile(`(?is)<script\b[^<>]*>.*?(?:</script\s*>|$)|<style\b[^<>]*>.*?</style\s*>`)
	// entityMark is a character reference with its semicolon, escaped any number of times.
	entityMark = regexp.MustCompile(`&(?:(?:amp|AMP|#0{0,4}38|#[xX]0{0,4}26);)*(?:[A-Za-z][A-Za-z0-9]{1,30}|#[0-9]{1,7}|#[xX][0-9A-Fa-f]{1,6});`)
	// escapes are the escaped ampersands of an entityMark.
	escapes = regexp.MustCompile(`^&(?:(?:amp|AMP|#0{0,4}38|#[xX]0{0,4}26);)+`)
)

// Elements of HTML (HTML Standard, section 4, and obsolete ones of 16.2). Those of blocks part words.
var (
	blocks = words(`address article aside blockquote body br caption center dd details dialog dir div dl dt fieldset figcaption figure footer form
		h1 h2 h3 h4 h5 h6 head header hr html iframe legend li main marquee menu nav ol option p pre section select summary table tbody td textarea tfoot th thead tr ul`)
	inlines = words(`a abbr acronym applet audio b bdi bdo big blink button canvas cite code data datalist del dfn em embed font i img input ins kbd label link map mark
		meta meter nobr noscript object optgroup output param picture progress q rp rt ruby s samp script slot small source span strike strong style sub sup
		svg template time title track tt u var video wbr`)
	// plainly are those that nobody writes as a placeholder, a unit or the parameter of a type: they are
	// markup without an end, too.
	plainly = words(`br hr wbr div em h1 h2 h3 h4 h5 h6 li ol p span strong sub sup tbody td th tr ul`)
)

func words(list string) map[string]bool {
	out := map[string]bool{}
	for w := range strings.FieldsSeq(list) {
		out[w] = true
	}
	return out
}

// roundsMax bounds how often markup is looked for in what was escaped, or put together by what was
// taken out.
const roundsMax = 8

// unmarked takes HTML out of a line of text: tags, scripts and character references, also what was escaped
// more than once. A "<" that begins no tag of HTML stays ("a < b", "x<y", "<10 km", "List<T>", "<HOST>"). It reports
// whether there was any.
func unmarked(s string) (string, bool) {
	found := false
	for range roundsMax {
		next := s
		if strings.ContainsRune(next, '<') {
			next = untagged(scriptMark.ReplaceAllString(next, " "))
		}
		if strings.ContainsRune(next, '&') {
			next = entityMark.ReplaceAllStringFunc(next, unescape)
		}
		if next == s {
			break
		}
		s, found = next, true
	}
	return s, found
}

// unescape is the character that a reference stands for; one without a meaning stays.
func unescape(mark string) string {
	inner := escapes.ReplaceAllString(mark, "&")
	out := html.UnescapeString(inner)
	// The library takes a name that begins like one, too, and leaves the rest.
	if strings.HasSuffix(out, ";") && out != ";" {
		return mark
	}
	return out
}

// untagged takes the tags out of a text.
func untagged(s string) string {
	marks := tagMark.FindAllStringSubmatchIndex(s, -1)
	ends := map[string]int{} // where the last end tag of an element begins
	for _, m := range marks {
		if m[2] >= 0 && m[3] > m[2] {
			ends[strings.ToLower(s[m[4]:m[5]])] = m[0]
		}
	}
	var out strings.Builder
	at := 0
	for _, m := range marks {
		with, ok := "", true
		if m[4] >= 0 {
			with, ok = instead(s, m, ends)
		}
		if ok {
			out.WriteString(s[at:m[0]])
			out.WriteString(with)
			at = m[1]
		}
	}
	out.WriteString(s[at:])
	return out.String()
}

// instead is what stands in the place of a tag, if it is markup: an element of HTML that ends, has
// attributes, or cannot be meant otherwise.
func instead(s string, m []int, ends map[string]int) (string, bool) {
	written := s[m[4]:m[5]]
	name := strings.ToLower(written)
	if !blocks[name] && !inlines[name] {
		return "", false
	}
	plain := plainly[name] && (written == name || written == "BR" || written == "HR") // capitals are parameters of types
	ended, attributes := m[3] > m[2], m[7] > m[6]
	cut := s[m[1]-1] != '>'
	if last, ok := ends[name]; !ended && !attributes && (!ok || last < m[0]) && !plain || cut && !attributes {
		return "", false
	}
	if blocks[name] {
		return " ", true
	}
	return "", true
}
