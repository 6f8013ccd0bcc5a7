package wire

import (
	"cmp"
	"math"
	"slices"

	"github.com/assay-register/assay/render/catalog"
	"github.com/assay-register/assay/render/snapshot"
)

// LeadersMax bounds each list of the leaderboard; priorWeight is how many average entries a group
// is mixed with before it is ranked.
const (
	LeadersMax      = 50
	priorWeight     = 5
	leaderboardRule = "groups are ordered by (sum of mqa_score + 5 × the register's mean) / (entries + 5); confidence is entries / (entries + 5)"
)

// NewLeaderboard ranks entries, institutions and countries by mqa_score.
func NewLeaderboard(c *snapshot.Catalog) Leaderboard {
	out := Leaderboard{Snapshot: c.ID, Rule: leaderboardRule, Entries: []Ref{}}
	best := slices.Clone(c.Order)
	slices.SortFunc(best, func(a, b int32) int {
		if r := cmp.Compare(c.Lines[b].MQA, c.Lines[a].MQA); r != 0 {
			return r
		}
		return cmp.Compare(a, b)
	})
	for _, i := range best[:min(len(best), LeadersMax)] {
		out.Entries = append(out.Entries, NewRef(&c.Lines[i]))
	}
	out.Institutions = groups(c, func(l *snapshot.Line) string { return l.InstitutionID }, func(key string) string {
		if i := c.Institutions[key]; i != nil {
			return cmp.Or(i.NameEn, i.Name)
		}
		return key
	})
	out.Countries = groups(c, func(l *snapshot.Line) string { return l.Country }, func(key string) string { return key })
	return out
}

type group struct{ entries, sum, verified int }

func groups(c *snapshot.Catalog, key func(*snapshot.Line) string, name func(string) string) []GroupScore {
	found, total := map[string]*group{}, 0
	for _, i := range c.Order {
		l := &c.Lines[i]
		total += int(l.MQA)
		k := key(l)
		if k == "" {
			continue
		}
		if found[k] == nil {
			found[k] = &group{}
		}
		found[k].entries++
		found[k].sum += int(l.MQA)
		if l.State == catalog.StateVerified {
			found[k].verified++
		}
	}
	mean := 0.0
	if len(c.Order) > 0 {
		mean = float64(total) / float64(len(c.Order))
	}
	out := make([]GroupScore, 0, len(found))
	for k, g := range found {
		n := float64(g.entries)
		out = append(out, GroupScore{Key: k, Name: name(k), Entries: g.entries, Mean: tenth(float64(g.sum) / n),
			Adjusted: tenth((float64(g.sum) + priorWeight*mean) / (n + priorWeight)), Confidence: math.Round(n/(n+priorWeight)*100) / 100, Verified: g.verified})
	}
	slices.SortFunc(out, func(a, b GroupScore) int {
		if r := cmp.Compare(b.Adjusted, a.Adjusted); r != 0 {
			return r
		}
		return cmp.Compare(a.Key, b.Key)
	})
	for i := range out {
		out[i].Rank = i + 1
	}
	return out[:min(len(out), LeadersMax)]
}

// tenth turns tenths of a point into points with one decimal.
func tenth(tenths float64) float64 { return math.Round(tenths) / 10 }
