package submission

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"io"
)

// depthMax is how deep the values or elements of a document may lie in each other: deeper ones are of
// no catalogue and of no description, and readers that are not ours give up on them, too.
const depthMax = 200

// errDepth is a document that nobody can be asked to judge by eye.
var errDepth = unfit(fmt.Sprintf("its values are nested deeper than %d: flatten the document", depthMax))

// tooDeep tells of an answer that is JSON or XML, whole or cut, that it nests deeper than depthMax.
func tooDeep(body []byte) bool {
	body = bytes.TrimLeft(bytes.TrimPrefix(body, []byte("\xef\xbb\xbf")), " \t\r\n")
	switch {
	case len(body) == 0:
		return false
	case body[0] == '{', body[0] == '[':
		return deepJSON(body)
	case body[0] == '<':
		return deepXML(body)
	}
	return false
}

// deepJSON counts brackets outside of strings.
func deepJSON(body []byte) bool {
	depth, quoted := 0, false
	for i := 0; i < len(body); i++ {
		switch c := body[i]; {
		case quoted && c == '\\':
			i++
		case c == '"':
			quoted = !quoted
		case quoted:
		case c == '{', c == '[':
			if depth++; depth > depthMax {
				return true
			}
		case c == '}', c == ']':
			depth--
		}
	}
	return false
}

// deepXML counts elements as far as the document can be read.
func deepXML(body []byte) bool {
	d := xml.NewDecoder(bytes.NewReader(body))
	d.CharsetReader = func(_ string, r io.Reader) (io.Reader, error) { return r, nil } // tags are ASCII
	for depth := 0; ; {
		t, err := d.RawToken()
		if err != nil {
			return false
		}
		switch t.(type) {
		case xml.StartElement:
			if depth++; depth > depthMax {
				return true
			}
		case xml.EndElement:
			depth--
		}
	}
}
