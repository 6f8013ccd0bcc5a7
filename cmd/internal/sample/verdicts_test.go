package sample

import (
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
)

// rungs recomputes which rungs are met.
func (j *judge) rungs() [7]bool {
	e := j.entry
	joins := slices.ContainsFunc(e.pages("data_profile", "fields"), func(f page) bool { return f.has("concept") && f.yes("matches") })
	kept, _, _ := strings.Cut(e.pages("maturity", "rungs")[5].text("evidence"), " ")
	manifests, _ := strconv.Atoi(kept)
	direct := slices.ContainsFunc(e.pages("access", "actions"), func(a page) bool { return a.yes("runnable") && a.yes("direct") })
	verified := e.text("verification_state") == "VERIFIED"
	return [7]bool{true, verified, e.num("data_profile", "field_count") > 0, verified && direct, joins, manifests > 0, e.has("reliability")}
}

// percentiles are the nearest-rank latencies of the checks that succeeded.
func (j *judge) percentiles() (p50, p95 any) {
	var ms []float64
	for _, c := range j.checks.pages("items") {
		if c.yes("up") && c.num("latency_ms") > 0 {
			ms = append(ms, c.num("latency_ms"))
		}
	}
	if len(ms) == 0 {
		return nil, nil
	}
	slices.Sort(ms)
	rank := func(p float64) any { return ms[int(math.Ceil(p*float64(len(ms))/100))-1] }
	return rank(50), rank(95)
}

var isID = regexp.MustCompile(`^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$`)

// TestVerdictsAreRecomputed: every score of every entry, to the last digit.
func TestVerdictsAreRecomputed(t *testing.T) {
	s := built(t)
	method := s.read("/api/v1/methodology")
	listed := s.read("/api/v1/entries")
	ids := s.ids()
	items := map[string]page{}
	for _, i := range listed.pages("items") {
		items[i.text("id")] = i
	}
	reached, popular := map[string]int{}, 0
	for _, id := range ids {
		base := "/api/v1/entries/" + id
		j := &judge{method: method, entry: s.read(base), quality: s.read(base + "/quality-score"), checks: s.read(base + "/checks"),
			asOf: instant(s.read("/api/v1/status").text("as_of"))}
		if src := j.entry.text("source_id"); src != "" {
			j.source = s.read("/api/v1/sources/" + src)
		}
		j.check(t)
		reached[j.entry.text("maturity", "level")]++
		if j.entry.text("popularity_score") > "0.0000" {
			popular++
		}
		if i, ok := items[id]; ok {
			for _, field := range []string{"mqa_score", "mqa_tier", "trust_score", "ranking_score", "maintenance_score", "popularity_score", "maturity_index", "capability_tier", "official_confidence"} {
				if i.at(field) != j.entry.at(field) {
					t.Errorf("%s: %s differs in the list", id, field)
				}
			}
		}
	}
	if reached["reproducible"] == 0 || reached["guaranteed"] == 0 || popular == 0 {
		t.Errorf("%v, %d popular: a rung or a popular entry cannot be seen", reached, popular)
	}
	t.Log(len(ids), "entries", reached, popular, "popular")
	checkHonesty(t, s, ids)
}

func (j *judge) check(t *testing.T) {
	t.Helper()
	name := j.entry.text("slug")
	want := func(what string, published, recomputed any) {
		t.Helper()
		if published != recomputed {
			t.Errorf("%s: %s is published as %v, recomputed %v", name, what, published, recomputed)
		}
	}
	want("is_public_sector", j.entry.yes("is_public_sector"), j.public())
	for _, a := range j.quality.pages("axes") {
		value, known := j.axis(a.text("id"))
		want(a.text("id")+" known", a.at("value") != nil, known)
		if known {
			want(a.text("id"), tenths(a.num("value")), value)
		}
	}
	for _, score := range []string{"mqa_score", "trust_score", "ranking_score"} {
		want(score, j.entry.num(score), float64(j.total(score))/10)
		want(score+" explained", j.quality.num(score), float64(j.total(score))/10)
	}
	want("mqa_tier", j.entry.text("mqa_tier"), j.tier(j.total("mqa_score")))
	m, known := j.maintenance()
	want("maintenance_score", j.entry.text("maintenance_score"), strconv.FormatFloat(float64(m)/10000, 'f', 4, 64))
	want("freshness known", j.quality.at("freshness", "value") != nil, known)
	p, _ := j.popularity()
	want("popularity_score", j.entry.text("popularity_score"), strconv.FormatFloat(float64(p)/10000, 'f', 4, 64))
	if len(j.entry.list("signals")) > 0 {
		want("official_confidence", j.entry.num("official_confidence"), float64(j.confidence()))
	}
	p50, p95 := j.percentiles()
	want("p50", j.checks.at("p50_latency_ms"), p50)
	want("p95", j.checks.at("p95_latency_ms"), p95)
	j.checkLadder(want)
	j.checkDays(want)
	j.checkTargets(want)
}

func (j *judge) checkLadder(want func(string, any, any)) {
	level, blocked := 0, any(nil)
	met := j.rungs()
	for i, rung := range j.entry.pages("maturity", "rungs") {
		want("rung "+rung.text("level"), rung.yes("met"), met[i])
		if met[i] && level == i {
			level = i + 1
		} else if blocked == nil && level == i {
			blocked = rung.text("level")
		}
	}
	want("maturity_index", j.entry.num("maturity_index"), float64(level))
	want("blocked_by", j.entry.at("maturity", "blocked_by"), blocked)
	want("coverage", j.entry.yes("maturity_counts_as_coverage"), level >= 4)
	tier := "reference"
	if met[3] {
		tier = "live"
	}
	want("capability_tier", j.entry.text("capability_tier"), tier)
}

// checkDays sums the checks up by day again.
func (j *judge) checkDays(want func(string, any, any)) {
	type sum struct{ up, all int64 }
	days, whole := map[string]*sum{}, sum{}
	for _, c := range j.checks.pages("items") {
		day := c.text("at")[:10]
		if days[day] == nil {
			days[day] = &sum{}
		}
		days[day].all++
		whole.all++
		if c.yes("up") {
			days[day].up++
			whole.up++
		}
	}
	want("days", len(j.checks.list("days")), len(days))
	for _, d := range j.checks.pages("days") {
		s := days[d.text("day")]
		if s == nil {
			want("day "+d.text("day"), true, false)
			continue
		}
		want("checks of "+d.text("day"), int64(d.num("checks")), s.all)
		want("uptime of "+d.text("day"), tenths(d.num("uptime_percent")), halfUp(s.up, s.all))
	}
	if whole.all > 0 {
		want("uptime of 90 days", tenths(j.checks.num("uptime_90d_percent")), halfUp(whole.up, whole.all))
	}
}

// checkTargets measures the reliability targets by the published days.
func (j *judge) checkTargets(want func(string, any, any)) {
	for _, r := range j.entry.pages("reliability") {
		// The window ends with the last check.
		day := instant(j.checks.pages("items")[0].text("at")).UTC().Truncate(24 * time.Hour)
		since := day.AddDate(0, 0, 1-int(r.num("window_days"))).Format(time.DateOnly)
		want("since", r.text("since"), since)
		up, all := int64(0), int64(0)
		for _, d := range j.checks.pages("days") {
			if d.text("day") >= since {
				up, all = up+int64(d.num("up")), all+int64(d.num("checks"))
			}
		}
		want("checks of the target", int64(r.num("checks")), all)
		want("measured", int64(math.Round(100*r.num("measured"))), 10000*up/all)
		// Targets have at most three decimals here.
		allowed := 100_000 - int64(math.Round(1000*r.num("availability")))
		want("spent", tenths(r.num("error_budget_spent_percent")), min(10000, halfUp(100_000*(all-up), all*allowed)))
		want("met", r.yes("met"), 100_000*(all-up) <= all*allowed)
	}
}
