package main

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"sync"
)

// rules are what is asked of each page, by name.
var rules = []struct {
	name  string
	judge func(*subject)
}{
	{"language", language}, {"terms", terms}, {"rights", rights}, {"access", access}, {"answers", answers}, {"dates", dates}, {"buttons", buttons}, {"files", files},
	{"structured data", structured}, {"figures of the data", figures}, {"columns", columns}, {"spread", spreads}, {"pictures", pictures}, {"calls", calls},
	{"uptime", uptime}, {"scores", scores}, {"officialness", officialness}, {"maturity", rungs}, {"badges", badges}, {"contract", contract}, {"history", history},
	{"neighbours", neighbours}, {"origins", origins}, {"percentages", percentages}, {"contents", contents}, {"code", code},
}

// acrossLanguages is the rule that the pages of an entry say the same figures in each language,
// oneWord that a language has one word for each thing.
const acrossLanguages, oneWord = "languages among each other", "one word for one thing"

// subject is one page beside what the register publishes of its entry.
type subject struct {
	*words
	lang, route string
	page        *node
	graph       map[string]any
	entry       *entry
	score       *score
	origins     map[string][]string
	badges      map[string]string
	states      map[string]string
	forms       forms
	rule        string
	faults      []string
	compared    map[string]int
	// first is what the first button gets, code are the labels and hashes of what gets it.
	first string
	code  []string
	// said are the figures that were read, and named the words by what they name.
	said  []string
	named [][3]string
}

// same is a comparison: what is named differs if it is not ok.
func (s *subject) same(ok bool, format string, args ...any) {
	s.compared[s.rule]++
	if !ok {
		s.faults = append(s.faults, s.rule+": "+fmt.Sprintf(format, args...))
	}
}

// value reads a number that all languages must say alike.
func (s *subject) value(what, text string) float64 {
	n, err := s.number(text)
	if err != nil {
		s.same(false, "%s: %q is no number", what, text)
	}
	s.say(what, n)
	return n
}

func (s *subject) count(what, text string) int { return int(s.value(what, text)) }

// say notes what all languages must say alike.
func (s *subject) say(what string, v any) {
	s.said = append(s.said, fmt.Sprint(s.rule, ", ", what, ": ", v))
}

// word notes how the language names a thing.
func (s *subject) word(kind, thing, name string) {
	s.named = append(s.named, [3]string{s.lang + " " + kind, thing, name})
}

// report is what was found.
type report struct {
	mu       sync.Mutex
	pages    int
	faults   map[string][]string
	compared map[string]int
	// names have the words for each thing by language and kind, with a page that says so.
	names map[string]map[string]map[string]string
}

func newReport() *report {
	return &report{faults: map[string][]string{}, compared: map[string]int{}, names: map[string]map[string]map[string]string{}}
}

// judge reads the pages of an entry.
func (r *report) judge(from site, id string, states map[string]string, code forms) {
	list, err := subjects(from, id, subject{states: states, forms: code})
	if err != nil {
		r.fault("/api/v1/entries/"+id, err.Error())
		return
	}
	for _, s := range list {
		s.judge()
	}
	compare(list)
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, s := range list {
		r.add(s)
	}
}

// judge asks every rule.
func (s *subject) judge() {
	for _, rule := range rules {
		s.rule = rule.name
		rule.judge(s)
	}
}

// compare holds the pages of other languages to the first.
func compare(list []*subject) {
	for _, s := range list[1:] {
		s.rule = acrossLanguages
		first := list[0]
		s.same(slices.Equal(s.said, first.said), "other figures than in %s: %s", first.lang, difference(s.said, first.said))
		if s.first == first.first {
			s.same(slices.Equal(s.code, first.code), "other code than in %s: %s", first.lang, difference(s.code, first.code))
		}
	}
}

func difference(a, b []string) string {
	for i := range min(len(a), len(b)) {
		if a[i] != b[i] {
			return fmt.Sprintf("%q, not %q", a[i], b[i])
		}
	}
	return fmt.Sprint(len(a), " of them, not ", len(b))
}

func (r *report) fault(route, what string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.faults[route] = append(r.faults[route], what)
}

// add takes over what was found on a page.
func (r *report) add(s *subject) {
	r.pages++
	if len(s.faults) > 0 {
		r.faults[s.route] = append(r.faults[s.route], s.faults...)
	}
	for rule, n := range s.compared {
		r.compared[rule] += n
	}
	for _, n := range s.named {
		things := r.names[n[0]]
		if things == nil {
			things = map[string]map[string]string{}
			r.names[n[0]] = things
		}
		if things[n[1]] == nil {
			things[n[1]] = map[string]string{}
		}
		if at := things[n[1]][n[2]]; at == "" || s.route < at {
			things[n[1]][n[2]] = s.route
		}
	}
}

// words are the faults of a language that has two words for a thing, or one for two.
func (r *report) words() (faults []string) {
	for kind, things := range r.names {
		of := map[string]string{}
		for _, thing := range slices.Sorted(maps.Keys(things)) {
			names := slices.Sorted(maps.Keys(things[thing]))
			r.compared[oneWord] += len(names)
			if len(names) > 1 {
				faults = append(faults, fmt.Sprintf("%s: %s: %s is called %q (%s) and %q (%s)", oneWord, kind, thing, names[0], things[thing][names[0]], names[1], things[thing][names[1]]))
			}
			if was := of[names[0]]; was != "" {
				faults = append(faults, fmt.Sprintf("%s: %s: %s and %s are both called %q", oneWord, kind, was, thing, names[0]))
			}
			of[names[0]] = thing
		}
	}
	slices.Sort(faults)
	return faults
}

// tell writes the report, and tells whether all is well.
func (r *report) tell(w io.Writer, all bool) bool {
	faults := r.words()
	for _, route := range slices.Sorted(maps.Keys(r.faults)) {
		for _, f := range r.faults[route] {
			faults = append(faults, route+": "+f)
		}
	}
	comparisons := 0
	var list []string
	for _, name := range ruleNames() {
		n := r.compared[name]
		comparisons += n
		list = append(list, fmt.Sprint(name, " ", n))
		if n == 0 && all {
			faults = append(faults, name+": had nothing to compare")
		}
	}
	for _, f := range faults {
		fmt.Fprintln(w, f)
	}
	fmt.Fprintf(w, "agree: %d pages, %d comparisons (%s), %d faults\n", r.pages, comparisons, strings.Join(list, ", "), len(faults))
	return len(faults) == 0 && r.pages > 0
}

func ruleNames() []string {
	names := []string{acrossLanguages, oneWord}
	for _, rule := range rules {
		names = append(names, rule.name)
	}
	return names
}

// subjects are the pages of an entry in each language; s has what all pages are held to.
func subjects(from site, id string, s subject) ([]*subject, error) {
	s.entry, s.score, s.origins, s.badges = &entry{}, &score{}, map[string][]string{}, map[string]string{}
	var provenance struct{ Fields []origin }
	at := "api/v1/entries/" + id
	if err := cmp.Or(from.object(at, s.entry), from.object(at+"/quality-score", s.score), from.object(at+"/provenance", &provenance)); err != nil {
		return nil, err
	}
	for _, f := range provenance.Fields {
		s.origins[f.Field] = append(s.origins[f.Field], f.Basis)
	}
	for _, kind := range []string{"score", "tier", "verified", "access", "type", "combined"} {
		said, err := from.badge(id, kind)
		if errors.Is(err, errLimited) {
			s.badges = nil
			break
		}
		if err != nil {
			return nil, err
		}
		s.badges[kind] = said
	}
	var list []*subject
	for _, lang := range langs {
		x := s
		x.lang, x.words, x.route, x.compared = lang, vocabulary[lang], "/entry/"+s.entry.Slug, map[string]int{}
		if lang != langs[0] {
			x.route = "/" + lang + x.route
		}
		b, err := from.get(strings.TrimPrefix(x.route, "/"), "index.html")
		if err == nil && b == nil {
			err = fmt.Errorf("%s is not there", x.route)
		}
		if err == nil {
			err = x.open(b)
		}
		if err != nil {
			return nil, err
		}
		list = append(list, &x)
	}
	return list, nil
}

// open reads a page and the structured data in it.
func (s *subject) open(b []byte) (err error) {
	if s.page, err = parse(b); err != nil {
		return err
	}
	for _, x := range s.page.all("script") {
		if x.attr("type") == "application/ld+json" && x.FirstChild != nil {
			return json.Unmarshal([]byte(x.FirstChild.Data), &s.graph)
		}
	}
	return nil
}
