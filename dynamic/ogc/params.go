package ogc

import (
	"errors"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/assay-register/assay/dynamic/query"
	"github.com/assay-register/assay/dynamic/web"
	"github.com/assay-register/assay/render/catalog"
	"github.com/assay-register/assay/render/wire"
)

// check refuses parameters that an operation does not have and that stand twice (OGC API -
// Common, part 1, "unknown query parameters").
func check(r *http.Request, params []wire.Param) error {
	values, err := web.DecodeQuery(r.URL.RawQuery)
	if err != nil {
		return err
	}
	for name, list := range values {
		known := name == "f" || slices.ContainsFunc(params, func(p wire.Param) bool { return p.Name == name })
		if !known {
			return web.Malformed("There is no parameter " + web.Shorten(name) + " here.")
		}
		if len(list) != 1 {
			return web.Malformed("The parameter " + name + " stands more than once.")
		}
	}
	if f := values.Get("f"); f != "" && f != "json" {
		return web.Malformed("The one form is f=json.")
	}
	if l := values.Get("filter-lang"); l != "" && l != "cql2-text" {
		return web.Malformed("The one language of filters is cql2-text.")
	}
	return nil
}

// refused is the 400 that the standards want for a parameter that cannot be read.
func refused(name, detail string) error {
	return &web.Error{Problem: wire.Problem{Status: http.StatusBadRequest, Detail: detail, Errors: []wire.ProblemError{{Location: "query." + name, Message: detail}}}}
}

// selection makes what is looked for of the parameters. An error shows the value that it is about.
func selection(s *query.Snapshot, values url.Values) (*query.Selection, error) {
	q, err := read(s, values)
	if e := (*web.Error)(nil); errors.As(err, &e) {
		for i := range e.Problem.Errors {
			x := &e.Problem.Errors[i]
			x.Value = web.Shorten(values.Get(strings.TrimPrefix(x.Location, "query.")))
		}
	}
	return q, err
}

func read(s *query.Snapshot, values url.Values) (*query.Selection, error) {
	q := &query.Selection{Values: url.Values{}, Limit: wire.OGCRecordsDefault}
	var where []query.Condition
	var err error
	if q.Limit, err = number(values, "limit", wire.OGCRecordsDefault, 1); err != nil {
		return nil, err
	}
	q.Limit = min(q.Limit, wire.OGCRecordsMax) // Features, part 1, requirement 22: more is answered with what is allowed
	if q.Offset, err = number(values, "offset", 0, 0); err != nil {
		return nil, err
	}
	if text := strings.TrimSpace(values.Get("q")); strings.Contains(text, ",") {
		var any []query.Condition
		for term := range strings.SplitSeq(text, ",") {
			if term = strings.TrimSpace(term); term != "" {
				any = append(any, query.Says(term))
			}
		}
		where = append(where, query.Either(any...))
	} else if text != "" {
		q.Values.Set("q", text)
	}
	filter := func(text string) (query.Condition, error) { return parseCQL(text, properties(s.Licences)) }
	for _, p := range []struct {
		name string
		make func(string) (query.Condition, error)
	}{{"type", ofType}, {"ids", ofIDs}, {"bbox", ofBox}, {"datetime", ofTime}, {"filter", filter}} {
		text := values.Get(p.name)
		if text == "" {
			continue
		}
		c, err := p.make(text)
		if err != nil {
			return nil, err
		}
		where = append(where, c)
	}
	q.Where = query.Every(where...)
	q.Order, err = order(values.Get("sortby"))
	return q, err
}

func number(values url.Values, name string, usual, least int) (int, error) {
	text := values.Get(name)
	if text == "" {
		return usual, nil
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < least || n > wire.MaxInteger {
		return 0, refused(name, name+" is a whole number of at least "+strconv.Itoa(least)+".")
	}
	return n, nil
}

// resource is the type of a record. An MCP server is a service.
func resource(t catalog.EntryType) string {
	if t == catalog.TypeDataset {
		return "dataset"
	}
	return "service"
}

func ofType(text string) (query.Condition, error) {
	list := strings.Split(text, ",")
	return query.Fits(func(l *line) bool { return slices.Contains(list, resource(l.Type)) }), nil
}

func ofIDs(text string) (query.Condition, error) {
	ids := map[string]bool{}
	for id := range strings.SplitSeq(text, ",") {
		ids[strings.TrimSpace(id)] = true
	}
	return query.Fits(func(l *line) bool { return ids[l.ID] }), nil
}

func ofBox(text string) (query.Condition, error) {
	box, ok := parseBox(strings.Split(text, ","))
	if !ok {
		return query.Condition{}, refused("bbox", "bbox is west,south,east,north in degrees.")
	}
	return query.Fits(func(l *line) bool { return l.Box != nil && l.Box.Intersects(box) }), nil
}

// parseBox takes four numbers, or six with heights (OGC API - Features, part 1, 7.15.3).
func parseBox(parts []string) (catalog.Box, bool) {
	if len(parts) == 6 {
		parts = []string{parts[0], parts[1], parts[3], parts[4]}
	}
	return catalog.ParseBox(strings.Join(parts, ","))
}

// ofTime takes an instant or an interval (OGC API - Features, part 1, 7.15.4).
func ofTime(text string) (query.Condition, error) {
	from, to, interval := strings.Cut(text, "/")
	if !interval {
		to = from
	}
	first, ok1 := instant(from, false)
	last, ok2 := instant(to, true)
	if !ok1 || !ok2 || first > last || !interval && (from == ".." || from == "") {
		return query.Condition{}, refused("datetime", "datetime is an instant or start/end, such as 2020-01-01T00:00:00Z/.. .")
	}
	return query.Fits(func(l *line) bool {
		if l.From == 0 && l.To == 0 {
			return false
		}
		end := l.To
		if end == 0 {
			end = future
		}
		return end >= first && (l.From == 0 || l.From <= last)
	}), nil
}

// past and future are the ends of an open interval, in Unix seconds.
const (
	past   = -1 << 62
	future = 1 << 62
)

// instant reads a day, whose end is its last second, or an instant; ".." and "" are open.
func instant(text string, end bool) (int64, bool) {
	if text == ".." || text == "" {
		if end {
			return future, true
		}
		return past, true
	}
	if t, err := time.Parse(time.RFC3339, text); err == nil {
		return t.Unix(), true
	}
	t, err := time.Parse(time.DateOnly, text)
	if err != nil {
		return 0, false
	}
	if end {
		return t.AddDate(0, 0, 1).Unix() - 1, true
	}
	return t.Unix(), true
}

// order reads sortby (OGC API - Records, "sorting"). A plus that was not escaped is a space.
func order(text string) (keys []query.Key, err error) {
	for name := range strings.SplitSeq(text, ",") {
		if strings.TrimSpace(name) == "" {
			continue
		}
		name, descending := strings.CutPrefix(strings.TrimSpace(name), "-")
		key, known := orders[strings.TrimPrefix(name, "+")]
		if !known {
			return nil, refused("sortby", "sortby takes title, type, created, updated and id, not "+web.Shorten(name)+".")
		}
		key.Desc = descending
		keys = append(keys, key)
	}
	if len(keys) > 0 {
		keys = append(keys, orders["id"]) // pages must not overlap
	}
	return keys, nil
}
