// Package sparse answers with some members of entries only, those that `fields` names: in
// lists, in searches and of one entry. What is asked is answered whole by the operation itself, so all
// its rules hold; the members that are not wanted are left out then, and the answer is
// sealed anew, under links that lead to answers of the same kind.
package sparse

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/assay-register/assay/dynamic/web"
	"github.com/assay-register/assay/render/artifact"
	"github.com/assay-register/assay/render/wire"
)

// Shape is where an answer has entries.
type Shape int

// The shapes of answers.
const (
	// Entry is an answer that is an entry, List one with entries as items, Found one with
	// results, each of which has an entry.
	Entry Shape = iota
	List
	Found
)

// members are those that an entry has in answers of the shape.
func (s Shape) members() []string {
	if s == Entry {
		return wire.EntryMembers()
	}
	return wire.ItemMembers()
}

// Fields answers what asks for `fields`; all else is left to the whole answer.
func Fields(whole web.Handler, shape Shape) web.Handler {
	return func(w http.ResponseWriter, r *http.Request) error {
		if !strings.Contains(r.URL.RawQuery, wire.Fields) {
			return whole(w, r)
		}
		values, err := web.DecodeQuery(r.URL.RawQuery)
		if err != nil || !values.Has(wire.Fields) {
			return errors.Join(err, whole(w, r))
		}
		wanted, err := parse(values[wire.Fields], shape)
		if err != nil {
			return err
		}
		got, err := ask(whole, r, values)
		if err != nil {
			return err
		}
		if got.status != http.StatusOK {
			return got.pass(w, wanted)
		}
		body, link, err := some(got.body.Bytes(), wanted, shape)
		if err != nil {
			return fmt.Errorf("fields of %s: %w", r.URL.Path, err)
		}
		d := web.Document{Body: web.NewBody(body), Head: web.Head{Type: artifact.JSON, Cache: got.header.Get("Cache-Control"), Snapshot: got.header.Get("Assay-Snapshot"), Link: link}}
		return d.Write(w, r)
	}
}

// parse reads the names, in any order, and refuses those that no entry has.
func parse(values []string, shape Shape) ([]string, error) {
	known := shape.members()
	var wanted []string
	given := strings.Split(strings.Join(values, ","), ",")
	if len(given) > len(known) {
		return nil, web.Malformed(fmt.Sprintf("fields: %d names are given, an entry has %d members here", len(given), len(known)))
	}
	for _, name := range given {
		if name = strings.TrimSpace(name); !slices.Contains(known, name) {
			return nil, web.Malformed(fmt.Sprintf("fields: an entry has no member %q here; it has %s", web.Shorten(name), strings.Join(known, ", ")))
		}
		if !slices.Contains(wanted, name) {
			wanted = append(wanted, name)
		}
	}
	return wanted, nil
}

// ask gives the whole answer.
func ask(whole web.Handler, r *http.Request, values url.Values) (*answer, error) {
	inner := r.Clone(r.Context())
	values = url.Values(http.Header(values).Clone())
	values.Del(wire.Fields)
	inner.Method, inner.URL.RawQuery = http.MethodGet, values.Encode()
	for _, name := range []string{"Accept-Encoding", "Range", "If-Range", "If-None-Match", "If-Modified-Since", "If-Match", "If-Unmodified-Since"} {
		inner.Header.Del(name)
	}
	inner.Header.Set("Accept", wire.MediaJSON)
	a := &answer{header: http.Header{}}
	if err := whole(a, inner); err != nil {
		return nil, err
	}
	if a.status == 0 {
		a.status = http.StatusOK
	}
	return a, nil
}

// answer keeps what a handler writes.
type answer struct {
	header http.Header
	status int
	body   bytes.Buffer
}

// Header implements http.ResponseWriter.
func (a *answer) Header() http.Header { return a.header }

// Write implements http.ResponseWriter.
func (a *answer) Write(p []byte) (int, error) { return a.body.Write(p) }

// WriteHeader implements http.ResponseWriter.
func (a *answer) WriteHeader(status int) {
	if a.status == 0 {
		a.status = status
	}
}

// pass hands on an answer that is no success; where it leads elsewhere, the fields go along.
func (a *answer) pass(w http.ResponseWriter, wanted []string) error {
	for name, values := range a.header {
		w.Header()[name] = values
	}
	if to := a.header.Get("Location"); to != "" {
		w.Header().Set("Location", with(to, wanted))
	}
	w.WriteHeader(a.status)
	_, _ = w.Write(a.body.Bytes())
	return nil
}

// pinned is the address of a page of the default list, which is a document and takes no
// parameters; the list answers the same of its snapshot.
var pinned = regexp.MustCompile(`/s/([0-9a-f-]+)(/api/v1/entries)/pages/([0-9]+)$`)

// with is an address that asks for the fields, too.
func with(address string, wanted []string) string {
	address = pinned.ReplaceAllString(address, "$2?page=$3&snapshot=$1")
	join := "?"
	if strings.Contains(address, "?") {
		join = "&"
	}
	return address + join + wire.Fields + "=" + strings.Join(wanted, ",")
}

// member is one of an object, as it is written.
type member struct {
	name  string
	value json.RawMessage
}

// object are the members of an object in their order.
func object(data []byte) ([]member, error) {
	d := json.NewDecoder(bytes.NewReader(data))
	if t, err := d.Token(); err != nil || t != json.Delim('{') {
		return nil, errors.Join(errors.New("the answer is no object"), err)
	}
	var out []member
	for d.More() {
		name, err := d.Token()
		if err != nil {
			return nil, err
		}
		m := member{name: name.(string)} //nolint:forcetypeassert // names are strings (RFC 8259, section 4)
		if err := d.Decode(&m.value); err != nil {
			return nil, err
		}
		out = append(out, m)
	}
	return out, nil
}

// write is the object of members.
func write(b []byte, list []member) []byte {
	b = append(b, '{')
	for i, m := range list {
		if i > 0 {
			b = append(b, ',')
		}
		b = append(append(append(append(b, '"'), m.name...), '"', ':'), m.value...)
	}
	return append(b, '}')
}

// some is the answer with the wanted members of its entries, and the Link header of its links.
func some(data []byte, wanted []string, shape Shape) (body []byte, link string, err error) {
	all, err := object(data)
	if err != nil {
		return nil, "", err
	}
	var changed time.Time
	out := all[:0]
	for _, m := range all {
		switch {
		case m.name == "manifest":
			var seal struct {
				At time.Time `json:"created_at"`
			}
			if err := json.Unmarshal(m.value, &seal); err != nil {
				return nil, "", err
			}
			changed = seal.At
			continue
		case shape == Entry && !slices.Contains(wanted, m.name):
			continue
		case shape != Entry && m.name == "items":
			m.value, err = items(m.value, wanted, shape)
		case shape != Entry && m.name == "field_provenance":
			m.value, err = item(m.value, wanted, List)
		case shape != Entry && m.name == "links":
			m.value, link, err = links(m.value, wanted)
		}
		if err != nil {
			return nil, "", err
		}
		out = append(out, m)
	}
	body, err = wire.SealBytes(write(nil, out), changed, true)
	return body, link, err
}

func items(data []byte, wanted []string, shape Shape) (json.RawMessage, error) {
	var list []json.RawMessage
	if err := json.Unmarshal(data, &list); err != nil {
		return nil, err
	}
	for i := range list {
		made, err := item(list[i], wanted, shape)
		if err != nil {
			return nil, err
		}
		list[i] = made
	}
	b := []byte{'['}
	for i := range list {
		if i > 0 {
			b = append(b, ',')
		}
		b = append(b, list[i]...)
	}
	return append(b, ']'), nil
}

// item is a result with the wanted members of its entry.
func item(data []byte, wanted []string, shape Shape) (json.RawMessage, error) {
	all, err := object(data)
	if err != nil {
		return nil, err
	}
	if shape == Found {
		for i := range all {
			if all[i].name == "entry" {
				all[i].value, err = item(all[i].value, wanted, List)
			}
		}
		return write(nil, all), err
	}
	all = slices.DeleteFunc(all, func(m member) bool { return !slices.Contains(wanted, m.name) })
	return write(nil, all), nil
}

func links(data []byte, wanted []string) (json.RawMessage, string, error) {
	var l wire.Links
	if err := json.Unmarshal(data, &l); err != nil {
		return nil, "", err
	}
	l.Self, l.First, l.Last = with(l.Self, wanted), with(l.First, wanted), with(l.Last, wanted)
	for _, to := range []*string{l.Prev, l.Next} {
		if to != nil {
			*to = with(*to, wanted)
		}
	}
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	err := e.Encode(&l)
	return bytes.TrimSpace(b.Bytes()), web.Link(l), err
}
