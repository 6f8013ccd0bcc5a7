package okfcheck

import (
	"path"
	"regexp"
	"strings"
	"time"

	"gopkg.in/yaml.v3"
)

var entryShape = regexp.MustCompile(`^\* \[((?:[^\\\[\]]|\\.)+)\]\(([^()\s]+)\)(?: - (.+))?$`)

// index judges an index.md (§6).
func (c *checker) index(name, text string) {
	front, body, has, ok := split(text)
	if has {
		c.indexFront(name, front, ok)
	} else if name == "index.md" {
		c.find(name, "S11", "the root declares no okf_version")
	}
	heading, under, headings := "", 0, 0
	closeSection := func() {
		if headings > 0 && under == 0 {
			c.find(name, "M4", "the heading %q has no entry", heading)
		}
	}
	for l := range strings.SplitSeq(body, "\n") {
		switch m := entryShape.FindStringSubmatch(l); {
		case strings.TrimSpace(l) == "":
		case strings.HasPrefix(l, "#") && strings.Contains(l, "# "):
			closeSection()
			heading, under = l, 0
			headings++
		case m == nil:
			c.find(name, "M4", "neither a heading nor an entry \"* [Title](url) - description\": %s", l)
		case headings == 0:
			c.find(name, "M4", "an entry stands before the first heading")
		default:
			under++
			c.entries = append(c.entries, indexEntry{name, resolve(name, m[2]), m[3]})
		}
	}
	closeSection()
	if headings == 0 {
		c.find(name, "M4", "has no heading")
	}
}

// indexFront judges the frontmatter of an index: the root may declare the
// version, and nothing else (§6, §11).
func (c *checker) indexFront(name, front string, closed bool) {
	var keys map[string]yaml.Node
	if err := yaml.Unmarshal([]byte(front), &keys); err != nil || !closed {
		c.find(name, "M4", "the frontmatter does not parse")
		return
	}
	if _, ok := keys["type"]; ok {
		c.find(name, "M3", "a reserved name holds a concept")
	}
	if name != "index.md" {
		c.find(name, "M4", "only the index of the root may have frontmatter")
		return
	}
	version, ok := keys["okf_version"]
	if !ok || len(keys) != 1 {
		c.find(name, "M4", "the root's frontmatter holds okf_version only")
	}
	if !isText(&version) {
		c.find(name, "S11", "okf_version is not a text; quote it")
	}
}

var dateHeading = regexp.MustCompile(`^## (\S.*)$`)

// log judges a log.md (§7).
func (c *checker) log(name, text string) {
	if front, _, has, _ := split(text); has {
		rule := "M5"
		if strings.Contains("\n"+front, "\ntype:") {
			rule = "M3"
		}
		c.find(name, rule, "a log has no frontmatter")
	}
	last, under, groups := "", 0, 0
	closeGroup := func() {
		if groups > 0 && under == 0 {
			c.find(name, "M5", "the day %s has no entry", last)
		}
	}
	for l := range strings.SplitSeq(text, "\n") {
		switch m := dateHeading.FindStringSubmatch(l); {
		case m != nil:
			closeGroup()
			c.date(name, m[1], last)
			last, under = m[1], 0
			groups++
		case strings.HasPrefix(l, "# ") && groups == 0, strings.TrimSpace(l) == "":
		case groups == 0:
			c.find(name, "M5", "text stands before the first day: %s", l)
		case strings.HasPrefix(l, "#"):
			c.find(name, "M5", "a heading that is no day: %s", l)
		default:
			under++
			c.linksOf(name, l)
		}
	}
	closeGroup()
}

func (c *checker) date(name, day, last string) {
	if _, err := time.Parse(time.DateOnly, day); err != nil {
		c.find(name, "M5", "the heading %q is no date YYYY-MM-DD", day)
		return
	}
	if last != "" && day >= last {
		c.find(name, "M5", "the day %s stands below %s; the newest comes first", day, last)
	}
}

// resolve is the path in the bundle that an address leads to, "" for one
// outside.
func resolve(from, address string) string {
	address, _, _ = strings.Cut(address, "#")
	switch {
	case strings.Contains(address, ":") || address == "":
		return ""
	case strings.HasPrefix(address, "/"):
		address = address[1:]
	default:
		address = path.Join(path.Dir(from), address)
	}
	if strings.HasSuffix(address, "/") || path.Ext(address) == "" {
		return path.Join(address, "index.md")
	}
	return path.Clean(address)
}
