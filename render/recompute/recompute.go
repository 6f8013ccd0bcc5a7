// Package recompute makes the scores of an entry again from published JSON alone: the page of
// the entry, its scores and checks, and the rules as data (/api/v1/rules.json). It shares no
// code with what made them (render/score); site/assets/recompute.lib.js does the same in a
// browser, and a test holds all three to equal digits.
package recompute

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/assay-register/assay/render/wire"
)

// Result is what was recomputed, in points with one decimal.
type Result struct {
	// Axes are the values by id; one that is unknown is missing.
	Axes    map[string]float64
	MQA     float64
	Tier    string
	Trust   float64
	Ranking float64
	// Freshness and Popularity are missing where they are unknown.
	Freshness, Popularity *float64
}

// Object is a JSON object.
type Object = map[string]any

// Entry makes the scores of an entry again. quality is its /quality-score, of which the
// day of freshness and the counts of uses are read, checks its /checks.
func Entry(rules *wire.Rules, entry, quality, checks Object) (Result, error) {
	r := Result{Axes: map[string]float64{}}
	values := map[string]int64{}
	for i := range rules.Axes {
		a := &rules.Axes[i]
		if v, known := axis(rules, a, entry, checks); known {
			r.Axes[a.ID], values[a.ID] = float64(v)/10, v
		}
	}
	values["verification"] = tenths(rules.Verification[text(entry, "verification_state")])
	fresh, known, err := freshness(rules, entry, quality)
	if err != nil {
		return r, err
	}
	if known {
		v := (fresh + 5) / 10
		values["freshness"] = v
		r.Freshness = points(v)
	}
	official := at(entry, "is_public_sector") == true
	popular, counted := popularity(rules, quality, official)
	if counted {
		values["popularity"] = (popular + 5) / 10
		r.Popularity = points(values["popularity"])
	}
	r.MQA = total(rules, "mqa_score", values, official, counted)
	r.Trust = total(rules, "trust_score", values, official, counted)
	r.Ranking = total(rules, "ranking_score", values, official, counted)
	r.Tier = "unranked"
	for _, t := range slices.Backward(rules.Tiers) {
		if r.MQA >= t.From {
			r.Tier = string(t.Tier)
		}
	}
	return r, nil
}

func points(tenths int64) *float64 {
	v := float64(tenths) / 10
	return &v
}

func tenths(v float64) int64 { return int64(math.Round(v * 10)) }

// axis is the value of an axis in tenths.
func axis(rules *wire.Rules, a *wire.RuleAxis, entry, checks Object) (value int64, known bool) {
	if a.NeutralUnless != "" && at(entry, a.NeutralUnless) != true {
		return tenths(*a.Neutral), true
	}
	if a.Known != nil && !holds(rules, a.Known, entry) {
		return 0, false
	}
	if a.Combine == "steps" {
		return steps(a, checks)
	}
	hits, count, sum := int64(0), int64(0), int64(0)
	for i := range a.Rules {
		r := &a.Rules[i]
		most, judged := r.Points[text(entry, "type")]
		if !judged {
			continue
		}
		count++
		for k := range r.Levels {
			if l := &r.Levels[k]; holds(rules, l.When, entry) {
				sum += tenths(l.Points)
				break
			}
		}
		if r.When != nil && holds(rules, r.When, entry) {
			hits++
			sum += tenths(most)
		}
	}
	if a.Combine == "share" {
		return (2000*hits + count) / (2 * count), true
	}
	return sum, true
}

// steps is the greatest level that the share of checks that succeeded reaches.
func steps(a *wire.RuleAxis, checks Object) (value int64, known bool) {
	items, _ := checks["items"].([]any)
	up := 0
	for _, i := range items {
		if at(i, "up") == true {
			up++
		}
	}
	if len(items) == 0 {
		return 0, false
	}
	for _, r := range a.Rules {
		for _, l := range r.Levels {
			if float64(100*up) >= l.Points*float64(len(items)) {
				return tenths(l.Points), true
			}
		}
	}
	return 0, true
}

// freshness is maintenance_score in ten-thousandths.
func freshness(rules *wire.Rules, entry, quality Object) (value int64, known bool, err error) {
	stated, since := text(entry, "source_modified_at"), text(quality, "freshness.since")
	if stated == "" {
		return 0, false, nil
	}
	from, err := time.Parse(time.DateOnly, stated[:min(10, len(stated))])
	if err != nil {
		return 0, false, fmt.Errorf("source_modified_at: %w", err)
	}
	to, err := time.Parse(time.DateOnly, since)
	if err != nil {
		return 0, false, fmt.Errorf("freshness.since: %w", err)
	}
	age := int(to.Sub(from).Hours() / 24)
	if !slices.Contains(rules.AgeStepsDays, age) {
		return 0, false, fmt.Errorf("freshness.since %s is no step of the age since %s", since, stated)
	}
	return int64(math.Floor(10000*math.Pow(0.5, float64(age)/float64(rules.HalfLifeDays)) + 0.5)), true, nil
}

// popularity is that of the counted uses in ten-thousandths.
func popularity(rules *wire.Rules, quality Object, official bool) (value int64, counted bool) {
	uses, counted := at(quality, "popularity.uses").(Object)
	if !counted || official {
		return 0, counted
	}
	n := 0.0
	for _, v := range uses {
		f, _ := v.(float64)
		n += f
	}
	return int64(math.Floor(10000*math.Min(1, math.Log10(1+n)/math.Log10(1+float64(rules.FullAt))) + 0.5)), true
}

// total is a score by its formula.
func total(rules *wire.Rules, score string, values map[string]int64, official, counted bool) float64 {
	who := "not official"
	if official {
		who = "official"
	}
	sum, weights := int64(0), int64(0)
	for _, f := range rules.Formulas {
		if f.Score != score || f.AppliesTo != nil && *f.AppliesTo != who {
			continue
		}
		for _, t := range f.Terms {
			if t.Input == "popularity" && !counted {
				continue
			}
			sum += int64(t.Weight) * values[t.Input]
			weights += int64(t.Weight)
		}
	}
	if weights == 0 {
		return 0
	}
	return float64((2*sum+weights)/(2*weights)) / 10
}

// at is the value at a path, nil where there is none.
func at(v any, path string) any {
	for name := range strings.SplitSeq(path, ".") {
		o, ok := v.(Object)
		if !ok {
			return nil
		}
		v = o[name]
	}
	return v
}

func text(v any, path string) string {
	s, _ := at(v, path).(string)
	return s
}
