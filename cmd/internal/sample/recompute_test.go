package sample

import (
	"math"
	"math/big"
	"slices"
	"strings"
	"time"
)

// This file recomputes the verdicts of every entry of the sample register from
// the published JSON alone: it reads files of the built site and knows no code
// that made them. The methodology is taken from its own page.

// judge recomputes one entry.
type judge struct {
	method          page
	entry, source   page
	quality, checks page
	asOf            time.Time
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
		return j.step(up, int64(len(items))), len(items) > 0
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

// step is a share rounded down to the levels of the rule, in tenths.
func (j *judge) step(up, all int64) int64 {
	for _, r := range j.method.pages("rules") {
		for _, l := range r.pages("levels") {
			if r.text("axis") == "availability" && 100*up >= int64(l.num("points"))*all {
				return tenths(l.num("points"))
			}
		}
	}
	return 0
}

// maintenance is 0.5^(age/180) in ten-thousandths, of an age that counts in steps up to
// the snapshot's day.
func (j *judge) maintenance() (value int64, known bool) {
	stated := j.entry.text("source_modified_at")
	if stated == "" {
		return 0, false
	}
	at, err := time.Parse(time.RFC3339, stated)
	since, err2 := time.Parse(time.DateOnly, j.quality.text("freshness", "since"))
	if err != nil || err2 != nil {
		return -1, true
	}
	y, m, d := at.UTC().Date()
	from := time.Date(y, m, d, 0, 0, 0, 0, time.UTC)
	age := 0.0
	for _, s := range j.method.list("freshness", "age_steps_days") {
		if s.(float64) <= math.Floor(j.asOf.Sub(from).Hours()/24) {
			age = s.(float64)
		}
	}
	if !since.Equal(from.AddDate(0, 0, int(age))) {
		return -1, true
	}
	return int64(math.Floor(10000*math.Exp2(-age/j.method.num("freshness", "half_life_days")) + 0.5)), true
}

// popularity is that of the published uses in ten-thousandths: the logarithm of
// 1 + uses to the base of 1 + the uses that count in full.
func (j *judge) popularity() (value int64, counted bool) {
	uses := page{}
	if uses.object, counted = j.quality.at("popularity", "uses").(object); !counted || j.public() {
		return 0, counted
	}
	n := uses.num("watches") + uses.num("citations") + uses.num("proxied")
	base := math.Log(1 + j.method.num("popularity", "full_at"))
	return int64(math.Floor(10000*math.Min(1, math.Log1p(n)/base) + 0.5)), true
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
	p, counted := j.popularity()
	inputs["popularity"] = (p + 5) / 10
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
			if t.text("input") == "popularity" && !counted {
				continue
			}
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
