package profile

import (
	"fmt"
	"net/http"
	"net/url"
	"regexp"
	"sort"
	"strings"

	"github.com/getkin/kin-openapi/openapi3"

	"github.com/assay-register/assay/build/profile/personal"
	"github.com/assay-register/assay/build/profile/table"
	"github.com/assay-register/assay/render/catalog"
)

// maxRequests is how many example requests an API gets.
const maxRequests = 5

// requests makes requests of the operations that a reader can send as they are:
// GET, with a value for each required parameter that the document gives itself.
func requests(doc *openapi3.T, source string) []catalog.QueryExample {
	base, ok := server(doc, source)
	if !ok {
		return nil
	}
	var out []catalog.QueryExample
	for _, o := range operations(doc, http.MethodGet) {
		if len(out) == maxRequests {
			break
		}
		path, query, ok := filled(&o)
		if !ok {
			continue
		}
		address := strings.TrimRight(base, "/") + path
		if len(query) > 0 {
			address += "?" + query.Encode()
		}
		if u, err := url.Parse(address); err != nil || len(address) > 500 || u.Host == "" {
			continue
		}
		label := table.Clip(oneLine(o.op.Summary), 120)
		if label == "" {
			label = "GET " + table.Clip(o.path, 100)
		}
		out = append(out, get(address, personal.Redact(label), personal.Redact(table.Clip(oneLine(o.op.Description), 300)), ""))
	}
	return out
}

var variable = regexp.MustCompile(`\{([^{}]*)\}`)

// server is the first server with its variables at their defaults, relative
// ones resolved against the address of the document.
func server(doc *openapi3.T, source string) (string, bool) {
	address := "/"
	if len(doc.Servers) > 0 && doc.Servers[0] != nil {
		s := doc.Servers[0]
		address = variable.ReplaceAllStringFunc(s.URL, func(m string) string {
			if v := s.Variables[m[1:len(m)-1]]; v != nil {
				return v.Default
			}
			return m
		})
	}
	base, err := url.Parse(source)
	if err != nil {
		return "", false
	}
	u, err := base.Parse(address)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" || u.User != nil || strings.Contains(address, "{") {
		return "", false
	}
	return u.String(), true
}

// filled puts values into path and query; false if a required one is unknown.
func filled(o *operation) (string, url.Values, bool) {
	query, path := url.Values{}, o.path
	params := append(append(openapi3.Parameters{}, o.item.Parameters...), o.op.Parameters...)
	sort.SliceStable(params, func(i, j int) bool { return name(params[i]) < name(params[j]) })
	filters := 0
	for _, ref := range params {
		if ref == nil || ref.Value == nil {
			continue
		}
		v, known := example(ref.Value)
		switch p := ref.Value; {
		case p.In == "path" && known:
			path = strings.ReplaceAll(path, "{"+p.Name+"}", url.PathEscape(v))
		case p.Required && !known:
			return "", nil, false
		case p.In == "query" && known && (p.Required || filters < 2):
			query.Set(p.Name, v)
			filters++
		case p.Required && p.In != "query":
			return "", nil, false
		}
	}
	return path, query, !strings.Contains(path, "{")
}

func name(p *openapi3.ParameterRef) string {
	if p == nil || p.Value == nil {
		return ""
	}
	return p.Value.Name
}

// example is a value that the document gives for a parameter: its example, the
// schema's example, default or first of the enumeration. One that looks like
// personal data is none, nor is a parameter for a key.
func example(p *openapi3.Parameter) (string, bool) {
	if c := personal.OfHeader(p.Name); c.Personal() {
		return "", false
	}
	candidates := []any{p.Example}
	if p.Schema != nil && p.Schema.Value != nil {
		s := p.Schema.Value
		candidates = append(candidates, s.Example, s.Default)
		if len(s.Enum) > 0 {
			candidates = append(candidates, s.Enum[0])
		}
	}
	for _, c := range candidates {
		switch c.(type) {
		case string, float64, int, int64, uint64, bool:
			text := fmt.Sprint(c)
			if text != "" && len(text) <= 100 && !personal.Private(text) && personal.Redact(text) == text {
				return text, true
			}
		}
	}
	return "", false
}
