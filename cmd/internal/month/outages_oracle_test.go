package month

import (
	"slices"
	"strconv"
	"strings"
	"testing"
)

// TestOracleOfOutages: what the oracle says of outages.
func TestOracleOfOutages(t *testing.T) {
	t.Parallel()
	answers := func(n int) func(*Portal, bool) {
		return func(p *Portal, on bool) {
			for _, it := range p.Items[:n] {
				if it.Answer = Good; on {
					it.Answer = Gone
				}
			}
		}
	}
	down := func(p *Portal, on bool) { p.Down = on }
	for name, c := range map[string]struct {
		kind   string
		change func(int, *Portal)
		want   string
	}{
		"two failures are none": {"ckan", during(2, 4, answers(1)), ""},
		"three are one":         {"ckan", during(2, 5, answers(1)), "x00 source 2-5"},
		"one that lasts":        {"ckan", during(2, 99, answers(1)), "x00 source 2--1"},
		"two of six":            {"ckan", during(2, 6, answers(2)), "x00 source 2-6, x01 source 2-6"},
		"half of them":          {"ckan", during(2, 6, answers(3)), "host several 2-6, x00 source 2-6, x01 source 2-6, x02 source 2-6"},
		"a host":                {"ckan", during(2, 6, down), "host unreachable 2-6"},
		"a host for a moment":   {"ckan", during(2, 3, down), ""},
		"a host of one":         {"ogc", during(2, 6, down), "x00 source 2-6"},
		"an item that leaves": {"ckan", during(3, 17, func(p *Portal, on bool) {
			answers(1)(p, on)
			p.Items[0].Listed = !on
		}), "x00 source 3-12!"},
	} {
		o, p := lived(c.kind, 20, c.change)
		var list []string
		for _, x := range sorted(o.Outages) {
			text := x.String()
			var of string
			if strings.Contains(text, "unresolved true") {
				of = "!"
			}
			subject := strings.Replace(strings.TrimPrefix(x.Subj, "k"+p.Key[len("portal-"):]), p.Host, "host", 1)
			list = append(list, subject+" "+x.Cause+" "+strconv.Itoa(x.From)+"-"+strconv.Itoa(x.Until)+of)
		}
		slices.Sort(list)
		if got := strings.Join(list, ", "); got != c.want {
			t.Errorf("%s: %s, want %s", name, got, c.want)
		}
	}
}
