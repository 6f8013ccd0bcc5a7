package main

import (
	"io"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/assay-register/assay/render/catalog"
)

// legible is where words for people go. What others wrote stands in many of them:
// names of files, routes of a foreign site, answers of servers. A terminal obeys
// some of their characters (ECMA-48), or shows them in another order, so these
// are written as escapes.
type legible struct{ to io.Writer }

// Write takes whole characters. Bytes that are no UTF-8 are escaped, too, because
// a terminal may read them as control characters of eight bits.
func (s legible) Write(b []byte) (int, error) {
	if _, err := io.WriteString(s.to, visible(string(b))); err != nil {
		return 0, err
	}
	return len(b), nil
}

// visible is a text with escapes for what catalog.CheckText refuses.
func visible(s string) string {
	if catalog.CheckText("", s, len(s)) == nil {
		return s
	}
	var b strings.Builder
	for len(s) > 0 {
		r, n := utf8.DecodeRuneInString(s)
		if one := s[:n]; catalog.CheckText("", one, n) == nil {
			b.WriteString(one)
		} else if r == utf8.RuneError && n == 1 {
			b.WriteString(`\x` + strconv.FormatUint(uint64(s[0]), 16))
		} else {
			b.WriteString(strings.Trim(strconv.QuoteRuneToASCII(r), "'"))
		}
		s = s[n:]
	}
	return b.String()
}
