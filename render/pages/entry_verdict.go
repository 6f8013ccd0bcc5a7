package pages

import (
	"cmp"
	"slices"
	"strconv"

	"github.com/assay-register/assay/render/catalog"
	"github.com/assay-register/assay/render/score"
	"github.com/assay-register/assay/templates/entry"
)

// verdict holds the four verdicts with the evidence behind each.
func (v *view) verdict() entry.Verdict {
	return entry.Verdict{Official: v.official(), State: v.stateVerdict(), Quality: v.quality(), Maturity: v.maturity()}
}

func (v *view) official() entry.Official {
	r := &v.Result
	o := entry.Official{Class: "s-none", Basis: string(r.Basis), Confidence: r.Confidence, Rules: rulesOf(&r.Axes[0])}
	switch r.Basis {
	case catalog.OfficialProven:
		o.Class = "s-ok"
	case catalog.OfficialInherited:
		o.Class = "s-warn"
	}
	return o
}

func (v *view) stateVerdict() entry.State {
	r := &v.Result
	out := entry.State{Class: "s-" + cmp.Or(stateClasses[r.State], "idle"), State: string(r.State)}
	st := v.Row.State
	if st == nil {
		return out
	}
	out.Checked = st.LastCheckedAt
	add := func(key, text string) {
		if text != "" {
			out.Facts = append(out.Facts, entry.Fact{Key: key, Text: text})
		}
	}
	if st.ProbeURL != "" {
		add("check.address", cmp.Or(st.ProbeMethod, "GET")+" "+st.ProbeURL)
	}
	if st.ProbeHTTPStatus != 0 {
		answer := "HTTP " + strconv.Itoa(st.ProbeHTTPStatus)
		if st.ProbeContentType != "" {
			answer += ", " + st.ProbeContentType
		}
		add("check.answer", answer)
	}
	add("check.error", st.LastError)
	if r.P50 != nil {
		took := strconv.Itoa(*r.P50) + " ms"
		if r.P95 != nil {
			took += " (p95 " + strconv.Itoa(*r.P95) + " ms)"
		}
		add("check.latency", took)
	}
	return out
}

var tierClasses = map[catalog.MQATier]string{catalog.TierExcellent: "s-ok", catalog.TierGood: "s-ok", catalog.TierFair: "s-warn", catalog.TierPoor: "s-bad"}

func (v *view) quality() entry.Quality {
	r := &v.Result
	q := entry.Quality{Class: tierClasses[r.Tier], Tier: string(r.Tier), Score: r.MQA.Float(), Trust: r.Trust.Float(), Ranking: r.Ranking.Float(), Advice: advice(r)}
	for i := range r.Axes {
		a := &r.Axes[i]
		q.Axes = append(q.Axes, entry.Axis{ID: string(a.ID), Weight: a.Weight, Value: a.Value.Float(), Known: a.Known})
	}
	return q
}

// adviceShown is how many steps the page names; the others are in the JSON.
const adviceShown = 4

// advice are the steps that bring the most, for what keeps the score below 100.
func advice(r *score.Result) []entry.Advice {
	var list []entry.Advice
	var texts []string
	for i := range r.Axes {
		for j := range r.Axes[i].Findings {
			if f := &r.Axes[i].Findings[j]; f.Gain > 0 {
				// Rules of two axes may ask for the same.
				if at := slices.IndexFunc(texts, func(text string) bool { return text == f.Advice }); at >= 0 {
					list[at].Gain += f.Gain.Float()
					continue
				}
				texts = append(texts, f.Advice)
				list = append(list, entry.Advice{Rule: f.Rule, Gain: f.Gain.Float()})
			}
		}
	}
	slices.SortStableFunc(list, func(a, b entry.Advice) int { return cmp.Compare(b.Gain, a.Gain) })
	return list[:min(adviceShown, len(list))]
}

// rulesOf are what the rules of an axis found.
func rulesOf(a *score.Axis) []entry.Rule {
	list := make([]entry.Rule, 0, len(a.Findings))
	for i := range a.Findings {
		f := &a.Findings[i]
		list = append(list, entry.Rule{ID: f.Rule, Outcome: answerOf(outcomes[f.Outcome]), Points: f.Points.Float(), Max: f.Max.Float(), Evidence: f.Evidence})
	}
	return list
}

var outcomes = map[score.Outcome]catalog.Right{score.Met: catalog.RightYes, score.NotMet: catalog.RightNo}

func (v *view) maturity() entry.Maturity {
	m := &v.Result.Maturity
	out := entry.Maturity{Class: "s-warn", Level: string(m.Level.Level), Step: m.Level.Index, Next: string(m.BlockedBy)}
	if m.Level.Coverage {
		out.Class = "s-ok"
	}
	for i := range m.Rungs {
		g := &m.Rungs[i]
		x := entry.Rung{Class: "no", Key: "maturity.not_met", Level: string(g.Level)}
		switch {
		case g.Reached:
			x.Class, x.Key = "yes", "maturity.reached"
		case g.Met:
			x.Class, x.Key = "unknown", "maturity.met"
		}
		out.Rungs = append(out.Rungs, x)
	}
	return out
}
