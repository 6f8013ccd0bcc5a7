package main

import (
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
)

// cells are the four verdicts: officialness, state, quality, maturity.
func (s *subject) cells() [4]*node {
	var four [4]*node
	for i, c := range s.page.at("div.verdict").all("details.cell") {
		if i < len(four) {
			four[i] = c
		}
	}
	return four
}

// shown is the number that a cell shows.
func (s *subject) shown(cell *node) string {
	b := cell.at("b")
	return strings.TrimSpace(strings.TrimSuffix(b.text(), b.at("small").text()))
}

// scores: quality, trust and ranking are those of the JSON, and the axes are all of the quality.
func scores(s *subject) {
	cell, e := s.cells()[2], s.entry
	s.same(e.Quality == s.score.Quality && e.Trust == s.score.Trust && e.Ranking == s.score.Ranking && e.Tier == s.score.Tier, "differ between two documents: %v and %v", e.Quality, s.score.Quality)
	near := func(what, text string, want float64) {
		n := s.value(what, text)
		s.same(math.Abs(n-want) < 0.0501, "%s is said to be %s, and is %v", what, text, want)
	}
	near("quality", s.shown(cell), e.Quality)
	s.word("tier", e.Tier, cell.at("span.small").text())
	weights, sum := 0, 0.0
	dts, dds := cell.at("dl.axes").all("dt"), cell.at("dl.axes").all("dd")
	for i, axis := range s.score.Axes {
		if i >= len(dts) {
			break
		}
		weight := s.count("weight", strings.TrimSuffix(strings.TrimSpace(dts[i].at("small").text()), "%"))
		s.same(weight == axis.Weight, "%s weighs %d, and is said to weigh %d", axis.ID, axis.Weight, weight)
		weights += weight
		if axis.Value == nil {
			s.same(dds[i].text() == s.unknown, "%s is said to be %q, and is unknown", axis.ID, dds[i].text())
			continue
		}
		near(axis.ID, dds[i].text(), *axis.Value)
		sum += float64(weight) * *axis.Value
	}
	s.same(weights == 100, "the axes weigh %d %%", weights)
	s.same(math.Abs(sum/100-e.Quality) < 0.0501, "the axes make %.2f, and the quality is %v", sum/100, e.Quality)
	if n := len(dds); n >= 2 {
		near("trust", dds[n-2].text(), e.Trust)
		near("ranking", dds[n-1].text(), e.Ranking)
	}
	for _, li := range cell.all("li") {
		gain := s.value("gain", strings.TrimPrefix(li.at("small").text(), "+"))
		s.same(gain > 0 && e.Quality+gain < 100.2, "%q would make more than 100", li.text())
	}
}

var points = regexp.MustCompile(`(\d+(?:[.,]\d+)?)/(\d+(?:[.,]\d+)?)`)

// officialness: the confidence is the sum of its proofs.
func officialness(s *subject) {
	cell := s.cells()[0]
	shown := s.shown(cell)
	if s.entry.Confidence == nil {
		s.same(shown == s.unknown, "says %q of what is unknown", shown)
		return
	}
	s.same(s.count("confidence", shown) == *s.entry.Confidence, "says %s, which is %d", shown, *s.entry.Confidence)
	sum, most := 0.0, 0.0
	for _, li := range cell.at("ul.rules").all("li") {
		for _, m := range points.FindAllStringSubmatch(li.words(false), -1) {
			got, of := s.value("points", m[1]), s.value("points", m[2])
			s.same(got <= of && (got > 0) == (li.attr("class") == "yes"), "counts %s as %s", m[0], li.attr("class"))
			sum, most = sum+got, most+of
		}
	}
	s.same(sum == float64(*s.entry.Confidence) && most == 100, "the proofs make %v of %v, and %s is said", sum, most, shown)
	s.word("basis", s.entry.Maturity.Officialness.Basis, cell.at("span.small").text())
}

// rungs: the step is the level that the JSON has, and what is reached stands below it.
func rungs(s *subject) {
	cell, m := s.cells()[3], s.entry.Maturity
	line := whole.FindAllString(cell.at("span.small").text(), -1)
	s.same(len(line) == 2 && atoi(line[0]) == m.Index && atoi(line[1]) == len(m.Rungs), "says %q of step %d", cell.at("span.small").text(), m.Index)
	s.word("step", m.Level, cell.at("b").text())
	list := cell.at("ol.ladder").all("li")
	for i, li := range list {
		if li.attr("class") == "yes" && i < m.Index {
			s.same(m.Rungs[i].Reached, "shows %s as reached", m.Rungs[i].Level)
		}
	}
	reached := 0
	for _, r := range m.Rungs {
		if r.Reached {
			reached++
		}
	}
	s.same(reached == m.Index, "has %d steps reached and stands on %d", reached, m.Index)
	for i := 0; i < m.Index && i < len(list); i++ {
		s.same(list[i].attr("class") == "yes", "step %d is reached and not shown so", i+1)
	}
}

// badges: what a badge says is what the page says.
func badges(s *subject) {
	e := s.entry
	if s.badges == nil {
		return
	}
	quality := strconv.FormatFloat(e.Quality, 'f', 1, 64)
	s.same(s.badges["score"] == quality+"/100" || e.Tier == "unranked", "the score is %q, and the page says %s", s.badges["score"], quality)
	s.same(s.badges["tier"] == e.Tier, "the tier is %q, and the page says %s", s.badges["tier"], e.Tier)
	s.same(strings.Contains(s.badges["combined"], s.badges["tier"]), "of all says %q, that of the tier %q", s.badges["combined"], s.badges["tier"])
	if s.lang != "en" {
		return
	}
	state := e.State
	if e.Status == "DEPRECATED" {
		state = e.Status
	}
	s.word("access on a badge", e.Class, s.badges["access"])
	s.word("state on a badge", state, s.badges["verified"])
	s.same(strings.EqualFold(s.cells()[2].at("span.small").text(), s.badges["tier"]), "of the tier says %q, the page %q", s.badges["tier"], s.cells()[2].at("span.small").text())
	s.same(letters(s.page.at("p.meta", "span").text()) == letters(s.badges["type"]), "of the type says %q, the page %q", s.badges["type"], s.page.at("p.meta", "span").text())
}

// box is a run of days of the strip: eight to a day.
var box = regexp.MustCompile(`M(\d+) \d+h(\d+)V`)

// strip has for each of the last 90 days how it was drawn.
func strip(svg *node) (days [90]string) {
	for _, path := range svg.all("path") {
		for _, m := range box.FindAllStringSubmatch(path.attr("d"), -1) {
			for day := atoi(m[1]) / 8; day < (atoi(m[1])+atoi(m[2])+2)/8 && day < len(days); day++ {
				days[day] += path.attr("class")
			}
		}
	}
	return days
}

// uptime: the share, the counts, the drawing and the days in words are one history.
func uptime(s *subject) {
	section := s.page.at("section#checks")
	big := section.at("span.big")
	if big == nil {
		return
	}
	share := s.value("share", strings.TrimSpace(strings.TrimSuffix(strings.TrimSpace(big.text()), "%")))
	said := section.at("span.soft").text()
	counts := firstNumber.FindAllString(strings.Split(said, ",")[0], -1)
	period := s.days(said)
	if len(counts) < 2 || len(period) != 2 {
		s.same(false, "cannot read %q", said)
		return
	}
	up, all := s.count("answered", counts[0]), s.count("checks", counts[1])
	s.same(up <= all && all > 0 && math.Abs(share-math.Floor(1000*float64(up)/float64(all))/10) < 0.01 && share <= 100, "is %v %%, of %d of %d checks", share, up, all)
	days := strip(section.at("svg.chart"))
	first := -1
	for i, kind := range days {
		s.same(known[kind] != "", "day %d is drawn as %q", i, kind)
		if first < 0 && kind != "c-none" {
			first = i
		}
	}
	s.same(period[1].AddDate(0, 0, first-89).Equal(period[0]), "begins %s, and is drawn from day %d on", period[0].Format(time.DateOnly), first)
	s.stretches(section, days, period[1], up, all)
	if p := section.at("p.soft"); p != nil && section.at("path.c-line") != nil {
		ms := whole.FindAllString(p.text(), -1)
		s.same(len(ms) == 3 && atoi(ms[0]) <= atoi(ms[1]) && atoi(ms[1]) <= atoi(ms[2]), "says %q", p.text())
	}
}

// known are the kinds of days, and how many of the checks of such a day were answered.
var known = map[string]string{"c-ok": "all", "c-part": "some", "c-bad": "none", "c-none": "no checks"}

var ratio = regexp.MustCompile(`(\d[\d.,\x{202f}\x{a0}]*)/(\d[\d.,\x{202f}\x{a0}]*\d|\d)`)

// stretches holds the days in words to those that are drawn, and to the counts.
func (s *subject) stretches(section *node, days [90]string, last time.Time, up, all int) {
	list := section.at("details.more").all("li")
	upSum, allSum := 0, 0
	for _, li := range list {
		text := li.text()
		period := s.days(text)
		from, to := s.index(period[0], last), s.index(period[len(period)-1], last)
		if from < 0 || to >= len(days) || from > to {
			s.same(false, "has the days %q", text)
			continue
		}
		kind := days[from]
		for _, day := range days[from:to] {
			kind = map[bool]string{true: kind, false: "several kinds"}[day == kind]
		}
		m := ratio.FindStringSubmatch(text)
		got, of := 0, 0
		if m != nil {
			got, of = s.count("answered", m[1]), s.count("checks", m[2])
		}
		is := map[bool]string{true: "some"}[got > 0 && got < of]
		switch {
		case of == 0:
			is = "no checks"
		case got == of:
			is = "all"
		case got == 0:
			is = "none"
		}
		s.same(known[kind] == is, "says %q, and draws %s", text, kind)
		_, words, _ := strings.Cut(text, ":")
		s.word("day", kind, strings.TrimSpace(strings.Split(words, ",")[0]))
		upSum, allSum = upSum+got, allSum+of
	}
	if s.left(section.at("details.more", "ul")) == 0 {
		s.same(upSum == up && allSum == all, "counts %d of %d checks, day by day %d of %d", up, all, upSum, allSum)
	} else {
		s.same(upSum <= up && allSum <= all, "counts %d of %d checks, in some of the days %d of %d", up, all, upSum, allSum)
	}
}

// index is which of the days of the strip a day is.
func (s *subject) index(day, last time.Time) int { return 89 - int(last.Sub(day).Hours()/24) }

// contract: the versions count down by one to what is left out.
func contract(s *subject) {
	section := s.page.at("section#contract")
	var numbers []int
	for _, li := range section.at("ol.changes").all("li") {
		if strong := li.at("time"); strong != nil {
			numbers = append(numbers, s.count("version", firstNumber.FindString(li.at("strong").text())))
		}
	}
	for i, n := range numbers {
		s.same(i == 0 || n == numbers[i-1]-1, "version %d stands after %d", n, numbers[max(0, i-1)])
	}
	if len(numbers) == 0 {
		return
	}
	left := 0
	for c := section.FirstChild; c != nil; c = c.NextSibling {
		if x := (&node{c}); c.Data == "p" && x.classed("soft") {
			left = s.count("earlier", firstNumber.FindString(x.text()))
		}
	}
	s.same(numbers[len(numbers)-1] == left+1, "shows versions down to %d, and says that %d are left out", numbers[len(numbers)-1], left)
}

// neighbours: the state of another entry is what its own page says.
func neighbours(s *subject) {
	for _, li := range s.page.at("section#related").all("li") {
		route := li.at("a").attr("href")
		slug := route[strings.LastIndexByte(route, '/')+1:]
		state, ok := s.states[slug]
		if li.at("div") == nil || strings.Contains(route, "/series/") {
			continue
		}
		s.same(ok, "leads to %s, which is not there", route)
		if span := li.at("span.state"); span != nil {
			s.word("state of another entry", state, span.text())
		} else {
			s.same(state == "UNVERIFIED", "does not say that %s is %s", slug, state)
		}
	}
}

// origins: fields stand under the origin that the provenance has for them.
func origins(s *subject) {
	if s.entry.SourceID != nil {
		if a := s.page.at("section#provenance", "p", "a"); strings.Contains(a.attr("href"), "/source/") {
			s.same(strings.HasSuffix(a.attr("href"), "/source/"+*s.entry.SourceID), "was found in %s, and leads to %s", *s.entry.SourceID, a.attr("href"))
		}
	}
	seen := map[string]int{}
	for _, li := range s.page.at("ul.origins").all("li") {
		code := li.at("code")
		rest := strings.TrimSpace(strings.TrimPrefix(li.text(), code.text()))
		if link := li.at("a"); link != nil {
			rest = strings.TrimSpace(strings.TrimSuffix(rest, link.text()))
		} else if bdi := li.at("bdi"); bdi != nil {
			rest = strings.TrimSpace(strings.TrimSuffix(rest, bdi.text()))
		}
		if code == nil {
			continue // all others
		}
		for _, f := range strings.Split(code.text(), ", ") {
			bases := slices.Compact(slices.Sorted(slices.Values(s.origins[f])))
			s.same(len(bases) > 0 && seen[f] < len(s.origins[f]), "names %s, whose origins are %q", f, s.origins[f])
			seen[f]++
			if len(bases) == 1 {
				s.word("origin", bases[0], rest)
			}
		}
	}
}

var percent = regexp.MustCompile(`(\d[\d.,\x{202f}\x{a0}]*)[\s\x{202f}\x{a0}]?%`)

// percentages: no share is above 100.
func percentages(s *subject) {
	for _, m := range percent.FindAllStringSubmatch(s.page.at("main").words(true), -1) {
		s.same(s.value("share", m[1]) <= 100, "says %s", m[0])
	}
}

// contents: the list of contents leads to the parts that there are, in their order.
func contents(s *subject) {
	parts := map[string]bool{}
	for _, x := range append(s.page.all("section.part"), s.page.all("aside")...) {
		parts[x.attr("id")] = true
	}
	for _, a := range s.page.at("nav.contents").all("a") {
		id := strings.TrimPrefix(a.attr("href"), "#")
		s.same(parts[id], "leads to %s, which is not there", id)
		delete(parts, id)
	}
	for id := range parts {
		s.same(false, "leaves out %s", id)
	}
}
