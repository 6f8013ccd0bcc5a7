package recompute

import (
	"fmt"

	"github.com/assay-register/assay/render/wire"
)

// Check makes the scores of an entry again and holds what its documents say to them. The error
// names the first that is another one by the rules.
func Check(rules *wire.Rules, entry, quality, checks Object) (Result, error) {
	if rules.RubricVersion != quality["rubric_version"] {
		return Result{}, fmt.Errorf("the scores are of rules %v, the rules are of version %s", quality["rubric_version"], rules.RubricVersion)
	}
	r, err := Entry(rules, entry, quality, checks)
	if err != nil {
		return r, err
	}
	got := []struct {
		name string
		want any
	}{{"mqa_score", r.MQA}, {"mqa_tier", r.Tier}, {"trust_score", r.Trust}, {"ranking_score", r.Ranking}}
	for _, g := range got {
		for _, page := range []Object{entry, quality} {
			if said, there := page[g.name]; there && said != g.want {
				return r, fmt.Errorf("%s is %v by the rules, the page says %v", g.name, g.want, said)
			}
		}
	}
	axes, _ := quality["axes"].([]any)
	for _, a := range axes {
		axis, _ := a.(Object)
		id, _ := axis["id"].(string)
		var want any
		if value, known := r.Axes[id]; known {
			want = value
		}
		if axis["value"] != want {
			return r, fmt.Errorf("%s is %v by the rules, the page says %v", id, want, axis["value"])
		}
	}
	return r, nil
}
