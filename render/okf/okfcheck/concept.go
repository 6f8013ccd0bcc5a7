package okfcheck

import (
	"net/url"
	"regexp"
	"strconv"
	"strings"
	"time"

	"gopkg.in/yaml.v3"
)

// concept judges a concept document (§4).
func (c *checker) concept(name, text string) {
	front, body, has, ok := split(text)
	if !has || !ok {
		c.find(name, "M1", "does not begin with a frontmatter block between two lines ---")
		return
	}
	keys := map[string]*yaml.Node{}
	var doc yaml.Node
	if err := yaml.Unmarshal([]byte(front), &doc); err != nil {
		c.find(name, "M1", "the frontmatter does not parse: %v", err)
		return
	}
	if len(doc.Content) == 0 || doc.Content[0].Kind != yaml.MappingNode {
		c.find(name, "M1", "the frontmatter is not a mapping")
		return
	}
	for i := 0; i+1 < len(doc.Content[0].Content); i += 2 {
		keys[doc.Content[0].Content[i].Value] = doc.Content[0].Content[i+1]
	}
	if !isText(keys["type"]) {
		c.find(name, "M2", "type is missing, empty or no text")
	}
	c.recommended(name, keys)
	c.body(name, body)
}

// isText tells whether every reader of YAML takes a value for a text that is
// not empty: yaml.v3 reads a plain no as text, readers of YAML 1.1 do not.
func isText(n *yaml.Node) bool {
	if n == nil || n.Kind != yaml.ScalarNode || n.Tag != "!!str" || strings.TrimSpace(n.Value) == "" {
		return false
	}
	return n.Style != 0 || !boolean.MatchString(n.Value)
}

var boolean = regexp.MustCompile(`^(?i:y|n|yes|no|on|off)$`)

var instant = regexp.MustCompile(`^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$`)

// recommended judges the keys that a concept should have (§4.1).
func (c *checker) recommended(name string, keys map[string]*yaml.Node) {
	if !isText(keys["title"]) || strings.ContainsAny(keys["title"].Value, "\n\r") {
		c.find(name, "S1", "title is missing or is not one line of text")
	}
	if d := keys["description"]; !isText(d) || strings.ContainsAny(d.Value, "\n\r\u2028\u2029") {
		c.find(name, "S2", "description is missing or is not one line of text")
	} else {
		c.descriptions[name] = d.Value
	}
	if r := keys["resource"]; !isText(r) {
		c.find(name, "S3", "resource is missing")
	} else if u, err := url.Parse(r.Value); err != nil || !u.IsAbs() {
		c.find(name, "S3", "resource %q is not an absolute URI", r.Value)
	}
	if t := keys["tags"]; t == nil || t.Kind != yaml.SequenceNode {
		c.find(name, "S4", "tags is missing or is no list")
	} else {
		for _, tag := range t.Content {
			if !isText(tag) {
				c.find(name, "S4", "the tag %q is read as %s, not as text", tag.Value, tag.Tag)
			}
		}
	}
	// A timestamp without quotes is a date to readers of YAML 1.1.
	if t := keys["timestamp"]; !isText(t) || !instant.MatchString(t.Value) {
		c.find(name, "S5", "timestamp is missing or is no text in ISO 8601 with an offset")
	} else if _, err := time.Parse(time.RFC3339, t.Value); err != nil {
		c.find(name, "S5", "timestamp %q is no instant", t.Value)
	}
}

var citation = regexp.MustCompile(`^\[(\d+)\] \[.*\]\(\S+\)$`)

// conventional are the headings with a fixed meaning (§4.2, §8).
var conventional = map[string]bool{"Schema": true, "Examples": true, "Citations": true}

// body judges headings, citations and links.
func (c *checker) body(name, body string) {
	headings, cited, citing := 0, 0, false
	for _, l := range prose(body) {
		depth := len(l) - len(strings.TrimLeft(l, "#"))
		if depth > 0 && depth < len(l) && l[depth] == ' ' {
			headings++
			title := strings.TrimSpace(l[depth:])
			if citing {
				c.find(name, "S7", "the section %q follows the citations", title)
			}
			if conventional[title] && depth != 1 {
				c.find(name, "S7", "the heading %s is not at level one", title)
			}
			citing = title == "Citations"
			continue
		}
		c.linksOf(name, l)
		if !citing || strings.TrimSpace(l) == "" {
			continue
		}
		m := citation.FindStringSubmatch(l)
		if m == nil || m[1] != strconv.Itoa(cited+1) {
			c.find(name, "S7", "citation %d is not \"[%d] [title](url)\": %s", cited+1, cited+1, l)
		}
		cited++
	}
	if headings == 0 {
		c.find(name, "S6", "the body has no heading")
	}
	if citing && cited == 0 {
		c.find(name, "S7", "the section of citations is empty")
	}
}

// prose are the lines outside fenced code.
func prose(body string) []string {
	var out []string
	fence := ""
	for l := range strings.SplitSeq(body, "\n") {
		ticks := l[:len(l)-len(strings.TrimLeft(l, "`"))]
		switch {
		case fence == "" && len(ticks) >= 3:
			fence = ticks
		case fence != "" && strings.TrimSpace(l) == ticks && len(ticks) >= len(fence):
			fence = ""
		case fence == "":
			out = append(out, l)
		}
	}
	return out
}
