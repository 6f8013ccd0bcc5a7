package dcat

import (
	"bytes"
	"iter"
)

// The documents of this package are written so that they can be taken apart
// without a parser: in Turtle a block a subject between empty lines, in JSON-LD
// a node object a line. Neither form has a line feed within a string. One more
// empty line stands before the tail.

// turtleNodes are the blocks of a document, and whether they stand in the tail.
func turtleNodes(doc []byte) iter.Seq2[[]byte, bool] {
	return func(yield func([]byte, bool) bool) {
		tail := false
		for block := range bytes.SplitSeq(doc, []byte("\n\n")) {
			rest, begins := bytes.CutPrefix(block, []byte("\n"))
			tail = tail || begins
			if bytes.HasPrefix(rest, []byte("<")) && !yield(rest, tail) {
				return
			}
		}
	}
}

// jsonldNodes are the node objects of a document, and whether they stand in
// the tail.
func jsonldNodes(doc []byte) iter.Seq2[[]byte, bool] {
	return func(yield func([]byte, bool) bool) {
		tail := false
		for line := range bytes.SplitSeq(doc, []byte("\n")) {
			tail = tail || len(line) == 0
			if bytes.HasPrefix(line, jsonldName) && !yield(bytes.TrimSuffix(line, []byte(",")), tail) {
				return
			}
		}
	}
}

// turtleNames are what stands between angle brackets outside of strings.
func turtleNames(node []byte) iter.Seq[[]byte] {
	return func(yield func([]byte) bool) {
		for i := 0; i < len(node); i++ {
			switch node[i] {
			case '"':
				for i++; i < len(node) && node[i] != '"'; i++ {
					if node[i] == '\\' {
						i++
					}
				}
			case '<':
				end := bytes.IndexByte(node[i:], '>')
				if end < 0 || !yield(node[i+1:i+end]) {
					return
				}
				i += end
			}
		}
	}
}

// jsonldName begins a node object or a reference; within a string the quotes
// would be escaped.
var jsonldName = []byte(`{"@id":"`)

// jsonldNames are the values of @id.
func jsonldNames(node []byte) iter.Seq[[]byte] {
	return func(yield func([]byte) bool) {
		for {
			i := bytes.Index(node, jsonldName)
			if i < 0 {
				return
			}
			node = node[i+len(jsonldName):]
			end := bytes.IndexByte(node, '"')
			if end < 0 || !yield(node[:end]) {
				return
			}
		}
	}
}
