package rdf

import (
	"encoding/xml"
	"fmt"
	"regexp"
	"strconv"
	"strings"
)

// maxEntity is the longest text that an entity may stand for, in bytes. What
// catalogues declare are namespaces and letters.
const maxEntity = 4096

var (
	// entityDecl is a declaration of an internal general entity. External and
	// parameter entities do not match and so remain unknown: nothing outside
	// the document is ever read.
	entityDecl = regexp.MustCompile(`<!ENTITY\s+([^\s%"'<>]+)\s+(?:"([^"]*)"|'([^']*)')\s*>`)
	entityRef  = regexp.MustCompile(`&(?:#([0-9]{1,7})|#x([0-9A-Fa-f]{1,6})|([^\s;&#]+));`)
)

// doctype takes the entities that a document type declares.
func (x *xmlTokens) doctype(directive string) error {
	if !strings.HasPrefix(directive, "DOCTYPE") {
		return x.fail(fmt.Errorf("<!%s is no declaration", clip(directive)))
	}
	if x.entities == nil {
		x.entities = map[string]string{}
	}
	for _, m := range entityDecl.FindAllStringSubmatch(directive, -1) {
		name, value := m[1], m[2]+m[3]
		if _, ok := x.entities[name]; ok || predefined(name) != "" {
			continue
		}
		text, err := x.entity(value)
		if err != nil {
			return x.fail(fmt.Errorf("the entity %s %w", clip(name), err))
		}
		if len(x.entities) >= x.o.Limits.Names {
			return x.fail(fmt.Errorf("it declares more than %d entities", x.o.Limits.Names))
		}
		x.entities[name] = text
		x.bytes.longest = max(x.bytes.longest, len(text))
	}
	x.d.Entity = x.entities
	return nil
}

// entity is the text that the value of a declaration stands for. Entities can
// refer to those declared before.
func (x *xmlTokens) entity(value string) (string, error) {
	if strings.Contains(value, "<") {
		return "", fmt.Errorf("holds markup, which is not read")
	}
	var out strings.Builder
	rest := value
	for rest != "" {
		at := entityRef.FindStringSubmatchIndex(rest)
		if at == nil {
			at = []int{len(rest), len(rest)}
		} else {
			m := entityRef.FindStringSubmatch(rest)
			text, ok := x.reference(m)
			if !ok {
				return "", fmt.Errorf("refers to %s, which is not declared before it", clip(m[0]))
			}
			m[0] = text
			out.WriteString(rest[:at[0]] + text)
		}
		if at[0] == at[1] {
			out.WriteString(rest)
		}
		rest = rest[at[1]:]
		if out.Len() > maxEntity {
			return "", fmt.Errorf("is longer than %d bytes", maxEntity)
		}
	}
	if text := out.String(); !strings.ContainsAny(text, "<&") {
		return text, nil
	}
	return "", fmt.Errorf("holds markup, which is not read")
}

// reference is what a match of entityRef stands for.
func (x *xmlTokens) reference(m []string) (string, bool) {
	for i, base := range []int{10, 16} {
		if digits := m[i+1]; digits != "" {
			n, err := strconv.ParseInt(digits, base, 32)
			return string(rune(n)), err == nil && n > 0
		}
	}
	if text := predefined(m[3]); text != "" {
		return text, true
	}
	text, ok := x.entities[m[3]]
	return text, ok
}

// predefined is the text of the entities that XML itself has.
func predefined(name string) string {
	return map[string]string{"lt": "<", "gt": ">", "amp": "&", "apos": "'", "quot": `"`}[name]
}

// spaceOnly tells that a text is white space.
func spaceOnly(t xml.CharData) bool {
	for _, c := range t {
		if !isSpace(c) {
			return false
		}
	}
	return true
}
