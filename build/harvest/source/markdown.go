package source

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/text"
)

// MarkdownText is the readable text of markdown: links and images become their
// text, headings, emphasis, HTML and JSX tags lose their marks, list items
// keep a dash.
func MarkdownText(s string) string {
	src := []byte(CleanText(s))
	w := markdownWriter{src: src}
	// The walker only returns what the visitor returns, and that is never an error.
	_ = ast.Walk(goldmark.DefaultParser().Parse(text.NewReader(src)), w.visit)
	return Paragraphs(CleanText(w.out.String()))
}

// inlineLink is a link inside an HTML block, where markdown has none but
// authors write it.
var inlineLink = regexp.MustCompile(`!?\[([^\]\n]*)\]\([^()\s]*\)`)

type markdownWriter struct {
	src []byte
	out strings.Builder
}

func (w *markdownWriter) visit(n ast.Node, entering bool) (ast.WalkStatus, error) {
	switch n := n.(type) {
	case *ast.TextBlock:
		if !entering {
			w.out.WriteByte('\n')
		}
	case *ast.Paragraph, *ast.Heading, *ast.List, *ast.ThematicBreak:
		if !entering {
			w.out.WriteString("\n\n")
		}
	default:
		if entering {
			return w.enter(n), nil
		}
	}
	return ast.WalkContinue, nil
}

// enter writes what stands at the beginning of a node, or all of it.
func (w *markdownWriter) enter(n ast.Node) ast.WalkStatus {
	switch n := n.(type) {
	case *ast.Text:
		w.inline(n)
	case *ast.String:
		w.out.Write(n.Value)
	case *ast.AutoLink:
		w.out.Write(n.Label(w.src))
	case *ast.ListItem:
		w.item(n)
	case *ast.CodeBlock, *ast.FencedCodeBlock:
		w.lines(n)
		return ast.WalkSkipChildren
	case *ast.HTMLBlock:
		w.html(n)
		return ast.WalkSkipChildren
	}
	return ast.WalkContinue
}

func (w *markdownWriter) inline(n *ast.Text) {
	w.out.Write(n.Segment.Value(w.src))
	if n.HardLineBreak() {
		w.out.WriteByte('\n')
	} else if n.SoftLineBreak() {
		w.out.WriteByte(' ')
	}
}

func (w *markdownWriter) item(n *ast.ListItem) {
	list, ok := n.Parent().(*ast.List)
	if !ok || !list.IsOrdered() {
		w.out.WriteString("- ")
		return
	}
	number := list.Start
	for s := n.PreviousSibling(); s != nil; s = s.PreviousSibling() {
		number++
	}
	fmt.Fprintf(&w.out, "%d. ", number)
}

func (w *markdownWriter) lines(n ast.Node) {
	for i := range n.Lines().Len() {
		line := n.Lines().At(i)
		w.out.Write(line.Value(w.src))
	}
	w.out.WriteByte('\n')
}

func (w *markdownWriter) html(n *ast.HTMLBlock) {
	var raw strings.Builder
	for i := range n.Lines().Len() {
		line := n.Lines().At(i)
		raw.Write(line.Value(w.src))
	}
	if n.HasClosure() {
		raw.Write(n.ClosureLine.Value(w.src))
	}
	w.out.WriteString(inlineLink.ReplaceAllString(HTMLText(raw.String()), "$1"))
	w.out.WriteString("\n\n")
}
