package okfcheck

import (
	"cmp"
	"fmt"
	"io/fs"
	"path"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"
)

// Finding is one rule that a file of a bundle breaks.
type Finding struct {
	// Path is the file's path in the bundle.
	Path string
	// Rule is the rule's name, such as M1 or S8; see the package's list.
	Rule string
	Text string
}

// String writes the finding on one line.
func (f Finding) String() string { return f.Path + ": " + f.Rule + ": " + f.Text }

// Must tells whether the rule is a MUST.
func (f Finding) Must() bool { return strings.HasPrefix(f.Rule, "M") }

// checker collects findings and what several files are compared by.
type checker struct {
	findings []Finding
	// files are the paths of the bundle; descriptions are the concepts'.
	files        map[string]bool
	descriptions map[string]string
	entries      []indexEntry
	links        []link
}

// indexEntry is one entry of an index; link is one link of a concept or log.
type (
	indexEntry struct{ from, target, description string }
	link       struct{ from, target string }
)

// Check judges the bundle whose root is the root of fsys. Findings are sorted
// by path and rule; none means that the bundle keeps every MUST and SHOULD.
// A file that cannot be read is a finding of rule M1.
func Check(fsys fs.FS) []Finding {
	c := &checker{files: map[string]bool{}, descriptions: map[string]string{}}
	err := fs.WalkDir(fsys, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		c.files[name] = true
		if path.Ext(name) == ".md" {
			c.document(fsys, name)
		}
		return nil
	})
	if err != nil {
		c.find(".", "M1", "cannot be read: %v", err)
	}
	c.compare()
	slices.SortFunc(c.findings, func(a, b Finding) int {
		return cmp.Or(cmp.Compare(a.Path, b.Path), cmp.Compare(a.Rule, b.Rule), cmp.Compare(a.Text, b.Text))
	})
	return c.findings
}

func (c *checker) find(name, rule, format string, args ...any) {
	c.findings = append(c.findings, Finding{name, rule, fmt.Sprintf(format, args...)})
}

var segment = regexp.MustCompile(`^[A-Za-z0-9_][A-Za-z0-9_.-]*$`)

func (c *checker) document(fsys fs.FS, name string) {
	b, err := fs.ReadFile(fsys, name)
	if err != nil {
		c.find(name, "M1", "cannot be read: %v", err)
		return
	}
	if !utf8.Valid(b) {
		c.find(name, "M2", "is not UTF-8")
	}
	for s := range strings.SplitSeq(name, "/") {
		if !segment.MatchString(s) {
			c.find(name, "S12", "the name %q has other characters than letters, digits, _ . -", s)
		}
	}
	text := string(b)
	switch path.Base(name) {
	case "index.md":
		c.index(name, text)
	case "log.md":
		c.log(name, text)
	default:
		c.concept(name, text)
	}
}

// split separates the frontmatter from the body. has tells whether the first
// line opens a block, ok whether a line closes it.
func split(text string) (front, body string, has, ok bool) {
	rest, has := strings.CutPrefix(text, "---\n")
	if !has {
		return "", text, false, false
	}
	if body, found := strings.CutPrefix(rest, "---\n"); found {
		return "", body, true, true
	}
	front, body, ok = strings.Cut(rest, "\n---\n")
	if !ok {
		front, ok = strings.CutSuffix(rest, "\n---")
	}
	return front, body, true, ok
}
