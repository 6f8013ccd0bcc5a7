package source

import (
	"bufio"
	"bytes"
	"io"
	"regexp"
	"unicode/utf8"

	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/transform"
)

// declaredEncoding is the encoding that an XML declaration names (XML 1.0, 4.3.3).
var declaredEncoding = regexp.MustCompile(`^<\?xml[^>]*\sencoding\s*=\s*["']([^"']*)["']`)

// takenForUTF8 tells that a document is XML which is read as UTF-8, as it declares this or nothing. Web pages have
// their encoding declared otherwise.
func takenForUTF8(b *bufio.Reader) bool {
	const declaration = 256
	head, err := b.Peek(declaration)
	if err != nil && len(head) == 0 {
		return false
	}
	head = bytes.TrimLeft(head, " \t\r\n")
	lower := bytes.ToLower(head)
	if !bytes.HasPrefix(head, []byte("<")) || bytes.HasPrefix(lower, []byte("<!doctype html")) || bytes.HasPrefix(lower, []byte("<html")) {
		return false
	}
	m := declaredEncoding.FindSubmatch(lower)
	return m == nil || string(m[1]) == "utf-8" || string(m[1]) == "utf8" || string(m[1]) == "us-ascii"
}

// mistaken reads what is no UTF-8 in a text that is taken for it as Windows-1252, the usual culprit, as Clean does with
// a text of its own: XML would end at the first such byte. Where the text has characters of several bytes before, it is
// UTF-8 that is damaged.
type mistaken struct {
	utf8Seen bool
	found    func()
}

// Reset implements transform.Transformer.
func (m *mistaken) Reset() { m.utf8Seen = false }

// Transform implements transform.Transformer.
func (m *mistaken) Transform(dst, src []byte, atEOF bool) (nDst, nSrc int, err error) {
	for nSrc < len(src) {
		r, size := rune(src[nSrc]), 1
		if r >= utf8.RuneSelf {
			if !atEOF && !utf8.FullRune(src[nSrc:]) {
				return nDst, nSrc, transform.ErrShortSrc
			}
			r, size = utf8.DecodeRune(src[nSrc:])
			switch {
			case r != utf8.RuneError || size > 1:
				m.utf8Seen = true
			default:
				m.found()
				if !m.utf8Seen {
					r = charmap.Windows1252.DecodeByte(src[nSrc])
				}
			}
		}
		if nDst+utf8.RuneLen(r) > len(dst) {
			return nDst, nSrc, transform.ErrShortDst
		}
		nDst += utf8.EncodeRune(dst[nDst:], r)
		nSrc += size
	}
	return nDst, nSrc, nil
}

// repairedUTF8 is the text of XML in which every byte is a part of a character.
// found is called for each that was not.
func repairedUTF8(r io.Reader, found func()) io.Reader {
	return transform.NewReader(r, &mistaken{found: found})
}
