package apigouvfr

import (
	"errors"
	"fmt"
	"strings"

	"gopkg.in/yaml.v3"

	"github.com/assay-register/assay/build/harvest/source"
)

// page is one markdown file: the fields of its front matter and its body.
type page struct {
	fields map[string]*yaml.Node
	// misspelt maps a known key to the spelling the file has.
	misspelt map[string]string
	body     string
}

// keys are the keys of an API's page that this connector reads.
var keys = []string{"title", "tagline", "producer", "is_open", "external_site", "doc_tech_link", "doc_tech_external",
	"contact_link", "keywords", "themes", "last_update", "content_intro", "rate_limiting_resume",
	"rate_limiting_description", "account_link", "datapass_link"}

var (
	errNoFrontMatter = errors.New("the file does not begin with front matter between two lines of ---")
	errNotMapping    = errors.New("the front matter is not a list of keys and values")
)

// parse splits a file into front matter and body.
func parse(data []byte) (page, error) {
	text := strings.ReplaceAll(strings.TrimPrefix(string(data), "\ufeff"), "\r\n", "\n")
	rest, ok := strings.CutPrefix(strings.TrimLeft(text, "\n"), "---\n")
	if !ok {
		return page{}, errNoFrontMatter
	}
	matter, body, ok := strings.Cut("\n"+rest+"\n", "\n---\n")
	if !ok {
		return page{}, errNoFrontMatter
	}
	var doc yaml.Node
	if err := yaml.Unmarshal([]byte(source.CleanText(matter)), &doc); err != nil {
		return page{}, fmt.Errorf("the front matter is not YAML: %w", err)
	}
	if len(doc.Content) != 1 || doc.Content[0].Kind != yaml.MappingNode {
		return page{}, errNotMapping
	}
	p := page{fields: map[string]*yaml.Node{}, misspelt: map[string]string{}, body: body}
	p.index(doc.Content[0].Content)
	return p, nil
}

// index files the values under their keys, the first of a repeated key. A key
// that is one slip away from a known one (extrenal_site) stands for it.
func (p *page) index(pairs []*yaml.Node) {
	for i := 0; i+1 < len(pairs); i += 2 {
		key := strings.TrimSpace(pairs[i].Value)
		if _, ok := p.fields[key]; !ok {
			p.fields[key] = pairs[i+1]
		}
	}
	for _, known := range keys {
		if _, ok := p.fields[known]; ok {
			continue
		}
		for i := 0; i+1 < len(pairs); i += 2 {
			if key := pairs[i].Value; oneSlip(key, known) && !isKey(key) {
				p.fields[known], p.misspelt[known] = pairs[i+1], key
			}
		}
	}
}

func isKey(s string) bool {
	for _, k := range keys {
		if k == s {
			return true
		}
	}
	return false
}

// text is the value of a scalar, or "".
func (p *page) text(key string) string {
	n := p.fields[key]
	if n == nil || n.Kind != yaml.ScalarNode || n.Tag == "!!null" {
		return ""
	}
	return n.Value
}

// list is the values of a list of scalars; a lone scalar is a list of one.
func (p *page) list(key string) []string {
	n := p.fields[key]
	if n == nil {
		return nil
	}
	if n.Kind == yaml.ScalarNode {
		if s := p.text(key); s != "" {
			return []string{s}
		}
		return nil
	}
	var out []string
	for _, c := range n.Content {
		if n.Kind == yaml.SequenceNode && c.Kind == yaml.ScalarNode && c.Tag != "!!null" {
			out = append(out, c.Value)
		}
	}
	return out
}

// upstream is the key as the file spells it, and what to say about it.
func (p *page) upstream(key string) (spelt, note string) {
	if s, ok := p.misspelt[key]; ok {
		return s, "the key is misspelt; read as " + key
	}
	return key, ""
}

// oneSlip tells whether a and b differ by one inserted, dropped, changed or
// swapped letter.
func oneSlip(a, b string) bool {
	if a == b || len(a) < 5 || len(a)-len(b) > 1 || len(b)-len(a) > 1 {
		return false
	}
	i := 0
	for i < len(a) && i < len(b) && a[i] == b[i] {
		i++
	}
	x, y := a[i:], b[i:]
	switch {
	case len(x) > len(y):
		return x[1:] == y
	case len(x) < len(y):
		return x == y[1:]
	case len(x) >= 2 && x[0] == y[1] && x[1] == y[0] && x[2:] == y[2:]:
		return true
	}
	return x[1:] == y[1:]
}
