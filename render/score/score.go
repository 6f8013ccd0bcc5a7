package score

import (
	"cmp"
	"strconv"
	"time"

	"github.com/assay-register/assay/render/catalog"
)

// Tenths is a score in tenths of a point; its zero is 0.0.
type Tenths int

// Float is the score in points with one decimal.
func (t Tenths) Float() float64 { return float64(t) / 10 }

// String writes the score in points with one decimal.
func (t Tenths) String() string { return strconv.FormatFloat(t.Float(), 'f', 1, 64) }

// Finding is the outcome of one rule for one entry.
type Finding struct {
	Rule    string
	Meaning string
	Outcome Outcome
	// Points were given, out of Max, both on the scale of the axis.
	Points, Max Tenths
	// Evidence is the URL or value that decided.
	Evidence string
	Field    string
	// Advice and Gain say what to do and how many points of mqa_score it
	// brings; empty when nothing is to be gained.
	Advice string
	Gain   Tenths
}

// Axis is one quality axis of an entry.
type Axis struct {
	ID     AxisID
	Label  string
	Weight int
	// Value is 0.0 to 100.0; meaningless when Known is false.
	Value    Tenths
	Known    bool
	Note     string
	Findings []Finding
}

// Result is everything that the register computes about an entry from its
// facts. It holds no clock but the input's day.
type Result struct {
	PublicSector bool
	// Confidence is nil when no proof was ever tried.
	Confidence   *int
	Basis        catalog.OfficialnessBasis
	Proof        string
	Scope        catalog.GeographicScope
	Axes         [5]Axis
	MQA          Tenths
	Tier         catalog.MQATier
	Verification Tenths
	Trust        Tenths
	Freshness    Tenths
	// FreshnessKnown is false when the publisher gives no date.
	FreshnessKnown bool
	// Maintenance is 0.5^(age/180), four decimals, of an age that is counted in
	// steps; FreshSince is the day on which the present step began, zero without a date.
	Maintenance string
	FreshSince  time.Time
	// Popularity is 100 times PopularityScore, which has four decimals; it is
	// unknown for official data and where no uses were counted.
	Popularity      Tenths
	PopularityKnown bool
	PopularityScore string
	Ranking         Tenths
	Access          Access
	Capability      catalog.CapabilityTier
	Maturity        Ladder
	// P50 and P95 are latencies in milliseconds over the last 30 days, nil
	// without a successful check.
	P50, P95 *int
	// State is the verification state, UNVERIFIED without checks.
	State catalog.VerificationState
	// Days are the daily sums of the checks, oldest first.
	Days []catalog.CheckDay
	// CheckedDay is the day with which the periods of checks end.
	CheckedDay time.Time
	// Budgets are those of the active reliability targets.
	Budgets []Budget
}

// Of judges one entry.
func Of(in *Input) Result {
	known := *in
	in = &known
	e := in.entry()
	r := Result{PublicSector: in.PublicSector(), State: catalog.StateUnverified}
	if in.Row.State != nil {
		r.State = in.Row.State.State
	}
	if len(e.Signals) > 0 {
		c := Confidence(e.Signals)
		r.Confidence = &c
	}
	r.Basis = Basis(r.PublicSector, r.Confidence, knownID(in.Institution))
	r.Proof = proofSummary(in, r.Basis)
	r.Scope = scope(in.Institution)
	r.Access = AccessOf(e)
	in.actions = r.Access.Actions
	r.Capability = catalog.TierReference
	if r.Access.Level == catalog.LevelDirect && r.State == catalog.StateVerified {
		r.Capability = catalog.TierLive
	}
	recent := Window(in.Row.Checks, in.Day)
	r.P50, r.P95 = Latencies(recent)
	r.Axes = [5]Axis{
		officialness(in, &r), availability(recent), checklist(in, AxisMetadata),
		licence(in), checklist(in, AxisAgent),
	}
	for i := range r.Axes {
		r.Axes[i].ID, r.Axes[i].Label, r.Axes[i].Weight = axes[i].id, axes[i].label, axes[i].weight
	}
	r.setTotals(in)
	r.setAdvice()
	r.Days = Days(in.Row)
	r.CheckedDay = CheckedDay(in.Row.Checks, r.Days, in.Day)
	for i := range in.Row.Targets {
		if t := &in.Row.Targets[i]; t.Active {
			r.Budgets = append(r.Budgets, BudgetOf(t, r.Days, budgetDay(t, &r, in.Day)))
		}
	}
	r.Maturity = ladder(in, &r)
	return r
}

func (r *Result) setTotals(in *Input) {
	r.Verification = verificationPoints[r.State]
	r.setFreshness(in.entry().SourceModifiedAt, in.Day)
	r.MQA = mqa.total(r.input)
	r.Tier = TierOf(r.MQA)
	r.Trust = trust.total(r.input)
	r.setPopularity(in.Row.Uses)
	r.Ranking = rankingOf(r).total(r.input)
}

// input is what a formula calls by a name; what is unknown counts nothing.
func (r *Result) input(name string) Tenths {
	switch name {
	case InputVerification:
		return r.Verification
	case InputFreshness:
		return r.Freshness
	case InputPopularity:
		return r.Popularity
	}
	for i := range r.Axes {
		if string(r.Axes[i].ID) == name && r.Axes[i].Known {
			return r.Axes[i].Value
		}
	}
	return 0
}

// TierOf is the band of an mqa_score.
func TierOf(score Tenths) catalog.MQATier {
	for _, b := range bands {
		if score >= b.From {
			return b.Tier
		}
	}
	return catalog.TierUnranked
}

// knownID is the id of a known institution: one that a catalogue only names
// proves nothing.
func knownID(inst *catalog.Institution) string {
	if !inst.Known() {
		return ""
	}
	return inst.ID
}

// scope is how far the institution's remit reaches (decisions §5).
func scope(inst *catalog.Institution) catalog.GeographicScope {
	switch {
	case inst == nil || inst.Type == catalog.InstAcademia || inst.Type == catalog.InstCompany || inst.Type == catalog.InstNonProfit:
		return catalog.ScopeUnknown
	case inst.Type == catalog.InstMunicipality || inst.Type == catalog.InstRegion:
		return catalog.ScopeLocal
	case inst.Type == catalog.InstInternational || inst.CountryCode == "EU":
		return catalog.ScopeEuropean
	case inst.CountryCode != "":
		return catalog.ScopeNational
	}
	return catalog.ScopeUnknown
}

func officialness(in *Input, r *Result) Axis {
	signals := in.entry().Signals
	a := Axis{Known: true}
	if !r.PublicSector {
		a.Value, a.Note = 500, "not public-sector: neutral"
		return a
	}
	a.Findings = make([]Finding, 0, len(signalRules))
	for i := range signalRules {
		rule := &signalRules[i]
		f := Finding{Rule: rule.id, Meaning: rule.meaning, Max: Tenths(rule.points * 10),
			Outcome: Unknown, Field: "official_confidence"}
		if s := held(signals, rule.kind); s != nil {
			f.Outcome, f.Points, f.Evidence = Met, f.Max, cmp.Or(s.EvidenceURL, s.Detail)
		} else if tried(signals, rule.kind) {
			f.Outcome = NotMet
		}
		a.Findings = append(a.Findings, f)
	}
	if r.Confidence == nil {
		a.Known, a.Note = false, "no proof of officialness has been tried"
		return a
	}
	a.Value = Tenths(*r.Confidence * 10)
	return a
}

// licenceLevels are the outcomes of licence clarity, best first (decisions §5).
var licenceLevels = []Level{
	{1000, "a normalised open licence with its address"},
	{750, "a normalised licence that is not open or leaves terms undetermined"},
	{500, "a licence text that was not recognised"},
	{0, "no licence"},
}

// Ids of the rules that are no lines of the checklists.
const (
	ruleAvailability = "availability.success_share"
	ruleLicence      = "licence.clarity"

	meaningAvailability = "Share of the checks of the last 30 days that succeeded, rounded down to a step."
	meaningLicence      = "The licence is known, open, and has an address."
)

func licence(in *Input) Axis {
	e := in.entry()
	f := Finding{Rule: ruleLicence, Meaning: meaningLicence, Max: 1000, Outcome: NotMet, Field: "license"}
	level := 3
	switch l := in.Licence; {
	case hasLicence(in) == NotMet:
		f.Advice = "Add a licence URL."
	case l != nil && l.Open == catalog.RightYes && l.URL != "" && determined(l):
		level, f.Outcome, f.Evidence = 0, Met, l.URL
	case l != nil:
		level, f.Evidence, f.Advice = 1, cmp.Or(l.URL, l.ID), "Use an open licence whose terms are all determined."
	default:
		level, f.Evidence, f.Advice = 2, e.LicenseRaw, "Name a standard licence by its identifier or URL."
	}
	f.Points = licenceLevels[level].Points
	return Axis{Known: true, Value: f.Points, Note: licenceLevels[level].Meaning, Findings: []Finding{f}}
}

func determined(l *catalog.Licence) bool {
	for _, r := range []catalog.Right{l.CommercialUse, l.Redistribution, l.AttributionRequired, l.ShareAlike} {
		if r != catalog.RightYes && r != catalog.RightNo {
			return false
		}
	}
	return true
}

// checklist scores an axis that is a list of yes-or-no rules.
func checklist(in *Input, id AxisID) Axis {
	judges := func(r *Rule) bool { return r.Axis == id && r.applies(in.entry().Type) }
	count, hits, points := 0, 0, 0
	for i := range rules {
		if judges(&rules[i]) {
			count++
		}
	}
	a := Axis{Known: true, Findings: make([]Finding, 0, count)}
	for i := range rules {
		r := &rules[i]
		if !judges(r) {
			continue
		}
		f := Finding{Rule: r.ID, Meaning: r.Meaning, Outcome: r.test(in), Max: Tenths(r.Points * 10), Field: r.Field}
		if f.Outcome == Met {
			hits++
			points += r.Points
			f.Points = f.Max
		} else {
			f.Advice = r.Advice
		}
		a.Findings = append(a.Findings, f)
	}
	a.Value = Tenths(points * 10)
	if id == AxisMetadata {
		a.Value = share(hits, count)
		a.Note = strconv.Itoa(hits) + " of " + strconv.Itoa(count) + " recommended fields"
		for i := range a.Findings {
			a.Findings[i].Max = share(1, count)
			if a.Findings[i].Outcome == Met {
				a.Findings[i].Points = a.Findings[i].Max
			}
		}
	}
	return a
}

// share is part of whole in percent, rounded half up to a tenth.
func share(part, whole int) Tenths {
	if whole == 0 {
		return 0
	}
	return Tenths((2000*part + whole) / (2 * whole))
}

// setAdvice puts on each unmet finding how many points of mqa_score meeting it
// would bring, by computing the score again with that axis raised.
func (r *Result) setAdvice() {
	for i := range r.Axes {
		a := &r.Axes[i]
		for j := range a.Findings {
			f := &a.Findings[j]
			if f.Outcome == Met || f.Advice == "" {
				continue
			}
			raised := Result{Axes: r.Axes}
			raised.Axes[i].Value, raised.Axes[i].Known = raisedTo(a, f), true
			f.Gain = mqa.total(raised.input) - r.MQA
		}
	}
}

func raisedTo(a *Axis, f *Finding) Tenths {
	if a.ID != AxisMetadata {
		return a.Value + f.Max - f.Points
	}
	hits := 0
	for _, other := range a.Findings {
		if other.Outcome == Met {
			hits++
		}
	}
	return share(hits+1, len(a.Findings))
}
