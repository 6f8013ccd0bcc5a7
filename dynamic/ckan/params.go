package ckan

import (
	"bytes"
	"encoding/json"
	"io"
	"mime"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/assay-register/assay/dynamic/query"
	"github.com/assay-register/assay/dynamic/web"
	"github.com/assay-register/assay/render/wire"
)

// params are the parameters of an action as texts; lists are JSON.
type params url.Values

// readParams takes them from the query, and from a body that is a JSON object or a form. Old
// clients send the object as a form, or under another type.
func readParams(r *http.Request) (params, error) {
	values, err := web.DecodeQuery(r.URL.RawQuery)
	if err != nil || r.Method != http.MethodPost {
		return merged(values), err
	}
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return nil, err
	}
	media, _, _ := mime.ParseMediaType(r.Header.Get("Content-Type"))
	text := bytes.TrimSpace(body)
	if media == "application/x-www-form-urlencoded" && !bytes.HasPrefix(text, []byte("{")) {
		// ckanclient wrote the object as the name of the one member of a form.
		plain, err := url.QueryUnescape(strings.TrimSuffix(strings.TrimSuffix(string(text), "1"), "="))
		if err != nil || !strings.HasPrefix(plain, "{") {
			form, err := url.ParseQuery(string(text))
			for name, list := range form {
				values[name] = append(values[name], list...)
			}
			return merged(values), malformed(err)
		}
		text = []byte(plain)
	}
	if len(text) == 0 {
		return merged(values), nil
	}
	var object map[string]json.RawMessage
	if err := json.Unmarshal(text, &object); err != nil {
		return nil, malformed(err)
	}
	for name, raw := range object {
		if value, ok := plainText(raw); ok {
			values.Set(name, value)
		}
	}
	return merged(values), nil
}

func malformed(err error) error {
	if err == nil {
		return nil
	}
	return &fault{http.StatusBadRequest, "Bad request", "JSON Error: the body is no JSON object", nil}
}

// plainText is a value of JSON as a parameter of a query; null is none.
func plainText(raw json.RawMessage) (string, bool) {
	var s string
	if json.Unmarshal(raw, &s) == nil && string(raw) != "null" {
		return s, true
	}
	return string(raw), string(raw) != "null"
}

// merged makes one JSON list of a parameter that is given more than once.
func merged(values url.Values) params {
	out := params{}
	for name, list := range values {
		if len(list) > 1 && (name == "facet.field" || name == "fq" || name == "query") {
			var all []string
			for _, v := range list {
				all = append(all, texts(v)...)
			}
			b, err := web.JSON(all)
			if err == nil {
				list = []string{string(b)}
			}
		}
		out[name] = list
	}
	return out
}

// texts are those of a parameter that is a JSON list, or one text.
func texts(value string) []string {
	var list []string
	if strings.HasPrefix(strings.TrimSpace(value), "[") && json.Unmarshal([]byte(value), &list) == nil {
		return list
	}
	if value == "" {
		return nil
	}
	return []string{value}
}

// check judges the parameters; those for extensions begin with ext_.
func (p params) check(list []wire.Param) error {
	values := url.Values{}
	for name, v := range p {
		// An empty text is none, as clients send all that a form has.
		known := slices.IndexFunc(list, func(d wire.Param) bool { return d.Name == name })
		empty := known >= 0 && list[known].Kind == wire.KindString && len(list[known].Enum) == 0 && list[known].Pattern == "" && len(v) == 1 && v[0] == ""
		if !strings.HasPrefix(name, "ext_") && !empty {
			values[name] = v
		}
	}
	if err := query.Check(values, list); err != nil {
		return err
	}
	for i := range list {
		if list[i].Required && p.get(list[i].Name) == "" {
			return invalid(list[i].Name, "Missing value")
		}
	}
	return nil
}

func (p params) get(name string) string { return url.Values(p).Get(name) }

func (p params) has(name string) bool { return url.Values(p).Has(name) }

// number is a parameter that was judged.
func (p params) number(name string, missing int) int {
	if n, err := strconv.Atoi(p.get(name)); err == nil {
		return n
	}
	return missing
}

// amount is how many of something are asked for: more than the most that an action lists is
// lowered to it, as CKAN does.
func (p params) amount(name string, missing, most int) int {
	return min(p.number(name, missing), most)
}

func (p params) yes(name string) bool {
	v := strings.ToLower(p.get(name))
	return v == "true" || v == "1"
}
