package sample

import (
	"context"
	"encoding/json"
	"math"
	"math/big"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/assay-register/assay/build"
	"github.com/assay-register/assay/render/snapshot"
)

// This file recomputes the verdicts of every entry of the sample register from
// the published JSON alone: it reads files of the built site and knows no code
// that made them. The methodology is taken from its own page.

type object = map[string]any

// page is a published JSON document.
type page struct{ object }

func (p page) at(path ...string) any {
	var v any = p.object
	for _, key := range path {
		m, _ := v.(object)
		v = m[key]
	}
	return v
}

func (p page) text(path ...string) string { s, _ := p.at(path...).(string); return s }
func (p page) num(path ...string) float64 { n, _ := p.at(path...).(float64); return n }
func (p page) yes(path ...string) bool    { b, _ := p.at(path...).(bool); return b }
func (p page) list(path ...string) []any  { l, _ := p.at(path...).([]any); return l }
func (p page) has(path ...string) bool    { return p.text(path...) != "" || len(p.list(path...)) > 0 }
func (p page) pages(path ...string) (out []page) {
	for _, v := range p.list(path...) {
		m, _ := v.(object)
		out = append(out, page{m})
	}
	return out
}

// site is a built site on disk.
type site struct {
	t    *testing.T
	root string
}

func (s site) read(route string) page {
	s.t.Helper()
	b, err := os.ReadFile(filepath.Join(s.root, filepath.FromSlash(route), "index.json"))
	if err != nil {
		s.t.Fatal(err)
	}
	var m object
	if err := json.Unmarshal(b, &m); err != nil {
		s.t.Fatalf("%s: %v", route, err)
	}
	return page{m}
}

// built builds the site of the sample register.
func built(t *testing.T) site {
	t.Helper()
	st, _ := load(t)
	root := filepath.Join(t.TempDir(), "site")
	_, err := build.Build(context.Background(), st, build.Options{Out: root, At: Instant, Now: Instant, Workers: runtime.GOMAXPROCS(0), Keep: 1, Record: true,
		Site: snapshot.Site{BaseURL: "https://register.example", Name: "Sample", License: "CC0-1.0"}}, time.Now)
	if err != nil {
		t.Fatal(err)
	}
	return site{t, root}
}

// judge recomputes one entry.
type judge struct {
	method          page
	entry, source   page
	quality, checks page
}

// tenths is a published number in tenths.
func tenths(v float64) int64 { return int64(math.Round(v * 10)) }

// halfUp is part of whole in tenths of a percent, rounded half up.
func halfUp(part, whole int64) int64 {
	if whole == 0 {
		return 0
	}
	r := new(big.Rat).Add(big.NewRat(1000*part, whole), big.NewRat(1, 2))
	return new(big.Int).Div(r.Num(), r.Denom()).Int64()
}

func (j *judge) public() bool {
	vouched := j.entry.text("admission", "rule") == "official_source" || j.source.text("official") != ""
	return !j.entry.yes("third_party") && (j.entry.at("institution") != nil || vouched)
}

// met answers the rules of the two checklists; known is false where that
// cannot be told.
func (j *judge) met(rule string) (met, known bool) {
	e := j.entry
	_, name, _ := strings.Cut(rule, ".")
	licensed := e.text("license", "id") != "UNSPECIFIED" && (e.at("license") != nil || e.text("license_raw") != "")
	switch name {
	case "description":
		return e.has("description"), true
	case "homepage":
		return e.has("homepage_url"), true
	case "landing_page":
		return e.has("homepage_url") || e.has("dataset_details", "landing_page"), true
	case "docs", "documentation", "mcp_docs":
		return e.has("docs_url"), true
	case "repository":
		return e.has("repo_url"), true
	case "tags", "mcp_tags":
		return e.has("tags"), true
	case "institution":
		return e.at("institution") != nil, true
	case "country":
		return e.has("country_code"), true
	case "base_url":
		return e.has("api_details", "base_url"), true
	case "machine_description":
		f := e.text("api_details", "spec_format")
		return e.has("api_details", "openapi_url") || e.has("api_details", "graphql_url") || strings.HasPrefix(f, "ogc-") ||
			slices.Contains([]string{"odata", "sparql", "sdmx", "soap"}, f), true
	case "known_format":
		return e.has("api_details", "spec_format") && e.text("api_details", "spec_format") != "none", true
	case "endpoint":
		return e.has("mcp_details", "endpoint_url"), true
	case "tools":
		return e.has("mcp_details", "tools"), true
	case "handshake":
		return e.has("mcp_details", "handshake_at"), e.has("mcp_details", "handshake_at") || e.at("latest_check") != nil || e.at("mcp_details") == nil
	case "auth":
		return e.text("auth_type") != "" && e.text("auth_type") != "UNKNOWN", true
	case "terms":
		return licensed || e.has("api_details", "terms_url"), true
	case "licence":
		return licensed, true
	case "formats":
		return e.has("formats"), true
	case "machine_format":
		for _, f := range e.list("formats") {
			if slices.Contains(j.method.list("machine_formats"), any(strings.ToUpper(f.(string)))) {
				return true, true
			}
		}
		return false, true
	case "distribution", "distributions":
		return e.has("dataset_details", "distributions"), true
	case "modified":
		return e.has("source_modified_at"), true
	case "frequency":
		return e.has("dataset_details", "frequency") && e.text("dataset_details", "frequency") != "UNKNOWN", true
	case "coverage":
		return e.has("dataset_details", "spatial") || e.has("dataset_details", "temporal_start") || e.has("dataset_details", "temporal_end"), true
	case "contact":
		return e.has("contact", "name") || e.has("contact", "url") || e.has("contact", "email"), true
	case "runnable", "runnable_download":
		return slices.ContainsFunc(e.pages("access", "actions"), func(a page) bool { return a.yes("runnable") && a.yes("direct") }), true
	case "profiled_fields":
		return e.has("data_profile", "fields"), e.at("data_profile") != nil
	case "example_query":
		return e.has("data_profile", "query_examples"), e.at("data_profile") != nil
	}
	return false, false
}

// axis recomputes an axis in tenths; known is false where it has no value.
func (j *judge) axis(id string) (value int64, known bool) {
	switch id {
	case "officialness":
		if !j.public() {
			return 500, true
		}
		return 10 * j.confidence(), len(j.entry.list("signals")) > 0
	case "availability":
		up := int64(0)
		items := j.checks.pages("items")
		for _, c := range items {
			if c.yes("up") {
				up++
			}
		}
		return halfUp(up, int64(len(items))), len(items) > 0
	case "licence_clarity":
		return j.licence(), true
	}
	hits, count, points := int64(0), int64(0), int64(0)
	for _, r := range j.method.pages("rules") {
		for _, p := range r.pages("points") {
			if r.text("axis") != id || p.text("type") != j.entry.text("type") {
				continue
			}
			count++
			if met, known := j.met(r.text("id")); met && known {
				hits++
				points += tenths(p.num("points"))
			}
		}
	}
	if id == "metadata_completeness" {
		return halfUp(hits, count), true
	}
	return points, true
}

func (j *judge) confidence() (sum int64) {
	for _, r := range j.method.pages("rules") {
		kind, ok := strings.CutPrefix(r.text("id"), "officialness.")
		if !ok {
			continue
		}
		if slices.ContainsFunc(j.entry.pages("signals"), func(s page) bool { return s.yes("held") && s.text("kind") == kind }) {
			sum += int64(r.pages("points")[0].num("points"))
		}
	}
	return sum
}

func (j *judge) licence() int64 {
	e := j.entry
	determined := true
	for _, right := range []string{"commercial_use", "redistribution", "attribution_required", "share_alike"} {
		determined = determined && e.text("reuse", right, "status") == "known"
	}
	met, _ := j.met("metadata.licence")
	switch {
	case !met:
		return 0
	case e.text("license", "open") == "yes" && e.has("license", "url") && determined:
		return 1000
	case e.at("license") != nil:
		return 750
	}
	return 500
}

// maintenance is 0.5^(days/180) in ten-thousandths.
func (j *judge) maintenance() (value int64, known bool) {
	stated := j.entry.text("source_modified_at")
	if stated == "" {
		return 0, false
	}
	at, err := time.Parse(time.RFC3339, stated)
	day, err2 := time.Parse(time.DateOnly, j.quality.text("day"))
	if err != nil || err2 != nil {
		return -1, true
	}
	y, m, d := at.UTC().Date()
	days := math.Max(0, day.Sub(time.Date(y, m, d, 0, 0, 0, 0, time.UTC)).Hours()/24)
	return int64(math.Floor(10000*math.Exp2(-days/j.method.num("freshness", "half_life_days")) + 0.5)), true
}

// total recomputes a score in tenths from the published axes, by a published
// formula.
func (j *judge) total(score string) int64 {
	inputs := map[string]int64{}
	for _, a := range j.quality.pages("axes") {
		inputs[a.text("id")] = tenths(a.num("value"))
	}
	for _, s := range j.method.pages("verification_points") {
		if s.text("state") == j.entry.text("verification_state") {
			inputs["verification"] = tenths(s.num("points"))
		}
	}
	m, _ := j.maintenance()
	inputs["freshness"] = (m + 5) / 10
	who := "not official"
	if j.public() {
		who = "official"
	}
	sum, weights := int64(0), int64(0)
	for _, f := range j.method.pages("formulas") {
		if f.text("score") != score || f.at("applies_to") != nil && f.text("applies_to") != who {
			continue
		}
		for _, t := range f.pages("terms") {
			sum += int64(t.num("weight")) * inputs[t.text("input")]
			weights += int64(t.num("weight"))
		}
	}
	return (2*sum + weights) / (2 * weights)
}

func (j *judge) tier(mqa int64) string {
	for _, b := range j.method.pages("mqa_tiers") {
		if mqa >= tenths(b.num("from")) {
			return b.text("tier")
		}
	}
	return "unranked"
}

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
	var ids []string
	dirs, err := os.ReadDir(filepath.Join(s.root, "api", "v1", "entries"))
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range dirs {
		if isID.MatchString(d.Name()) {
			ids = append(ids, d.Name())
		}
	}
	if len(ids) < 150 {
		t.Fatalf("only %d entries", len(ids))
	}
	items := map[string]page{}
	for _, i := range listed.pages("items") {
		items[i.text("id")] = i
	}
	reached := map[string]int{}
	for _, id := range ids {
		base := "/api/v1/entries/" + id
		j := &judge{method: method, entry: s.read(base), quality: s.read(base + "/quality-score"), checks: s.read(base + "/checks")}
		if src := j.entry.text("source_id"); src != "" {
			j.source = s.read("/api/v1/sources/" + src)
		}
		j.check(t)
		reached[j.entry.text("maturity", "level")]++
		if i, ok := items[id]; ok {
			for _, field := range []string{"mqa_score", "mqa_tier", "trust_score", "ranking_score", "maintenance_score", "maturity_index", "capability_tier", "official_confidence"} {
				if i.at(field) != j.entry.at(field) {
					t.Errorf("%s: %s differs in the list", id, field)
				}
			}
		}
	}
	t.Log(len(ids), "entries", reached)
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
	if len(j.entry.list("signals")) > 0 {
		want("official_confidence", j.entry.num("official_confidence"), float64(j.confidence()))
	}
	p50, p95 := j.percentiles()
	want("p50", j.checks.at("p50_latency_ms"), p50)
	want("p95", j.checks.at("p95_latency_ms"), p95)
	j.checkLadder(want)
	j.checkDays(want)
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
