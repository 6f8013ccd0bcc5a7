package rdf

import (
	"strings"
	"unicode/utf8"
)

// prefixed reads a name with a prefix.
func (t *turtle) prefixed() (Term, error) {
	n := t.span(0, afterWord)
	if t.at(n) != ':' {
		return Term{}, t.unexpected()
	}
	space, ok := t.prefixes[string(t.ahead(n))]
	if !ok {
		return Term{}, t.fault("the prefix %s: is not declared", clip(string(t.ahead(n))))
	}
	t.tmp = append(t.tmp[:0], space...)
	t.pos += n + 1
	end := t.span(0, afterName)
	if c := t.at(end); c == '%' || c == '\\' {
		return t.escapedName()
	}
	b := t.ahead(end)
	if !plainName(b) {
		end = nameEnd(b, func(r rune) bool { return baseChar(r) || r == '_' || r == ':' || r >= '0' && r <= '9' })
	}
	t.tmp = append(t.tmp, b[:end]...)
	t.pos += end
	return t.named()
}

// plainName tells that b, all of it seen by afterName, is a local name in
// ASCII.
func plainName(b []byte) bool {
	if len(b) == 0 {
		return true
	}
	if b[0] == '-' || b[0] == '.' || b[len(b)-1] == '.' {
		return false
	}
	for _, c := range b {
		if c >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

// named is the IRI put together in tmp.
func (t *turtle) named() (Term, error) {
	if schemeEnd(t.tmp) > 0 {
		return iriTerm(t.names.of(t.tmp)), nil
	}
	iri, err := t.absolute(t.tmp)
	return iriTerm(iri), err
}

// nameEscapes are the characters that a local name can have behind a
// backslash (Turtle, PN_LOCAL_ESC).
const nameEscapes = "_~.-!$&'()*+,;=/?#@%"

// escapedName reads a local name with escapes, the namespace being in tmp.
// Dots at the end belong to it only when they are escaped.
func (t *turtle) escapedName() (Term, error) {
	n, dots := 0, 0
	for {
		size, keep := t.piece(n)
		switch {
		case size < 0:
			return Term{}, t.fault("a name has an escape that is none")
		case size == 0:
			t.tmp = t.tmp[:len(t.tmp)-dots]
			t.pos += n - dots
			return t.named()
		case t.at(n) == '.':
			dots++
		default:
			dots = 0
		}
		t.tmp = append(t.tmp, t.ahead(n + size)[n+size-keep:]...)
		if n += size; n > t.max {
			return Term{}, t.fault("the name is longer than %d bytes", t.max)
		}
	}
}

// piece is the size of the next piece of a local name, n bytes ahead, and how
// many bytes at its end stand for it: 0 if there is none, -1 for a broken
// escape.
func (t *turtle) piece(n int) (size, keep int) {
	switch c := t.at(n); {
	case c == '\\' && t.at(n+1) != 0 && strings.IndexByte(nameEscapes, t.at(n+1)) >= 0:
		return 2, 1
	case c == '%' && isHex(t.at(n+1)) && isHex(t.at(n+2)):
		return 3, 3
	case c == '%' || c == '\\':
		return -1, 0
	case c == '.' && n > 0:
		return 1, 1
	}
	t.ended(n + utf8.UTFMax - 1)
	r, size := utf8.DecodeRune(t.buf[min(t.pos+n, t.end):t.end])
	switch {
	case r == utf8.RuneError && size <= 1:
		return 0, 0
	case r == ':' || baseChar(r) || r == '_' || r >= '0' && r <= '9' || n > 0 && nameChar(r):
		return size, size
	}
	return 0, 0
}

func (t *turtle) unexpected() error {
	if t.ended(0) {
		return t.unclosed("statement")
	}
	n := min(12, t.end-t.pos)
	return t.fault("%q is no term", strings.ToValidUTF8(string(t.ahead(n)), ""))
}

func (t *turtle) literal(quote byte) (Term, error) {
	var text string
	var err error
	if t.at(1) == quote && t.at(2) == quote {
		text, err = t.longQuoted()
	} else {
		text, err = t.quoted()
	}
	if err != nil {
		return Term{}, err
	}
	// Spaces may stand between the text and what follows it.
	switch t.skip() {
	case '@':
		tag, err := t.lang()
		return textTerm(text, tag), err
	case '^':
		if t.at(1) != '^' {
			return Term{}, t.fault("a datatype stands behind ^^")
		}
		t.pos += 2
		if t.skip() == '_' {
			return Term{}, t.fault("a datatype is an IRI")
		}
		datatype, err := t.resource(t.at(0))
		return Term{Kind: Literal, Value: text, Datatype: datatype.Value}, err
	}
	return textTerm(text, ""), nil
}

// number reads an integer, a decimal or a double.
func (t *turtle) number() (Term, error) {
	n := 0
	if c := t.at(0); c == '+' || c == '-' {
		n = 1
	}
	whole := t.span(n, afterDigit)
	end, kind := whole, "integer"
	if t.at(end) == '.' {
		if part := t.span(end+1, afterDigit); part > end+1 || whole > n && t.exponent(part) > part {
			end, kind = part, "decimal"
		}
	}
	if end == n {
		return Term{}, t.unexpected()
	}
	if last := t.exponent(end); last > end {
		end, kind = last, "double"
	}
	value := string(t.ahead(end))
	t.pos += end
	return Term{Kind: Literal, Value: value, Datatype: t.names.of([]byte(xsdNS + kind))}, nil
}

// exponent is where the exponent that begins at n ends; n if there is none.
func (t *turtle) exponent(n int) int {
	if t.at(n)|0x20 != 'e' {
		return n
	}
	from := n + 1
	if c := t.at(from); c == '+' || c == '-' {
		from++
	}
	if end := t.span(from, afterDigit); end > from {
		return end
	}
	return n
}
