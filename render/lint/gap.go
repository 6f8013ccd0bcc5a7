package lint

import (
	"fmt"
	"strings"

	"github.com/assay-register/assay/render/score"
)

// Gap is something that an entry does not state, with the points of mqa_score that
// stating it brings.
type Gap struct {
	Rule, Field, Message, Advice string
	Points                       float64
	// Score is the rule of the quality score that it meets first.
	Score string
}

// Gaps are what a publisher can fill in of an entry, in the order of the rubric. One
// field may count in several axes; it is told once, with the sum.
func Gaps(r *score.Result) []Gap {
	var out []Gap
	at := map[string]int{}
	for i := range r.Axes {
		axis := &r.Axes[i]
		if axis.ID == score.AxisOfficialness || axis.ID == score.AxisAvailability {
			continue
		}
		for j := range axis.Findings {
			f := &axis.Findings[j]
			if f.Outcome == score.Met || f.Advice == "" || f.Gain <= 0 {
				continue
			}
			g := Gap{Rule: GapRule(f.Field), Field: f.Field, Message: "not stated: " + plain(f.Meaning), Advice: f.Advice, Points: f.Gain.Float(), Score: f.Rule}
			if axis.ID == score.AxisLicence && f.Evidence != "" {
				g.Rule, g.Message = "licence.clarity", plain(f.Advice)
			}
			if _, known := byID[g.Rule]; !known || f.Rule == "agent.machine_format" && f.Evidence != "" {
				continue
			}
			if k, told := at[g.Rule]; told {
				out[k].Points += g.Points
				continue
			}
			at[g.Rule] = len(out)
			out = append(out, g)
		}
	}
	return out
}

// SameField tells that a field of provenance is a published one.
func SameField(row, field string) bool {
	if row == field || field == "license" && strings.HasPrefix(row, "license") || field == "publisher_name" && strings.HasPrefix(row, "publisher") {
		return true
	}
	_, local, _ := strings.Cut(field, "_details.")
	_, own, nested := strings.Cut(row, ".")
	return nested && local == own
}

// String names the gap, for logs.
func (g Gap) String() string { return fmt.Sprintf("%s +%.1f", g.Rule, g.Points) }
