package source

import (
	"regexp"
	"strings"
)

var (
	// textMark is what may be a tag in a text that may be HTML, also one of a component or of XML: its slash,
	// its name, its attributes, the slash of one without content. Of attributes without a value it takes those
	// of HTML, so that "a <b and c> d" has none.
	textMark = regexp.MustCompile(`<(/?)([A-Za-z][\w.:-]*)((?:[\s/"']+[A-Za-z_:@-][\w:.-]*\s*=\s*(?:"[^"]*"?|'[^']*'?|\{[^{}]*\}|[^\s"'<>]*)|[\s/]+(?i:` +
		`allowfullscreen|async|autofocus|autoplay|checked|compact|controls|defer|disabled|download|hidden|ismap|itemscope|loop|multiple|muted|` +
		`nohref|noshade|novalidate|nowrap|open|readonly|required|reversed|selected)\b)*)[\s"']*(/?)(?:>|$)`)
	// brokenMark is a tag whose attributes are not well written.
	brokenMark = regexp.MustCompile(`^<([A-Za-z][A-Za-z0-9]*)\s[^<>]*=[^<>]*>`)
	// addressMark is an address between angle brackets, which is text.
	addressMark = regexp.MustCompile(`^<(?:[A-Za-z][A-Za-z0-9+.-]*://|(?i:mailto|tel|urn):|[\w.+-]+@)`)
)

// onlyTags escapes each "<" that begins no tag, declaration or comment, which would take with it all up to
// the next ">" or to the end: "<LOQ", "a <b and c> d", "<https://a.example/>".
func onlyTags(s string) string {
	tags := tagsOf(s)
	closes := strings.LastIndexByte(s, '>')
	var out strings.Builder
	at := 0
	for i := strings.IndexByte(s, '<'); i >= 0; {
		if !tags[i] && !declares(s[i:], i < closes) {
			out.WriteString(s[at:i])
			out.WriteString("&lt;")
			at = i + 1
		}
		next := strings.IndexByte(s[i+1:], '<')
		if next < 0 {
			break
		}
		i += 1 + next
	}
	out.WriteString(s[at:])
	return out.String()
}

// declares tells that a text begins with a comment or a declaration that ends somewhere.
func declares(s string, closed bool) bool {
	return closed && (strings.HasPrefix(s, "<!") || strings.HasPrefix(s, "<?"))
}

// tagsOf are the places where tags begin.
func tagsOf(s string) map[int]bool {
	marks := textMark.FindAllStringSubmatchIndex(s, -1)
	ends := map[string]int{} // where the last end tag of an element begins
	for _, m := range marks {
		if m[3] > m[2] {
			ends[strings.ToLower(s[m[4]:m[5]])] = m[0]
		}
	}
	tags := map[int]bool{}
	for _, m := range marks {
		tags[m[0]] = isTag(s, m, ends)
	}
	for i := strings.IndexByte(s, '<'); i >= 0; {
		if b := brokenMark.FindStringSubmatch(s[i:]); b != nil && !tags[i] && known(strings.ToLower(b[1])) {
			tags[i] = true
		}
		next := strings.IndexByte(s[i+1:], '<')
		if next < 0 {
			break
		}
		i += 1 + next
	}
	return tags
}

func known(name string) bool { return blocks[name] || inlines[name] }

// isTag tells that a mark is markup: it ends, has attributes or no content, has a name as only XML
// and components have, or is an element that cannot be meant otherwise.
func isTag(s string, m []int, ends map[string]int) bool {
	name := strings.ToLower(s[m[4]:m[5]])
	ended, attributes, empty := m[3] > m[2], m[7] > m[6], m[9] > m[8]
	last, closed := ends[name]
	switch {
	case addressMark.MatchString(s[m[0]:m[1]]):
		return false
	case s[m[1]-1] != '>':
		return attributes && known(name)
	case ended, attributes, empty, closed && last > m[0]:
		return true
	}
	return plainly[name] || hides[name] || strings.ContainsAny(name, ":-")
}

// hides are the elements whose content no browser shows.
var hides = words("script style noscript")
