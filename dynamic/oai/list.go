package oai

import (
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/assay-register/assay/render/snapshot"
)

// selection is which records a list has (section 2.7), and where it goes on.
type selection struct {
	// verb is the one that the list was begun with: a token is no use to another (section 3.5).
	verb, prefix, set string
	// from and until are inclusive Unix seconds, 0 for none.
	from, until int64
	snapshot    string
	// place is among the entries in id order and then those that left.
	place int
}

// token writes a selection so that it can be sent in an address as it is.
func (s *selection) token() string {
	return strings.Join([]string{s.verb, s.snapshot, s.prefix, s.set, strconv.FormatInt(s.from, 10), strconv.FormatInt(s.until, 10), strconv.Itoa(s.place)}, ",")
}

func parseToken(verb, token string) (s selection, bad *fault) {
	bad = faultf("badResumptionToken", "the token %q was not given by this repository for %s; begin the list again", token, verb)
	parts := strings.Split(token, ",")
	if len(parts) != 7 || parts[0] != verb || !snapshot.IsID(parts[1]) {
		return s, bad
	}
	var err [3]error
	s.verb, s.snapshot, s.prefix, s.set = verb, parts[1], parts[2], parts[3]
	s.from, err[0] = strconv.ParseInt(parts[4], 10, 64)
	s.until, err[1] = strconv.ParseInt(parts[5], 10, 64)
	s.place, err[2] = strconv.Atoi(parts[6])
	if err[0] != nil || err[1] != nil || err[2] != nil || s.place < 0 || s.prefix != prefixCore && s.prefix != prefixDCAT {
		return s, bad
	}
	return s, nil
}

// selection reads the arguments of a list.
func (q *request) selection() (s selection, bad *fault) {
	if q.args.Has("resumptionToken") {
		return parseToken(q.args.Get("verb"), q.args.Get("resumptionToken"))
	}
	s = selection{verb: q.args.Get("verb"), prefix: q.args.Get("metadataPrefix"), set: q.args.Get("set"), snapshot: q.s.ID}
	if s.prefix != prefixCore && s.prefix != prefixDCAT {
		return s, faultf("cannotDisseminateFormat", "the formats are %s and %s, not %q", prefixCore, prefixDCAT, s.prefix)
	}
	from, until := q.args.Get("from"), q.args.Get("until")
	if from != "" && until != "" && len(from) != len(until) {
		return s, faultf("badArgument", "from and until must have the same granularity")
	}
	var err error
	if s.from, err = date(from, 0); err == nil {
		s.until, err = date(until, 24*time.Hour-time.Second)
	}
	if err != nil {
		return s, faultf("badArgument", "%v", err)
	}
	if until != "" && s.until == 0 { // which stands for none
		s.until = -1
	}
	if from != "" && until != "" && s.from > s.until {
		return s, faultf("badArgument", "from %s is later than until %s", from, until)
	}
	return s, nil
}

// date reads a day or an instant in UTC (section 3.3.1); a day ends after more.
func date(raw string, more time.Duration) (int64, error) {
	if raw == "" {
		return 0, nil
	}
	if t, err := time.Parse(time.DateOnly, raw); err == nil {
		return t.Add(more).Unix(), nil
	}
	// Parse takes fractions of a second, too, which no granularity of the protocol has.
	const instant = "2006-01-02T15:04:05Z"
	t, err := time.Parse(instant, raw)
	if err != nil || len(raw) != len(instant) {
		return 0, fmt.Errorf("%q is neither YYYY-MM-DD nor YYYY-MM-DDThh:mm:ssZ", raw)
	}
	return t.Unix(), nil
}

// fits tells whether a record with a datestamp belongs to the list.
func (s *selection) fits(at time.Time) bool {
	return at.Unix() >= s.from && (s.until == 0 || at.Unix() <= s.until)
}

// takes tells whether the list has the record at a place, which is that of an entry, or
// behind the entries of one that left. Nobody knows in which sets those were, so a list of
// any set has them.
func (q *request) takes(s *selection, place int) bool {
	if n := len(q.s.Lines); place >= n {
		return s.fits(q.s.Gone[place-n].At)
	}
	l := &q.s.Lines[place]
	return s.fits(changedAt(l)) && (s.prefix != prefixDCAT || l.LeftOut == "") && (s.set == "" || slices.Contains(setsOf(l), s.set))
}

// list writes a page of headers or records (sections 4.3 and 4.5).
func (q *request) list(r *http.Request, size int, full bool) error {
	s, bad := q.selection()
	if bad != nil {
		return bad
	}
	at, err := q.library.At(r.Context(), s.snapshot)
	if err != nil {
		if s.snapshot != q.s.ID {
			return faultf("badResumptionToken", "the snapshot of this list is no longer kept; begin the list again")
		}
		return err
	}
	q.s = at
	if bad := q.unknown(s.set); bad != nil {
		if q.args.Has("resumptionToken") {
			return faultf("badResumptionToken", "the token names a set that this repository does not have; begin the list again")
		}
		return bad
	}
	places, before, total := []int{}, 0, 0
	for place := range len(q.s.Lines) + len(q.s.Gone) {
		if !q.takes(&s, place) {
			continue
		}
		total++
		if place < s.place {
			before++
		} else if len(places) <= size {
			places = append(places, place)
		}
	}
	if total == 0 {
		return faultf("noRecordsMatch", "no record fits the arguments")
	}
	next := ""
	if len(places) > size {
		s.place = places[size]
		next, places = s.token(), places[:size]
	}
	for _, place := range places {
		if err := q.write(&s, place, full); err != nil {
			return err
		}
	}
	if next != "" || q.args.Has("resumptionToken") {
		fmt.Fprintf(&q.out, "<resumptionToken completeListSize=\"%d\" cursor=\"%d\">%s</resumptionToken>\n", total, before, escape(next))
	}
	return nil
}

func (q *request) write(s *selection, place int, full bool) error {
	if n := len(q.s.Lines); place >= n {
		q.header(&q.s.Gone[place-n], nil, full)
		return nil
	}
	return q.entry(&q.s.Lines[place], s.prefix, full)
}

// setsOf are the sets of an entry: its type and its country.
func setsOf(l *snapshot.Line) []string {
	sets := []string{"type", "type:" + strings.ToLower(string(l.Type))}
	if l.Country != "" {
		sets = append(sets, "country", "country:"+l.Country)
	}
	return sets
}

// unknown refuses a set that ListSets does not have: its records that left are not known.
func (q *request) unknown(set string) error {
	if set == "" || slices.ContainsFunc(q.s.Lines, func(l snapshot.Line) bool { return slices.Contains(setsOf(&l), set) }) {
		return nil
	}
	switch kind, _, below := strings.Cut(set, ":"); {
	case kind != "type" && kind != "country":
		return faultf("badArgument", "%q is no set; ListSets has them", set)
	case below:
		return faultf("noRecordsMatch", "the repository has no set %q; ListSets has them", set)
	}
	return nil
}

// sets lists them (section 4.6). There are few, so the list has one page.
func (q *request) sets() error {
	if q.args.Has("resumptionToken") {
		return faultf("badResumptionToken", "the list of sets has one page")
	}
	all := map[string]string{"type": "By type of entry", "country": "By country"}
	for i := range q.s.Lines {
		for _, set := range setsOf(&q.s.Lines[i]) {
			if kind, value, ok := strings.Cut(set, ":"); ok {
				all[set] = strings.ToUpper(kind[:1]) + kind[1:] + " " + value
			}
		}
	}
	for _, spec := range slices.Sorted(maps.Keys(all)) {
		fmt.Fprintf(&q.out, "<set><setSpec>%s</setSpec><setName>%s</setName></set>\n", escape(spec), escape(all[spec]))
	}
	return nil
}
