package translit

import "strings"

// Slug returns name as lower-case ASCII words joined by single hyphens, at most
// max bytes long and cut between words where possible. The language is a hint
// as in [ASCIIFor]. The result is empty if no letter is left, because a slug
// that is only a number could be taken for an id; the caller then chooses
// another one. Reserved words and clashes are the caller's concern too.
func Slug(name, lang string, max int) string {
	slug := cut(hyphenate(ASCIIFor(name, lang)), max)
	if !strings.ContainsAny(slug, "abcdefghijklmnopqrstuvwxyz") {
		return ""
	}
	return slug
}

// hyphenate keeps the letters and digits of s and puts one hyphen for whatever
// stands between them.
func hyphenate(s string) string {
	var out strings.Builder
	out.Grow(len(s))
	gap := false
	for i := range len(s) {
		c := s[i]
		if !isAlnum(c) {
			gap = true
			continue
		}
		if gap && out.Len() > 0 {
			out.WriteByte('-')
		}
		gap = false
		out.WriteByte(lower(c))
	}
	return out.String()
}

// cut shortens a slug to max bytes, before the last whole word that fits, or
// inside the first word if that alone is too long.
func cut(slug string, max int) string {
	if max <= 0 {
		return ""
	}
	if len(slug) <= max {
		return slug
	}
	if end := strings.LastIndexByte(slug[:max+1], '-'); end > 0 {
		return slug[:end]
	}
	return slug[:max]
}

func lower(c byte) byte {
	if 'A' <= c && c <= 'Z' {
		return c + 'a' - 'A'
	}
	return c
}
