package source

import (
	"regexp"
	"strings"
)

var (
	// placeholder is a template that nobody filled: {{description}}.
	placeholder = regexp.MustCompile(`^\{\{[\w. ]{1,60}\}\}$`)
	// htmlMark is a tag or an entity.
	htmlMark = regexp.MustCompile(`<(?:/?[A-Za-z][A-Za-z0-9]*(?:\s[^<>]*)?/?|!--)>?|&(?:[a-zA-Z]{2,8}|#[0-9]{2,6}|#x[0-9a-fA-F]{2,5});`)
	// markdownMark is what makes plain text markdown beyond doubt: a link, bold
	// text, a heading, a table row.
	markdownMark = regexp.MustCompile(`\]\((?:https?:|mailto:|/|#)|\*\*[^*\n]+\*\*|(?m)^#{1,6} \S|^\s*\|?[-: ]+\|[-|: ]+$`)
)

// readable turns a description into plain text: HTML and markdown lose their
// marks, plain text keeps its lines.
func readable(s string) (value, transform, repair string) {
	s, repair = Clean(s)
	switch {
	case placeholder.MatchString(s):
		return "", "", ""
	case strings.Contains(s, "](") || strings.Contains(s, "**") || strings.Contains(s, "# ") || strings.Contains(s, "--|"):
		if markdownMark.MatchString(s) {
			text := MarkdownText(s)
			if htmlMark.MatchString(text) { // which is left where it was escaped
				text = HTMLText(text)
			}
			return text, "markdown to plain text", repair
		}
	}
	if strings.ContainsAny(s, "<&") && htmlMark.MatchString(s) {
		return HTMLText(s), "HTML to plain text", repair
	}
	return Paragraphs(s), "", repair
}
