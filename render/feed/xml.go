package feed

import "time"

// document is an XML or HTML document in the making. Its methods append to it
// and return it, so that the parts of a line stand in a row.
type document []byte

// raw writes text as it is.
func (d *document) raw(parts ...string) *document {
	for _, p := range parts {
		*d = append(*d, p...)
	}
	return d
}

// escapes are what stands for a byte in text and attributes, as encoding/xml
// and html have it.
var escapes = [256]string{'"': "&#34;", '\'': "&#39;", '&': "&amp;", '<': "&lt;", '>': "&gt;", '\t': "&#x9;", '\n': "&#xA;", '\r': "&#xD;"}

// text writes clean text.
func (d *document) text(s string) *document {
	from := 0
	for i := range len(s) {
		if e := escapes[s[i]]; e != "" {
			*d = append(append(*d, s[from:i]...), e...)
			from = i + 1
		}
	}
	*d = append(*d, s[from:]...)
	return d
}

// element writes an element that holds text.
func (d *document) element(name, text string) {
	d.raw("<", name, ">").text(text).raw("</", name, ">")
}

// optional leaves an element out that would hold nothing.
func (d *document) optional(name, text string) {
	if text != "" {
		d.element(name, text)
	}
}

func (d *document) instant(name string, at time.Time) {
	d.raw("<", name, ">")
	*d = at.AppendFormat(*d, time.RFC3339)
	d.raw("</", name, ">")
}
