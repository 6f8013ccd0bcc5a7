package pages

import (
	"cmp"
	"slices"
	"strconv"

	"github.com/assay-register/assay/render/catalog"
	"github.com/assay-register/assay/render/score"
)

// verdict shows the four verdicts; each opens the evidence behind it.
func (w *writer) verdict(v *view) {
	w.raw(`<section aria-labelledby="h-verdict"><h2 id="h-verdict" class="hide">`)
	w.t("entry.verdict")
	w.raw(`</h2><div class="verdict">`)
	w.officialness(v)
	w.verification(v)
	w.quality(v)
	w.maturity(v)
	w.raw("</div></section>\n")
}

// cell begins a verdict; class tells how good it is.
func (w *writer) cell(class markup, heading string) {
	w.raw(`<details class="cell `, class, `"><summary><h3>`)
	w.t(heading)
	w.raw("</h3>")
}

// why ends the face of a verdict and begins its evidence.
func (w *writer) why() {
	w.raw(`<span class="why">`)
	w.t("why")
	w.raw(`</span></summary><div class="cell-body">`)
}

func (w *writer) endCell() { w.raw("</div></details>") }

func (w *writer) officialness(v *view) {
	r := &v.Result
	class := markup("s-none")
	switch {
	case r.Basis == catalog.OfficialProven:
		class = "s-ok"
	case r.Basis == catalog.OfficialInherited:
		class = "s-warn"
	}
	w.cell(class, "axis.officialness")
	w.raw("<b>")
	if r.Confidence != nil {
		w.digits(*r.Confidence)
		w.raw("<small> / 100</small>")
	} else {
		w.t("unknown")
	}
	w.raw(`</b><span class="small">`)
	w.t("basis." + string(r.Basis))
	w.raw("</span>")
	w.why()
	w.raw(`<p translate="no">`)
	w.text(r.Proof)
	w.raw("</p><p>")
	w.t("basis.about." + string(r.Basis))
	w.raw("</p>")
	if a := v.e.Admission; a != nil {
		w.raw("<p>")
		w.t("entry.admission")
		w.raw(` <span translate="no">`)
		w.text(a.Reason)
		w.raw("</span></p>")
	}
	w.findings(&r.Axes[0])
	w.endCell()
}

func (w *writer) verification(v *view) {
	r := &v.Result
	w.cell("s-"+stateClasses[r.State], "verdict.state")
	w.raw("<b>")
	w.t("state." + string(r.State))
	w.raw(`</b><span class="small">`)
	if st := v.Row.State; st != nil && !st.LastCheckedAt.IsZero() {
		w.t("checked")
		w.raw(" ")
		w.time(st.LastCheckedAt)
	} else {
		w.t("never_checked")
	}
	w.raw("</span>")
	w.why()
	w.raw("<p>")
	w.t("state.about." + string(r.State))
	w.raw("</p>")
	if st := v.Row.State; st != nil {
		w.lastCheck(v, st)
	}
	w.findings(&r.Axes[1])
	w.endCell()
}

func (w *writer) lastCheck(v *view, st *catalog.CheckState) {
	w.raw(`<dl class="kv">`)
	if st.ProbeURL != "" {
		w.term("check.address")
		w.raw(`<bdi translate="no">`)
		w.text(cmp.Or(st.ProbeMethod, "GET"))
		w.raw(" ")
		w.text(st.ProbeURL)
		w.raw("</bdi>")
		w.endTerm()
	}
	if st.ProbeHTTPStatus != 0 {
		w.term("check.answer")
		w.raw(`<span translate="no">HTTP `)
		w.digits(st.ProbeHTTPStatus)
		if st.ProbeContentType != "" {
			w.raw(", ")
			w.text(st.ProbeContentType)
		}
		w.raw("</span>")
		w.endTerm()
	}
	if st.LastError != "" {
		w.term("check.error")
		w.outside(st.LastError)
		w.endTerm()
	}
	if !st.SucceededAt.IsZero() {
		w.term("check.succeeded")
		w.time(st.SucceededAt)
		w.endTerm()
	}
	if v.Result.P50 != nil {
		w.term("check.latency")
		w.digits(*v.Result.P50)
		w.raw(" ms")
		if v.Result.P95 != nil {
			w.raw(" (p95 ")
			w.digits(*v.Result.P95)
			w.raw(" ms)")
		}
		w.endTerm()
	}
	w.term("check.vantages")
	w.digits(st.Vantages)
	w.endTerm()
	w.raw("</dl>")
}

func (w *writer) term(key string) {
	w.raw("<dt>")
	w.t(key)
	w.raw("</dt><dd>")
}

func (w *writer) endTerm() { w.raw("</dd>") }

var tierClasses = map[catalog.MQATier]markup{catalog.TierExcellent: "s-ok", catalog.TierGood: "s-ok", catalog.TierFair: "s-warn", catalog.TierPoor: "s-bad"}

func (w *writer) quality(v *view) {
	r := &v.Result
	w.cell(tierClasses[r.Tier], "verdict.quality")
	w.raw("<b>")
	w.points(r.MQA)
	w.raw(`<small> / 100</small></b><span class="small">`)
	w.t("tier." + string(r.Tier))
	w.raw("</span>")
	w.why()
	w.same("quality", "", func() {
		w.raw("<p>")
		w.t("quality.about")
		w.raw(" <a")
		w.route("href", "/methodology")
		w.raw(">")
		w.t("nav.methodology")
		w.raw("</a></p>")
	})
	for i := range r.Axes {
		w.axis(&r.Axes[i])
	}
	w.advice(r)
	w.raw(`<dl class="kv">`)
	w.term("score.trust")
	w.points(r.Trust)
	w.endTerm()
	w.term("score.ranking")
	w.points(r.Ranking)
	w.endTerm()
	w.raw("</dl>")
	w.findings(&r.Axes[2])
	w.findings(&r.Axes[3])
	w.findings(&r.Axes[4])
	w.endCell()
}

func (w *writer) axis(a *score.Axis) {
	w.raw(`<div class="axis"><span>`)
	w.t("axis." + string(a.ID))
	w.raw(` <span class="soft small">`)
	w.digits(a.Weight)
	w.raw(" %</span></span>")
	w.bar(a.Value)
	w.raw(`<span class="num">`)
	if a.Known {
		w.points(a.Value)
	} else {
		w.t("unknown")
	}
	w.raw("</span></div>")
}

// advice lists the three steps that bring the most.
func (w *writer) advice(r *score.Result) {
	var room [32]*score.Finding
	steps := room[:0]
	for i := range r.Axes {
		for j := range r.Axes[i].Findings {
			if f := &r.Axes[i].Findings[j]; f.Gain > 0 {
				steps = append(steps, f)
			}
		}
	}
	if len(steps) == 0 {
		return
	}
	slices.SortStableFunc(steps, func(a, b *score.Finding) int { return cmp.Compare(b.Gain, a.Gain) })
	w.raw("<h4>")
	w.t("quality.advice")
	w.raw("</h4><ul>")
	for _, f := range steps[:min(3, len(steps))] {
		w.raw("<li>")
		w.text(f.Advice)
		w.raw(` <span class="soft">+`)
		w.points(f.Gain)
		w.raw("</span></li>")
	}
	w.raw("</ul>")
}

// findings lists the rules of an axis with what they found.
func (w *writer) findings(a *score.Axis) {
	if len(a.Findings) == 0 {
		return
	}
	w.table("axis."+string(a.ID), "finding.rule", "finding.outcome", "finding.points")
	for i := range a.Findings {
		f := &a.Findings[i]
		w.raw("<tr><td>")
		w.text(f.Meaning)
		w.evidence(f.Evidence)
		w.raw("</td>")
		w.right(outcomes[f.Outcome])
		w.raw(`<td class="num">`)
		w.points(f.Points)
		w.raw(" / ")
		w.points(f.Max)
		w.raw("</td></tr>")
	}
	w.endTable()
}

var outcomes = map[score.Outcome]catalog.Right{score.Met: catalog.RightYes, score.NotMet: catalog.RightNo}

func (w *writer) evidence(text string) {
	if text == "" {
		return
	}
	w.raw(`<br><span class="small soft">`)
	w.web(text, clip(text, 90))
	w.raw("</span>")
}

func (w *writer) maturity(v *view) {
	m := &v.Result.Maturity
	class := markup("s-warn")
	if m.Level.Coverage {
		class = "s-ok"
	}
	w.cell(class, "verdict.maturity")
	w.raw("<b>")
	w.t("maturity." + string(m.Level.Level))
	w.raw(`</b><span class="small">`)
	w.text(w.locale.str("maturity.step", "n", strconv.Itoa(m.Level.Index)))
	w.raw("</span>")
	w.why()
	w.raw("<p>")
	w.t("maturity.about")
	w.raw(`</p><ol class="rungs">`)
	for i := range m.Rungs {
		w.rung(&m.Rungs[i])
	}
	w.raw("</ol>")
	w.endCell()
}

func (w *writer) rung(g *score.Rung) {
	class, word := markup("no"), "maturity.not_met"
	switch {
	case g.Reached:
		class, word = "yes", "maturity.reached"
	case g.Met:
		class, word = "unknown", "maturity.met"
	}
	w.same(word, string(g.Level), func() {
		w.raw(`<li class="`, class, `"><span><strong>`)
		w.t("maturity." + string(g.Level))
		w.raw(`</strong> <span class="hide">`)
		w.t(word)
		w.raw("</span> ")
		w.t("maturity.about." + string(g.Level))
		w.raw(` <span class="soft small" translate="no">`)
	})
	w.text(g.Evidence)
	w.raw("</span></span></li>")
}
