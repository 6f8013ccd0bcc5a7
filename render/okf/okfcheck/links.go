package okfcheck

import (
	"path"
	"regexp"
	"strings"
)

// linksOf collects the links of a line of markdown: "](" that is neither
// escaped nor inside a code span, up to the closing bracket.
func (c *checker) linksOf(name, line string) {
	for i := 0; i < len(line); i++ {
		switch {
		case line[i] == '\\':
			i++
		case line[i] == '`':
			i += codeSpan(line[i:]) - 1
		case strings.HasPrefix(line[i:], "]("):
			if target, _, ok := strings.Cut(line[i+2:], ")"); ok && target != "" && !strings.ContainsAny(target, " \t") {
				c.links = append(c.links, link{name, target})
			}
		}
	}
}

// codeSpan is the length of the code span that a line begins with, or of the
// backticks that open none (CommonMark, 6.1).
func codeSpan(line string) int {
	n := len(line) - len(strings.TrimLeft(line, "`"))
	for i := n; i < len(line); {
		run := len(line[i:]) - len(strings.TrimLeft(line[i:], "`"))
		if run == n {
			return i + n
		}
		i += max(run, 1)
	}
	return n
}

// compare judges what needs the whole bundle.
func (c *checker) compare() {
	for _, l := range c.links {
		target := resolve(l.from, l.target)
		if target == "" {
			continue
		}
		if !strings.HasPrefix(l.target, "/") {
			c.find(l.from, "S9", "the link %s is relative; links into the bundle begin with /", l.target)
		}
		if !c.files[target] {
			c.find(l.from, "S9", "the link %s leads to no file", l.target)
		}
	}
	next := map[string][]string{}
	for _, e := range c.entries {
		if e.target == "" {
			continue
		}
		next[e.from] = append(next[e.from], e.target)
		if !c.files[e.target] {
			c.find(e.from, "S9", "the entry for %s leads to no file", e.target)
		}
		if d, ok := c.descriptions[e.target]; ok && !repeats(e.description, d) {
			c.find(e.from, "S8", "the entry for %s says %q, its concept %q", e.target, e.description, d)
		}
	}
	c.reach(next)
}

// reach walks the indexes from the root and reports the concepts left out.
func (c *checker) reach(next map[string][]string) {
	seen, todo := map[string]bool{}, []string{"index.md"}
	for len(todo) > 0 {
		name := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if !seen[name] {
			seen[name] = true
			todo = append(todo, next[name]...)
		}
	}
	for name := range c.files {
		base := path.Base(name)
		if path.Ext(name) == ".md" && base != "log.md" && !seen[name] {
			c.find(name, "S10", "no index leads to it")
		}
	}
}

var escaped = regexp.MustCompile(`\\([!-/:-@\[-` + "`" + `{-~])`)

// repeats tells whether an index entry says what a description says, with or
// without the escapes of markdown.
func repeats(entry, description string) bool {
	want := words(description)
	return words(entry) == want || words(escaped.ReplaceAllString(entry, "$1")) == want
}

func words(s string) string { return strings.Join(strings.Fields(s), " ") }
