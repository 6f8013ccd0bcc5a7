package main

import (
	"regexp"
	"strings"
	"time"
)

// split are the two halves of the line of access: how one gets in, and whether it answers.
func (s *subject) split() (class, answer string) {
	line := s.page.at("li.access").text()
	for key, words := range s.words.access {
		if rest, ok := strings.CutPrefix(line, words+", "); ok && len(words) > len(s.words.access[class]) {
			class, answer = key, rest
		}
	}
	return class, answer
}

var secret = regexp.MustCompile(`\b(TOKEN|PASSWORD)\b`)

// access: who gets in is said as the register knows it, and code and structured data do not ask for more or less.
func access(s *subject) {
	class, _ := s.split()
	want := s.entry.Class
	if want == "UNKNOWN" && s.entry.Rights != nil {
		want = *s.entry.Rights
	}
	s.same(class == want, "says %q of %s", s.page.at("li.access").text(), want)
	open := class == "FREE_NO_AUTH"
	s.same(!open || s.entry.Auth == "NONE" || s.entry.Auth == "UNKNOWN", "says that no key is asked, and authentication is by %s", s.entry.Auth)
	s.same(!open || !secret.MatchString(s.page.at(".samples").text()), "says that no key is asked, and its code sends one")
	if free, stated := s.graph["isAccessibleForFree"].(bool); stated {
		s.same(free == strings.HasPrefix(class, "FREE"), "says %q, and in structured data that it is free: %v", class, free)
	}
	if offer, _ := s.graph["offers"].(map[string]any); offer["price"] == "0" {
		s.same(strings.HasPrefix(class, "FREE"), "says %q, and in structured data that it costs nothing", class)
	}
}

// answers: whether it answers is said as the state says, of the same day, and the cell of the state agrees.
func answers(s *subject) {
	_, text := s.split()
	c := s.entry.Check
	var form *regexp.Regexp
	var day string
	switch {
	case c == nil:
		form = s.unchecked
	case on(c.Succeeded) == "":
		form, day = s.never, on(&c.At)
	default:
		form, day = map[string]*regexp.Regexp{"VERIFIED": s.answered, "STALE": s.last, "FAILING": s.fails}[s.entry.State], on(c.Succeeded)
	}
	m := form.FindStringSubmatch(text)
	s.same(m != nil, "says %q of what is %s", text, s.entry.State)
	if len(m) > 1 {
		at := s.day(m[1])
		s.same(on(&at) == day, "says %q, which was %s", text, day)
		s.say("day", day)
	}
	cell := s.cells()[1]
	s.word("state", s.entry.State, cell.at("b").text())
	if c == nil {
		return
	}
	if line := cell.at("span.small"); line != nil {
		at := s.day(line.text())
		s.same(at.Equal(c.At.Truncate(24*time.Hour)), "says %q, and was checked %s", line.text(), on(&c.At))
	}
	good := cell.classed("s-ok")
	s.same(good == (s.entry.State == "VERIFIED"), "colours %s as well: %v", s.entry.State, good)
	facts := cell.terms()
	if dd := facts[s.latency]; dd != nil && c.P50 != nil && c.P95 != nil {
		list := whole.FindAllString(dd.text(), -1)
		s.same(len(list) == 3 && atoi(list[0]) == *c.P50 && atoi(list[2]) == *c.P95 && *c.P50 <= *c.P95, "says %q, measured are %d and %d ms", dd.text(), *c.P50, *c.P95)
	}
	for _, dd := range facts {
		if strings.Contains(dd.text(), c.Method+" http") {
			s.same(strings.HasPrefix(c.Method+" "+c.URL, strings.TrimSuffix(dd.text(), "…")), "says that %s is checked, and %s is", dd.text(), c.URL)
		}
		if code, ok := strings.CutPrefix(dd.text(), "HTTP "); ok && c.HTTP != nil {
			s.same(atoi(code[:3]) == *c.HTTP, "says %q, the answer was %d", dd.text(), *c.HTTP)
		}
	}
}

// dates: what was changed by the publisher, found and listed is said of its day, in order, and as text and markup alike.
func dates(s *subject) {
	e := s.entry
	s.same(!e.Updated.Before(e.Created), "was updated %s before it was found %s", e.Updated, e.Created)
	at := s.day(s.page.at("li.fresh").text())
	s.same(on(&at) == on(e.SourceModified), "says %q, changed %s", s.page.at("li.fresh").text(), on(e.SourceModified))
	for _, t := range s.page.all("time") {
		if shown := s.day(t.text()); !shown.IsZero() {
			s.same(t.attr("datetime") == on(&shown), "says %q of %s", t.text(), t.attr("datetime"))
		} else {
			s.same(strings.HasPrefix(t.text(), t.attr("datetime")[:10]), "says %q of %s", t.text(), t.attr("datetime"))
		}
		s.say("day", t.attr("datetime"))
	}
}

// history: changes stand newest first, and it was listed when the register says.
func history(s *subject) {
	last, listed := "9", false
	for _, li := range s.page.at("section#checks", "ul.changes").all("li") {
		day := li.at("time").attr("datetime")
		s.same(day <= last, "%s stands after %s", day, last)
		last, listed = day, listed || day == on(s.entry.Published)
	}
	if s.entry.Published != nil && last != "9" && len(s.page.at("section#checks", "ul.changes").all("li")) < 5 {
		s.same(listed, "was listed %s, which is not among its changes", on(s.entry.Published))
	}
	s.same(s.entry.Status != "DEPRECATED" || s.page.at("div.e-head", "p.note") != nil, "does not warn of what is %s", s.entry.Status)
	for _, warn := range s.page.all("p.note") {
		for _, day := range s.days(warn.words(true)) {
			s.same(on(&day) == on(s.entry.Sunset) || on(&day) == on(s.entry.Deprecation), "warns of %s", on(&day))
		}
	}
}
