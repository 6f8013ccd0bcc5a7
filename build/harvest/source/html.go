package source

import (
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// HTMLText is the readable text of an HTML fragment: block elements on lines
// of their own, list items with a dash, scripts and styles left out. A "<" that begins no tag stays.
// Markup that was escaped is markup, too, so that who reads the text again reads the same.
func HTMLText(s string) string {
	for range roundsMax {
		next := fragmentText(s)
		if next == s || !htmlMark.MatchString(next) {
			return next
		}
		s = next
	}
	return s
}

// fragmentText is the text of a fragment, in which what was escaped is unescaped.
func fragmentText(s string) string {
	if !strings.ContainsAny(s, "<&") {
		return Paragraphs(CleanText(s))
	}
	var out strings.Builder
	z := html.NewTokenizer(strings.NewReader(onlyTags(s)))
	skip := 0
	for {
		kind := z.Next()
		switch kind {
		case html.ErrorToken:
			return Paragraphs(CleanText(entityMark.ReplaceAllStringFunc(out.String(), unescape))) // what was escaped twice
		case html.TextToken:
			if skip == 0 {
				out.Write(z.Text())
			}
		case html.StartTagToken, html.SelfClosingTagToken, html.EndTagToken:
			name, _ := z.TagName()
			tag := atom.Lookup(name)
			if hidden(tag) && kind == html.StartTagToken {
				skip++
			}
			if hidden(tag) && kind == html.EndTagToken && skip > 0 {
				skip--
			}
			if kind != html.EndTagToken || tag != atom.Li {
				out.WriteString(breakBefore(tag))
			}
		}
	}
}

func hidden(a atom.Atom) bool {
	return a == atom.Script || a == atom.Style || a == atom.Template || a == atom.Noscript
}

// breakBefore is what separates a block element from the text before it.
func breakBefore(a atom.Atom) string {
	switch a {
	case atom.Br, atom.Tr, atom.Dt, atom.Dd:
		return "\n"
	case atom.Li:
		return "\n- "
	case atom.Td, atom.Th:
		return " "
	case atom.P, atom.Div, atom.Ul, atom.Ol, atom.Dl, atom.Table, atom.H1, atom.H2, atom.H3,
		atom.H4, atom.H5, atom.H6, atom.Section, atom.Article, atom.Blockquote, atom.Pre, atom.Hr:
		return "\n\n"
	}
	return ""
}
