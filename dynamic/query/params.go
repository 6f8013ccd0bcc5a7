package query

import (
	"cmp"
	"fmt"
	"maps"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/assay-register/assay/render/catalog"
	"github.com/assay-register/assay/render/search"
	"github.com/assay-register/assay/render/snapshot"
	"github.com/assay-register/assay/render/wire"
)

// Bounds of one request.
const (
	wordsMax  = 20
	errorsMax = 50
)

// Request is a list or facets request that was found valid.
type Request struct {
	Query       snapshot.Query
	Page, Limit int
	// Words must all occur in an entry, each as the beginning of a word.
	Words []string
	// State narrows a list of institutions to those of one state, "" for all.
	State catalog.InstitutionState
	// LessRelevant asks a search for the results that fit much less well, too.
	LessRelevant bool
	// Snapshot is the id that the reader names, or "".
	Snapshot string
	// normal holds filters and order in their normal form, so that requests
	// with the same meaning are one; "" is the default list.
	normal string
}

// String is the normal form: requests with the same answer are equal.
func (r *Request) String() string {
	return "page=" + strconv.Itoa(r.Page) + "&limit=" + strconv.Itoa(r.Limit) + r.normal
}

// ParseList reads the parameters of the list. All errors come together.
func ParseList(values url.Values) (*Request, error) {
	return parse(values, listParams())
}

func listParams() []wire.Param { return append(wire.PagingParams(), wire.FilterParams()...) }

// ParseFacets reads the parameters of the facets: the filters of the list.
func ParseFacets(values url.Values) (*Request, error) { return parse(values, wire.FacetParams()) }

// ParseInstitutions reads the parameters of the list of institutions.
func ParseInstitutions(values url.Values) (*Request, error) {
	return parse(values, wire.InstitutionListParams())
}

// ParseChanges reads the parameters of a page of the DCAT-AP catalogue; the
// time stands in Query.UpdatedSince.
func ParseChanges(values url.Values) (*Request, error) { return parse(values, wire.ChangesParams()) }

// ParseExport accepts the parameters of the CSV export, of which there is one:
// it asks for the safe variant.
func ParseExport(values url.Values) error {
	_, err := parse(values, wire.ExportParams())
	return err
}

// Check judges the parameters of an operation that reads them itself.
func Check(values url.Values, params []wire.Param) error {
	_, err := parse(values, params)
	return err
}

// ParseLogProof reads the entry, an id or slug, that a proof of the log is asked for.
func ParseLogProof(values url.Values) (entry string, err error) {
	if _, err := parse(values, wire.LogProofParams()); err != nil {
		return "", err
	}
	if entry = values.Get("entry"); entry == "" {
		return "", &paramsError{[]wire.ProblemError{{Location: "query.entry", Message: "name the id or slug of an entry"}}}
	}
	return entry, nil
}

// ParseNone accepts no parameters at all.
func ParseNone(values url.Values) error {
	_, err := parse(values, nil)
	return err
}

// parser collects what is right and what is wrong.
type parser struct {
	values url.Values
	out    *Request
	order  string // sort_order, or ""
	pairs  []string
	errors []wire.ProblemError
}

func parse(values url.Values, params []wire.Param) (*Request, error) {
	p := &parser{values: values, out: &Request{Page: wire.DefaultPage, Limit: wire.DefaultLimit}}
	for i := range params {
		p.param(&params[i])
	}
	p.unknown(params)
	if values.Has("country") && values.Has("country_code") {
		p.wrong("country", values.Get("country"), "another name of country_code; give one of them")
	}
	if len(p.errors) > 0 {
		return nil, &paramsError{p.errors}
	}
	p.sort(snapshot.SortRanking)
	p.out.normal = strings.Join(p.pairs, "")
	return p.out, nil
}

func (p *parser) wrong(name, value, message string) {
	if len(p.errors) < errorsMax {
		p.errors = append(p.errors, wire.ProblemError{Location: "query." + shorten(name), Message: message, Value: shorten(value)})
	}
}

// unknown refuses parameters that the operation does not have.
func (p *parser) unknown(params []wire.Param) {
	names := make([]string, len(params))
	for i := range params {
		names[i] = params[i].Name
	}
	message := "unknown parameter; known are " + strings.Join(names, ", ")
	if len(names) == 0 {
		message = "unknown parameter; this resource has none"
	}
	for _, name := range slices.Sorted(maps.Keys(p.values)) {
		if !slices.Contains(names, name) {
			p.wrong(name, p.values.Get(name), message)
		}
	}
}

// param reads one parameter if it is there.
func (p *parser) param(d *wire.Param) {
	list := p.values[d.Name]
	if len(list) == 0 {
		return
	}
	if len(list) > 1 {
		p.wrong(d.Name, list[1], "given more than once; separate several values of a filter by commas")
		return
	}
	switch value := list[0]; d.Kind {
	case wire.KindInteger:
		p.integer(d, value)
	case wire.KindBoolean:
		p.boolean(d, value)
	case wire.KindList:
		p.list(d, value)
	default:
		p.text(d, value)
	}
}

func (p *parser) integer(d *wire.Param, value string) {
	top := cmp.Or(d.Max, wire.MaxInteger)
	n, err := strconv.ParseUint(value, 10, 63)
	if err != nil || n < uint64(d.Min) || n > uint64(top) {
		p.wrong(d.Name, value, fmt.Sprintf("use an integer from %d to %d", d.Min, top))
		return
	}
	if d.Name == "page" {
		p.out.Page = int(n)
	} else {
		p.out.Limit = int(n)
	}
}

func (p *parser) boolean(d *wire.Param, value string) {
	if value != "true" && value != "false" {
		p.wrong(d.Name, value, "use true or false")
		return
	}
	if d.Name == wire.LessRelevant {
		if p.out.LessRelevant = value == "true"; p.out.LessRelevant {
			p.normal(d.Name, value)
		}
		return
	}
	p.narrow(d.Name, []string{value})
	p.normal(d.Name, value)
}

// list reads a filter of several values.
func (p *parser) list(d *wire.Param, value string) {
	parts := strings.Split(value, ",")
	if len(parts) > wire.ValuesMax {
		p.wrong(d.Name, value, fmt.Sprintf("use at most %d values", wire.ValuesMax))
		return
	}
	for i, part := range parts {
		parts[i] = strings.TrimSpace(part)
		if remedy := refuse(d, parts[i]); remedy != "" {
			p.wrong(d.Name, parts[i], remedy)
			return
		}
	}
	name := d.Name
	switch name {
	case "country", "country_code":
		name, parts = "country_code", mapped(parts, strings.ToUpper)
	case "institution_id", "series":
		parts = mapped(parts, strings.ToLower)
	}
	slices.Sort(parts)
	parts = slices.Compact(parts)
	p.narrow(name, parts)
	if name == "status" && len(parts) == 1 && parts[0] == string(catalog.StatusActive) {
		return
	}
	p.normal(name, parts...)
}

// refuse tells what is wrong with one value, "" if it may be used.
func refuse(d *wire.Param, value string) string {
	switch {
	case d.Bare && value == "":
		return ""
	case len(d.Enum) > 0 && !slices.Contains(d.Enum, value):
		return "use one of " + strings.Join(d.Enum, ", ")
	case value == "":
		return "use a value that is not empty"
	case d.Pattern != "" && !matches(d.Pattern, value):
		return "use " + d.Means
	case d.Format == "uuid" && !catalog.IsID(strings.ToLower(value)):
		return "use an id, a UUID"
	}
	return ""
}

// patterns are compiled once; there are as many as parameters with one.
var patterns = func() map[string]*regexp.Regexp {
	out := map[string]*regexp.Regexp{}
	for _, op := range wire.Operations() {
		for _, d := range op.Params {
			if d.Pattern != "" && out[d.Pattern] == nil {
				out[d.Pattern] = regexp.MustCompile(d.Pattern)
			}
		}
	}
	return out
}()

func matches(pattern, value string) bool { return patterns[pattern].MatchString(value) }

func mapped(list []string, f func(string) string) []string {
	for i := range list {
		list[i] = f(list[i])
	}
	return list
}

// period reads an end of the period that data covers: a year, a month or a day, which counts
// as a whole. A day that its month does not have is the last one that it has.
func (p *parser) period(d *wire.Param, value string) {
	number := func(from, to, missing int) int {
		if len(value) < to {
			return missing
		}
		n, _ := strconv.Atoi(value[from:to]) // the pattern has digits there
		return n
	}
	year, month := number(0, 4, 0), number(5, 7, 1)
	first := time.Date(year, time.Month(month), 1, 0, 0, 0, 0, time.UTC)
	after := first.AddDate(1, 0, 0)
	switch len(value) {
	case len("2013-06"):
		after = first.AddDate(0, 1, 0)
	case len("2013-06-30"):
		last := first.AddDate(0, 1, -1).Day()
		first = first.AddDate(0, 0, min(number(8, 10, 1), last)-1)
		after = first.AddDate(0, 0, 1)
	}
	if d.Name == "period_start" {
		p.out.Query.Since = first
	} else {
		p.out.Query.Until = after.Add(-time.Second)
	}
	p.normal(d.Name, value)
}

// text reads a parameter of one value.
func (p *parser) text(d *wire.Param, value string) {
	if d.Name == "search" {
		p.search(d, value)
		return
	}
	if remedy := refuse(d, value); remedy != "" {
		p.wrong(d.Name, value, remedy)
		return
	}
	switch d.Name {
	case "sort_by":
		if value != wire.SortRelevance {
			p.out.Query.Sort = snapshot.SortKey(value)
		}
	case "sort_order":
		p.order = value
	case "snapshot":
		p.out.Snapshot = value
	case "state":
		p.out.State = catalog.InstitutionState(value)
		p.normal(d.Name, value)
	case "period_start", "period_end":
		p.period(d, value)
	case "updated_since", "modified_since":
		p.since(d, value)
	}
}

// search keeps the distinct words, so that spellings of the same search are
// one request.
func (p *parser) search(d *wire.Param, value string) {
	words := search.Terms(value)
	if len(words) > wordsMax {
		p.wrong(d.Name, value, fmt.Sprintf("use at most %d words", wordsMax))
		return
	}
	if len(words) > 0 {
		p.out.Words = words
		p.normal(d.Name, strings.Join(words, " "))
	}
}

// since reads an instant or the beginning of a UTC day. The register counts
// whole seconds.
func (p *parser) since(d *wire.Param, value string) {
	t, err := time.Parse(time.RFC3339, value)
	if err != nil {
		t, err = time.Parse(time.DateOnly, value)
	}
	if t.Nanosecond() > 0 {
		t = t.Truncate(time.Second).Add(time.Second)
	}
	if t = t.UTC(); err != nil || t.Year() < 0 || t.Year() > 9999 {
		p.wrong(d.Name, value, "use a time like 2026-01-31T00:00:00Z or a date like 2026-01-31; write + as %2B")
		return
	}
	p.out.Query.UpdatedSince = t
	p.normal(d.Name, t.Format(time.RFC3339))
}

// sort completes the order; the usual key, and the natural order of each, are not written
// into links.
func (p *parser) sort(usual snapshot.SortKey) {
	q := &p.out.Query
	q.Sort = cmp.Or(q.Sort, usual)
	natural := descends(q.Sort)
	q.Desc = natural
	if p.order != "" {
		q.Desc = p.order == "desc"
	}
	if q.Sort != usual {
		p.normal("sort_by", string(q.Sort))
	}
	if q.Desc != natural {
		p.normal("sort_order", p.order)
	}
}

// descends tells the order that a reader expects of a key: scores and times
// from the top, names and latencies from the bottom.
func descends(key snapshot.SortKey) bool {
	return key != snapshot.SortName && key != snapshot.SortLatency
}

// normal appends a parameter to the normal form.
func (p *parser) normal(name string, values ...string) {
	coded := make([]string, len(values))
	for i, v := range values {
		coded[i] = url.QueryEscape(v)
	}
	p.pairs = append(p.pairs, "&"+name+"="+strings.Join(coded, ","))
}

func shorten(s string) string {
	if len(s) <= 100 {
		return s
	}
	return strings.ToValidUTF8(s[:100], "") + "…"
}
