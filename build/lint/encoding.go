package lint

import (
	"bytes"
	"cmp"
	"fmt"
	"io"
	"slices"
	"unicode/utf8"

	"github.com/assay-register/assay/build/harvest/source"
	"github.com/assay-register/assay/render/lint"
)

// utf8Reader notes the first byte that is no UTF-8 in what is read through it.
type utf8Reader struct {
	r io.Reader
	// tail is the beginning of a character whose rest has not been read.
	tail []byte
	// lines counts those before what is read next.
	lines int
	// bad is the byte, and line where it lies, 0 for none.
	bad  byte
	line int
}

// Read implements io.Reader.
func (u *utf8Reader) Read(p []byte) (int, error) {
	n, err := u.r.Read(p)
	if u.line == 0 {
		u.look(p[:n], err != nil)
	}
	return n, err
}

// look takes the next part of the text.
func (u *utf8Reader) look(part []byte, last bool) {
	if len(u.tail) > 0 {
		part = append(u.tail, part...)
	}
	whole := len(part)
	for i := 1; i < utf8.UTFMax && i <= len(part) && !last; i++ {
		if rest := part[len(part)-i:]; utf8.RuneStart(rest[0]) {
			if !utf8.FullRune(rest) {
				whole -= i
			}
			break
		}
	}
	u.tail = slices.Clone(part[whole:])
	if part = part[:whole]; utf8.Valid(part) {
		u.lines += bytes.Count(part, []byte("\n"))
		return
	}
	at := 0
	for {
		r, size := utf8.DecodeRune(part[at:])
		if r == utf8.RuneError && size == 1 {
			u.bad, u.line = part[at], u.lines+1+bytes.Count(part[:at], []byte("\n"))
			return
		}
		at += size
	}
}

// encoding tells of a document whose text is not UTF-8. JSON and Turtle have no other encoding; tables and YAML have
// nothing to declare one in but the mark of UTF-16; XML declares its own.
func (l *linter) encoding(name string, s *source.Stream, u *utf8Reader, head []byte) {
	at, rule := lint.Record{Document: name, Line: u.line}, encodingRule(name, head)
	foreign := s.Foreign()
	switch {
	case foreign == "UTF-16" && rule == "document.encoding": // its mark declares it
	case foreign != "":
		l.add(lint.New(rule, at, "", "", "the text is written in "+foreign))
	case u.line > 0 && !xmlText(head): // XML is turned into UTF-8 where it declares nothing else
		l.add(lint.New(rule, at, "", "", fmt.Sprintf("line %d: the byte %02X is no UTF-8", u.line, u.bad)))
	}
}

func xmlText(head []byte) bool { return bytes.HasPrefix(bytes.TrimLeft(head, " \t\r\n"), []byte("<")) }

// encodingRule is the rule for a syntax, by the end of the name or the beginning of the text.
func encodingRule(name string, head []byte) string {
	head = bytes.TrimLeft(head, " \t\r\n\x1e")
	switch plainExt(name) {
	case ".json", ".jsonl", ".ndjson", ".jsonld", ".geojson", ".ttl", ".nt":
		return "document.utf-8"
	case ".yaml", ".yml", ".md", ".csv", ".tsv", ".xml", ".rdf":
		return "document.encoding"
	}
	if first := cmp.Or(string(head), " ")[0]; first == '{' || first == '[' {
		return "document.utf-8"
	}
	return "document.encoding"
}
