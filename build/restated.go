package build

import (
	"bytes"
	"io"
	"maps"

	"github.com/assay-register/assay/build/rdf"
)

// restates tells whether a document in Turtle has other bytes than the one of the file before, but the
// same statements: after an upgrade of the program it may be written otherwise, which is no news
// of the entry. What cannot be read or compared is news.
func (l *feedLog) restates(route string, body []byte) bool {
	if l.former == nil {
		return false
	}
	in, err := l.former(route)
	if err != nil {
		return false
	}
	was, plain := statements(in)
	if !plain {
		return false
	}
	is, plain := statements(bytes.NewReader(body))
	return plain && maps.Equal(was, is)
}

// statements are those of a document in Turtle; plain is false where it cannot be read, or has blank
// nodes, whose labels mean nothing in another document.
func statements(in io.Reader) (all map[rdf.Triple]bool, plain bool) {
	all, plain = map[rdf.Triple]bool{}, true
	err := rdf.Read(in, rdf.Turtle, rdf.Options{}, func(t rdf.Triple) error {
		plain = plain && t.Subject.Kind != rdf.Blank && t.Object.Kind != rdf.Blank
		all[t] = true
		return nil
	})
	return all, plain && err == nil
}
