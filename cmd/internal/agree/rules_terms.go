package main

import (
	"regexp"
	"strings"
)

// language: the page says in which language it is and where it is in the others, and is that one.
func language(s *subject) {
	s.same(s.page.at("html").attr("lang") == s.lang, "is in %q", s.page.at("html").attr("lang"))
	named := map[string]string{}
	for _, l := range s.page.all("link") {
		if l.attr("hreflang") != "" {
			named[l.attr("hreflang")] = l.attr("href")
		}
		if l.attr("rel") == "canonical" {
			s.same(strings.HasSuffix(l.attr("href"), s.route), "calls itself %s", l.attr("href"))
		}
	}
	for _, a := range s.page.all("nav.langs")[0].all("a") {
		s.same(strings.HasSuffix(named[a.attr("lang")], a.attr("href")), "is %q in %s, and leads there to %s", named[a.attr("lang")], a.attr("lang"), a.attr("href"))
		s.same((a.attr("aria-current") == "true") == (a.attr("lang") == s.lang), "marks %s as its language", a.attr("lang"))
	}
	for _, lang := range langs {
		s.same(named[lang] != "", "does not name its page in %s", lang)
	}
}

// forbids are the names of licences that forbid commercial use or changes.
var forbids = regexp.MustCompile(`(?i)(^|[^a-z])(NC|ND|NonCommercial|NoDerivatives|NoDerivs)([^a-z]|$)`)

// licensed tells whether the register knows any terms of the entry.
func (e *entry) licensed() bool {
	if e.Licence != nil || e.LicenceRaw != nil && strings.TrimSpace(*e.LicenceRaw) != "" || e.API != nil && e.API.Terms != nil {
		return true
	}
	for _, f := range e.files() {
		if f.Licence != nil || f.Raw != nil {
			return true
		}
	}
	return false
}

func (e *entry) files() []file {
	if e.Dataset == nil {
		return nil
	}
	return e.Dataset.Distributions
}

func yes(r right) bool { return r.Value != nil && *r.Value }
func no(r right) bool  { return r.Value != nil && !*r.Value }

// terms: the line of terms promises what the licence allows, and no silence stands beside a licence.
func terms(s *subject) {
	line, reuse := s.page.at("li.terms").text(), s.entry.Reuse
	silence := ""
	own := s.page.at("main").words(true)
	for _, words := range s.silent {
		if strings.Contains(own, words) {
			silence = words
		}
	}
	s.same((silence != "") != s.entry.licensed(), "says %q, and the register knows terms: %v", silence, s.entry.licensed())
	if has(line, s.free) {
		s.same(yes(reuse.Commercial) && yes(reuse.Redistribution), "says %q of a licence that does not allow it", line)
		s.same(s.entry.Licence != nil && !forbids.MatchString(s.entry.Licence.ID+" "+s.entry.Licence.Title), "says %q of %v", line, s.entry.Licence)
		s.same(has(line, s.credit) == yes(reuse.Attribution) || has(line, s.alike), "says %q, and the publisher must be named: %v", line, yes(reuse.Attribution))
		s.same(has(line, s.alike) == yes(reuse.ShareAlike), "says %q, and the same terms are asked: %v", line, yes(reuse.ShareAlike))
		s.same(!has(line, s.freely) || no(reuse.Attribution) && !yes(reuse.ShareAlike), "says %q of a licence with duties", line)
		for _, right := range s.answers()[1:4] {
			s.same(right == s.yes, "says %q, and %q of a right", line, right)
		}
	}
	s.same(has(line, s.paid) == no(reuse.Commercial), "says %q, and commercial use is forbidden: %v", line, no(reuse.Commercial))
	if l := s.entry.Licence; l != nil {
		a := s.page.at("li.terms", "a")
		s.same(l.URL == nil || a.attr("href") == *l.URL, "leads to %s for %s", a.attr("href"), l.ID)
		name := letters(a.text()) // of which some have a colon
		if a == nil {
			name = letters(line[strings.LastIndex(line, ":")+1:])
		}
		s.same(strings.Contains(letters(l.ID), name) || name == letters(l.Title), "names %q, which is %s", line, l.ID)
		s.say("licence", name)
	}
}

var nonLetters = regexp.MustCompile(`[^\p{L}\p{N}]`)

// letters are the letters and digits of a text, in lower case.
func letters(text string) string { return strings.ToLower(nonLetters.ReplaceAllString(text, "")) }

// answers are the rights right by right: open, commercial use, redistribution, changes, attribution, same terms.
func (s *subject) answers() []string {
	list := make([]string, 6)
	for i, li := range s.page.at("ul.rights").all("li") {
		if text := li.text(); i < len(list) {
			list[i] = strings.TrimSpace(text[strings.LastIndex(text, ":")+1:])
		}
	}
	return list
}

// rights: each right is what the table of licences says, and coloured as what it says.
func rights(s *subject) {
	list := s.page.at("ul.rights").all("li")
	s.same((len(list) > 0) == (s.entry.Licence != nil), "lists %d rights of the licence %v", len(list), s.entry.Licence)
	if s.entry.Licence == nil || len(list) == 0 {
		return
	}
	said := s.answers()
	words := map[string]string{"yes": s.yes, "no": s.no, "unknown": s.unknown}
	s.same(said[0] == words[s.entry.Licence.Open], "says of an open licence %q, which is %s", said[0], s.entry.Licence.Open)
	for i, r := range map[int]right{1: s.entry.Reuse.Commercial, 2: s.entry.Reuse.Redistribution, 4: s.entry.Reuse.Attribution, 5: s.entry.Reuse.ShareAlike} {
		want := s.unknown
		if r.Value != nil {
			want = map[bool]string{true: s.yes, false: s.no}[*r.Value]
		}
		s.same(said[i] == want, "says %q, which is %q", list[i].text(), want)
	}
	for i, li := range list {
		class := li.attr("class")
		s.same(class == "duty" && said[i] != s.unknown || words[class] == said[i], "colours %q as %s", li.text(), class)
	}
}
