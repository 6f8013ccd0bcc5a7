package profile

import (
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/assay-register/assay/render/catalog"
)

func spreadOf(t *testing.T, p *catalog.Profile, name string) *catalog.Spread {
	t.Helper()
	for i := range p.Fields {
		if p.Fields[i].Name == name {
			return p.Fields[i].Spread
		}
	}
	t.Fatalf("no field %s in %v", name, p.Fields)
	return nil
}

// TestSpreadsAreARecount makes 200 tables and counts their values again, by
// other means than the code does.
func TestSpreadsAreARecount(t *testing.T) {
	for seed := range uint64(200) {
		r := rand.New(rand.NewPCG(seed, 1))
		rows := 10 + r.IntN(300)
		var b strings.Builder
		b.WriteString("kind,amount,day\n")
		kinds, amounts, days := map[string]int64{}, []float64{}, []time.Time{}
		missing := int64(0)
		for range rows {
			kind := []string{"bridge", "tunnel", "road", ""}[r.IntN(4)]
			amount := float64(r.IntN(10_000)) / 10
			day := time.Date(2000+r.IntN(20), 1, 1+r.IntN(300), 0, 0, 0, 0, time.UTC)
			kinds[kind]++
			if kind == "" {
				missing++
			}
			amounts, days = append(amounts, amount), append(days, day)
			fmt.Fprintf(&b, "%s,%.1f,%s\n", kind, amount, day.Format("02.01.2006"))
		}
		p := profiled(t, "a.csv", []byte(b.String()))
		s := spreadOf(t, &p, "kind")
		if s.Missing != missing || s.Values != int64(rows)-missing {
			t.Errorf("seed %d: %d missing of %d, want %d of %d", seed, s.Missing, s.Values, missing, rows)
		}
		for _, v := range s.Top {
			if kinds[v.Value] != v.Count {
				t.Errorf("seed %d: %s %d times, want %d", seed, v.Value, v.Count, kinds[v.Value])
			}
		}
		numbers := make([]float64, rows)
		copy(numbers, amounts)
		recount(t, seed, spreadOf(t, &p, "amount"), numbers)
		for i, d := range days {
			numbers[i] = float64(d.Unix())
		}
		recount(t, seed, spreadOf(t, &p, "day"), numbers)
	}
}

// recount sorts values into ranges by their edges, from the last one down.
func recount(t *testing.T, seed uint64, s *catalog.Spread, values []float64) {
	t.Helper()
	low, high := values[0], values[0]
	for _, v := range values {
		low, high = min(low, v), max(high, v)
	}
	want := make([]int64, bins)
	for _, v := range values {
		n := bins - 1
		for n > 0 && (v-low)*bins < float64(n)*(high-low) {
			n--
		}
		want[n]++
	}
	off := int64(0)
	for i := range want {
		off += max(s.Bins[i]-want[i], want[i]-s.Bins[i])
	}
	// A value on an edge may fall on either side of it.
	if off > 2 {
		t.Errorf("seed %d: %v, want %v", seed, s.Bins, want)
	}
}

// TestNoSpreadOfPersons: what could tell who somebody is has no distribution.
func TestNoSpreadOfPersons(t *testing.T) {
	var b strings.Builder
	b.WriteString("surname,first_name,date_of_birth,salary,town\n")
	for i := range 40 {
		b.WriteString("Schmidt,Maria,19" + strconv.Itoa(60+i%30) + "-01-02," + strconv.Itoa(1000+i) + ",Berlin\n")
	}
	p := profiled(t, "a.csv", []byte(b.String()))
	for _, f := range p.Fields {
		if f.Personal != "" && f.Spread != nil || f.Spread != nil && (f.Spread.Top != nil || f.Spread.Bins != nil) {
			t.Errorf("%s, %s: %+v", f.Name, f.Personal, f.Spread)
		}
	}
	if p.Series != nil {
		t.Errorf("a series: %+v", p.Series)
	}
}

func TestSeries(t *testing.T) {
	for name, c := range map[string]struct {
		text string
		want int
	}{
		"years":                  {"year,population\n2019,5\n2020,10\n2021,20\n2022,15\n2023,30\n", 5},
		"months, the last first": {"month,value,note\n2024-05,1.5,a\n2024-04,2.5,a\n2024-03,2,b\n2024-02,7,b\n2024-01,8,b\n", 5},
		"in no order":            {"year,population\n2020,10\n2021,20\n2019,15\n2023,30\n2022,5\n", 0},
		"a register":             {"name,number,founded\nAlpha,7,2019-01-01\nBeta,9,2020-01-01\nGamma,4,2021-01-01\nDelta,5,2022-01-01\nEta,6,2023-01-01\n", 0},
		"repeated years":         {"year,town,population\n2020,Mons,1\n2020,Huy,2\n2021,Mons,3\n2021,Huy,4\n2022,Mons,5\n", 0},
		"too few":                {"year,population\n2020,10\n2021,20\n", 0},
		"no measure":             {"year,name\n2020,a\n2021,b\n2022,c\n2023,d\n2024,e\n", 0},
	} {
		p := profiled(t, "a.csv", []byte(c.text))
		switch {
		case c.want == 0 && p.Series != nil:
			t.Errorf("%s: %+v", name, p.Series)
		case c.want > 0 && (p.Series == nil || len(p.Series.Points) != c.want):
			t.Errorf("%s: %+v of %+v", name, p.Series, p.Fields)
		case c.want > 0 && p.Series.Points[0].At > p.Series.Points[1].At:
			t.Errorf("%s is not in order: %v", name, p.Series.Points)
		}
	}
}
