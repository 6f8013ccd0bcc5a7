package discovery

import (
	"slices"
	"strings"
	"unicode"

	"github.com/google/jsonschema-go/jsonschema"

	"github.com/assay-register/assay/render/wire"
)

// rule narrows a member of a request to what the service accepts, so that a
// request is answered with success exactly when it fits the description. Zero
// fields do not narrow.
type rule struct {
	enum           []any
	format         string
	pattern        string
	minLen, maxLen int
	// minItems and maxItems bound a list, or the members of an object.
	minItems, maxItems int
	// names and values narrow the members of an object, values also the
	// elements of a list.
	names, values *rule
	// min and max bound a number; 0 for no bound.
	min, max float64
	// not is a pattern that a text must not match.
	not string
}

// requestRules are the rules by type and member.
var requestRules = merge(readerRules(), adminRules(), proxyRules())

// keptHeaders matches the names of headers that the proxy does not forward.
func keptHeaders() string {
	return "^(" + inAnyCase(wire.ProxyHeadersKept) + ")$|^(" + inAnyCase(wire.ProxyHeadersBegin) + ")|(" + inAnyCase(wire.ProxyHeadersHold) + ")"
}

// inAnyCase is an alternative of words in upper, lower and mixed case, as
// ECMAScript's expressions know no flag for it.
func inAnyCase(words []string) string {
	var b strings.Builder
	for i, w := range words {
		if i > 0 {
			b.WriteByte('|')
		}
		for _, c := range w {
			if unicode.IsLetter(c) {
				b.WriteString("[" + string(unicode.ToUpper(c)) + string(c) + "]")
			} else {
				b.WriteRune(c)
			}
		}
	}
	return b.String()
}

// apply narrows a schema.
func (r *rule) apply(s *jsonschema.Schema) {
	if r.enum != nil {
		s.Enum = r.enum
	}
	if r.format != "" {
		s.Format = r.format
	}
	if r.pattern != "" {
		s.Pattern = r.pattern
	}
	if r.not != "" {
		s.Not = &jsonschema.Schema{Pattern: r.not}
	}
	if r.min != 0 {
		s.Minimum = bound(r.min)
	}
	if r.max != 0 {
		s.Maximum = bound(r.max)
	}
	s.MinLength, s.MaxLength = above(r.minLen), above(r.maxLen)
	if isList := s.Type == "array" || slices.Contains(s.Types, "array"); isList {
		s.MinItems, s.MaxItems = above(r.minItems), above(r.maxItems)
		r.applyTo(&s.Items, r.values)
		return
	}
	s.MinProperties, s.MaxProperties = above(r.minItems), above(r.maxItems)
	r.applyTo(&s.PropertyNames, r.names)
	r.applyTo(&s.AdditionalProperties, r.values)
}

func (*rule) applyTo(s **jsonschema.Schema, r *rule) {
	if r == nil {
		return
	}
	if *s == nil {
		*s = &jsonschema.Schema{}
	}
	r.apply(*s)
}

func above(n int) *int {
	if n == 0 {
		return nil
	}
	return &n
}
