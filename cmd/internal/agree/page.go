package main

import (
	"bytes"
	"strings"

	"golang.org/x/net/html"
)

// node is an element of a page, with what the rules ask of it; nil has nothing.
type node struct{ *html.Node }

func parse(b []byte) (*node, error) {
	n, err := html.Parse(bytes.NewReader(b))
	return &node{n}, err
}

// all are the elements below that match a selector: name, name.class, .class or name#id; empty
// parts match anything.
func (n *node) all(selector string) (list []*node) {
	if n == nil {
		return nil
	}
	name, id, _ := strings.Cut(selector, "#")
	name, class, _ := strings.Cut(name, ".")
	for d := range n.Descendants() {
		if d.Type != html.ElementNode || name != "" && d.Data != name {
			continue
		}
		x := &node{d}
		if (id == "" || x.attr("id") == id) && (class == "" || x.classed(class)) {
			list = append(list, x)
		}
	}
	return list
}

// at is the first element that matches selectors, each below the one before, nil for none.
func (n *node) at(selectors ...string) *node {
	for _, s := range selectors {
		list := n.all(s)
		if len(list) == 0 {
			return nil
		}
		n = list[0]
	}
	return n
}

func (n *node) attr(key string) string {
	if n == nil {
		return ""
	}
	for _, a := range n.Attr {
		if a.Key == key {
			return a.Val
		}
	}
	return ""
}

func (n *node) classed(class string) bool {
	for c := range strings.FieldsSeq(n.attr("class")) {
		if c == class {
			return true
		}
	}
	return false
}

// text is what a reader sees.
func (n *node) text() string { return n.words(false) }

// words is what a reader sees, without what others wrote if own is set.
func (n *node) words(own bool) string {
	if n == nil {
		return ""
	}
	var b strings.Builder
	var walk func(*html.Node)
	walk = func(x *html.Node) {
		for c := x.FirstChild; c != nil; c = c.NextSibling {
			switch {
			case c.Type == html.TextNode:
				b.WriteString(c.Data)
			case c.Type != html.ElementNode || c.Data == "script" || c.Data == "style" || own && foreign(&node{c}):
			default:
				if breaks[c.Data] {
					b.WriteByte(' ')
				}
				walk(c)
			}
		}
	}
	walk(n.Node)
	return strings.Join(strings.FieldsFunc(b.String(), func(r rune) bool { return r == ' ' || r == '\n' || r == '\t' }), " ")
}

// raw is the text with its lines.
func (n *node) raw() string {
	var b strings.Builder
	for d := range n.Descendants() {
		if d.Type == html.TextNode {
			b.WriteString(d.Data)
		}
	}
	return b.String()
}

// breaks are elements that stand apart from the text before them.
var breaks = map[string]bool{"li": true, "p": true, "dt": true, "dd": true, "td": true, "th": true, "tr": true, "br": true, "div": true, "h2": true, "h3": true, "summary": true, "details": true, "small": true}

// foreign tells that an element holds what others wrote.
func foreign(n *node) bool { return n.attr("translate") == "no" }

// terms are the values of a list of terms by their names.
func (n *node) terms() map[string]*node {
	list := map[string]*node{}
	for _, dl := range n.all("dl") {
		name := ""
		for c := dl.FirstChild; c != nil; c = c.NextSibling {
			switch x := (&node{c}); {
			case c.Type == html.ElementNode && c.Data == "dt":
				name = x.text()
			case c.Type == html.ElementNode && c.Data == "dd":
				list[name] = x
			}
		}
	}
	return list
}

// rows are the rows of the body of a table.
func (n *node) rows() []*node { return n.at("tbody").all("tr") }
