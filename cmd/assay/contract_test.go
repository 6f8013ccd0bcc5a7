package main

import (
	"bytes"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/url"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/getkin/kin-openapi/openapi3filter"
	"github.com/getkin/kin-openapi/routers"
	"pgregory.net/rapid"

	"github.com/assay-register/assay/render/wire"
)

// contract is the interface description and the service that it describes.
type contract struct {
	base   string
	admin  string
	doc    *openapi3.T
	values pools
	client *http.Client

	mu sync.Mutex
	// succeeded counts the successes of each operation.
	succeeded map[string]int
}

// Numbers of requests that each operation gets.
const (
	contractShort = 15
	contractSoak  = 1000
)

// contractOfTheDemo asks every operation of the interface description with
// drawn requests: an answer is a success exactly if the request fits the
// description, no answer is a fault of the service, every body has its shape.
func contractOfTheDemo(t *testing.T, base, admin string) {
	_, body := fetch(t, base+"/openapi.json")
	doc, err := openapi3.NewLoader().LoadFromData(body)
	if err != nil {
		t.Fatal(err)
	}
	if err := doc.Validate(t.Context()); err != nil {
		t.Fatal(err)
	}
	c := &contract{base: base, admin: admin, doc: doc, values: newPools(t, base, admin), succeeded: map[string]int{},
		client: &http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}}
	settings := map[string]string{"rapid.nofailfile": "true", "rapid.checks": fmt.Sprint(contractShort), "rapid.seed": "1"}
	if os.Getenv("ASSAY_SOAK") != "" {
		settings["rapid.checks"], settings["rapid.seed"] = fmt.Sprint(contractSoak), "0"
	}
	for name, value := range settings {
		before := flag.Lookup(name).Value.String()
		if err := flag.Set(name, value); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { flag.Set(name, before) }) // when the operations are through
	}
	t.Cleanup(func() { c.report(t) })
	for _, path := range slices.Sorted(maps.Keys(doc.Paths.Map())) {
		item := doc.Paths.Value(path)
		for _, method := range slices.Sorted(maps.Keys(item.Operations())) {
			op := item.Operations()[method]
			t.Run(op.OperationID, func(t *testing.T) {
				t.Parallel()
				rapid.Check(t, func(rt *rapid.T) { c.ask(rt, path, method, item, op) })
			})
		}
	}
}

// report lists the operations of which no drawn request came to a success: what
// they need is held by others, as the tokens of mails are.
func (c *contract) report(t *testing.T) {
	var never []string
	for _, item := range c.doc.Paths.Map() {
		for _, op := range item.Operations() {
			if c.succeeded[op.OperationID] == 0 {
				never = append(never, op.OperationID)
			}
		}
	}
	slices.Sort(never)
	t.Logf("%d operations succeeded, never did %s", len(c.succeeded), strings.Join(never, " "))
	if len(never) > len(c.succeeded)*2/5 {
		t.Error("too few operations came to a success to prove anything")
	}
}

// ask draws a request, asks the service, and judges the answer.
func (c *contract) ask(t *rapid.T, path, method string, item *openapi3.PathItem, op *openapi3.Operation) {
	d := &drawn{query: url.Values{}, header: http.Header{}, path: map[string]string{}}
	c.values.of(path).draw(t, op, d)
	target := path
	for name, value := range d.path {
		target = strings.ReplaceAll(target, "{"+name+"}", url.PathEscape(value))
	}
	if len(d.query) > 0 {
		target += "?" + d.query.Encode()
	}
	accept := rapid.SampledFrom([]string{"application/json, application/problem+json, */*;q=0.1", "*/*"}).Draw(t, "Accept")
	request := func() *http.Request {
		r, err := http.NewRequestWithContext(t.Context(), method, c.base+target, bytes.NewReader(d.body))
		if err != nil {
			t.Fatalf("%s %s: %v", method, target, err)
		}
		r.Header = d.header.Clone()
		r.Header.Set("Accept", accept)
		if op.RequestBody != nil {
			r.Header.Set("Content-Type", wire.MediaJSON)
		}
		return r
	}
	fault := c.fault(request(), path, method, item, op, d)
	r := request()
	if op.Security != nil && len(*op.Security) > 0 {
		r.Header.Set("Authorization", "Bearer "+c.admin)
	}
	resp, err := c.client.Do(r)
	if err != nil {
		t.Fatalf("%s %s: %v", method, target, err)
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatalf("%s %s: %v", method, target, err)
	}
	asked := fmt.Sprintf("%s %s %s", method, target, d.body)
	c.judge(t, asked, op, resp, body, fault)
}

// fault says why a request does not fit the description, nil if it does. A
// query parameter that is not described is a fault too.
func (c *contract) fault(r *http.Request, path, method string, item *openapi3.PathItem, op *openapi3.Operation, d *drawn) error {
	for name := range d.query {
		if op.Parameters.GetByInAndName("query", name) == nil {
			return fmt.Errorf("no parameter %q is described", name)
		}
	}
	in := &openapi3filter.RequestValidationInput{Request: r, PathParams: d.path, QueryParams: d.query,
		Route: &routers.Route{Spec: c.doc, Path: path, PathItem: item, Method: method, Operation: op},
		Options: &openapi3filter.Options{AuthenticationFunc: openapi3filter.NoopAuthenticationFunc, SkipSettingDefaults: true,
			SchemaValidationOptions: []openapi3.SchemaValidationOption{openapi3.EnableJSONSchema2020(), openapi3.EnableFormatValidation()}}}
	return openapi3filter.ValidateRequest(context.Background(), in)
}

// Statuses of a request that fits: besides success, what depends on the state
// of the register and of other servers.
var depends = []int{304, 308, 403, 404, 409, 410, 429, 502, 503, 504}

// register are the parts of a request that fit or not by what the register
// holds, or by a rule between several of them, which no schema says.
var register = map[string]string{
	"header.Idempotency-Key": "a key must not come with another request", "query.cursor": "a cursor is one that was given out",
	"query.ids": "no name twice", "query.country": "not both names of one filter", "query.page": "the first 10,000 results can be paged through",
	"query.q": "a query has a syntax of its own", "query.tag": "a tag that occurs", "query.entry": "an entry of the register",
	"query.bbox": "numbers of a box", "query.datetime": "an instant or interval", "query.filter": "a condition in CQL2", "query.sortby": "properties of records",
	"body.since": "a cursor is one that was given out", "body.entries": "entries of the register", "body.sources": "sources of the register",
	"body.into": "an entry of the register", "body.successor": "an entry of the register", "body.institution_id": "an institution of the register",
	"body.of": "another entry of the register", "body.parent": "an institution of the register", "body.merged_into": "an institution of the register",
	"body.entry": "an entry of the register, or a filter", "body.filter": "an entry, or a filter", "body.edits": "values of the fields' types",
	"body.reason": "decisions need one, assignments do not", "body.items": "candidates, or a batch", "body.batch": "a batch, or candidates", "body.to": "a moderator of the register", "body.source": "a source of the register", "body.publisher": "a publisher of the register",
	"body.all": "entries, or all", "body.sunset_at": "an instant to come", "body.expires_at": "an instant to come",
	"body.aliases": "other names, or a parent", "body.text": "what a statement of its kind needs", "body.institution": "an institution, or a source", "body.domain": "a domain of the institution",
	"body.url": "an address of the institution", "body.email": "a mailbox of the institution", "body.from": "before the end", "body.until": "after the begin",
	"body.set": "values of the fields' types", "body.field": "an overridable field", "body.kind": "a kind that the program can read",
	"query.fields": "not with an instant of the past",
}

// byRegister tells that a request was refused for such a part only.
func byRegister(asked string, body []byte) bool {
	var p wire.Problem
	if json.Unmarshal(body, &p) != nil {
		return false
	}
	for _, e := range p.Errors {
		location, _, _ := strings.Cut(e.Location, "[")
		if top := strings.SplitN(location, ".", 3); len(top) == 3 {
			location = top[0] + "." + top[1]
		}
		if register[location] == "" {
			return false
		}
	}
	return len(p.Errors) > 0 || strings.Contains(asked, "cursor=")
}

// judge compares an answer with the description.
func (c *contract) judge(t *rapid.T, asked string, op *openapi3.Operation, resp *http.Response, body []byte, fault error) {
	ok := resp.StatusCode/100 == 2 || resp.StatusCode == http.StatusFound
	if ok {
		c.mu.Lock()
		c.succeeded[op.OperationID]++
		c.mu.Unlock()
	}
	state := slices.Contains(depends, resp.StatusCode) || resp.StatusCode/100 == 4 && byRegister(asked, body) ||
		resp.StatusCode == 401 && op.Security == nil // tokens of watches
	switch {
	case fault != nil && ok && op.OperationID == "getOAI" && bytes.Contains(body, []byte("<error code=")): // the protocol says it there
	case fault != nil && ok:
		t.Fatalf("%s: %d, but the request does not fit: %v", asked, resp.StatusCode, fault)
	case fault == nil && !ok && !state:
		t.Fatalf("%s: %d, but the request fits: %.500s", asked, resp.StatusCode, body)
	case resp.StatusCode >= 500 && !state:
		t.Fatalf("%s: %d %.500s", asked, resp.StatusCode, body)
	}
	described := op.Responses.Status(resp.StatusCode)
	if described == nil {
		t.Fatalf("%s: %d is not described: %.500s", asked, resp.StatusCode, body)
	}
	c.shape(t, asked, described.Value, resp, body)
}

// asks tells whether an address has a parameter.
func asks(asked, name string) bool {
	return strings.Contains(asked, "?"+name+"=") || strings.Contains(asked, "&"+name+"=")
}

// wanted is the shape that a request asks for of those that an operation answers: the whole, with
// some members, as it was.
func wanted(s *openapi3.Schema, asked string) *openapi3.Schema {
	switch {
	case len(s.AnyOf) < 2:
		return s
	case asks(asked, wire.Fields):
		return s.AnyOf[1].Value
	case asks(asked, "at") && len(s.AnyOf) > 2:
		return s.AnyOf[2].Value
	}
	return s.AnyOf[0].Value
}

// shape compares a body with the schema of its media type.
func (c *contract) shape(t *rapid.T, asked string, described *openapi3.Response, resp *http.Response, body []byte) {
	if len(described.Content) == 0 {
		if len(body) > 0 {
			t.Fatalf("%s: %d has a body: %.200s", asked, resp.StatusCode, body)
		}
		return
	}
	media, _, _ := strings.Cut(resp.Header.Get("Content-Type"), ";")
	content := described.Content[media]
	if content == nil {
		t.Fatalf("%s: %d comes as %q, described is %v", asked, resp.StatusCode, media, slices.Sorted(maps.Keys(described.Content)))
	}
	if content.Schema == nil {
		return
	}
	documents := [][]byte{body}
	switch {
	case media == wire.MediaNDJSON:
		documents = bytes.SplitAfter(bytes.TrimSuffix(body, []byte("\n")), []byte("\n"))
		documents = documents[:min(len(documents), 5)]
	case !strings.HasSuffix(media, "json"):
		return
	}
	for _, text := range documents {
		var v any
		if len(text) == 0 {
			continue
		}
		if err := json.Unmarshal(text, &v); err != nil {
			t.Fatalf("%s: %d: %v in %.200s", asked, resp.StatusCode, err, text)
		}
		if err := wanted(content.Schema.Value, asked).VisitJSON(v, openapi3.EnableJSONSchema2020(), openapi3.EnableFormatValidation(), openapi3.VisitAsResponse()); err != nil {
			t.Fatalf("%s: %d does not conform: %.600s", asked, resp.StatusCode, err.Error())
		}
	}
}
