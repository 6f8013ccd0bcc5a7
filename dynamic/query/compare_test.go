package query

import (
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/assay-register/assay/render/wire"
)

func TestParseCompare(t *testing.T) {
	r, err := ParseCompare(url.Values{"ids": {" b ,a,b,c"}, "snapshot": {"20260101-000000000000"}})
	if err != nil || !slices.Equal(r.Names, []string{"b", "a", "c"}) || r.Snapshot != "20260101-000000000000" {
		t.Errorf("%+v, %v", r, err)
	}
	if r, err = ParseMatrix(url.Values{"ids": {"a,b"}, "format": {"csv"}}); err != nil || r.Format != "csv" {
		t.Errorf("%+v, %v", r, err)
	}
	if _, err = ParseCompare(url.Values{"ids": {"a,b,c,d,e,f,g,h,i,j,a"}}); err == nil {
		t.Error("eleven names are taken")
	}
	_, err = ParseCompare(url.Values{"ids": {"a"}, "format": {"csv"}, "snapshot": {"x"}})
	e, ok := err.(*paramsError)
	if !ok || len(e.errors) != 3 {
		t.Errorf("not all errors come together: %v", err)
	}
}

func TestParseOthers(t *testing.T) {
	if n, err := ParseRestate(url.Values{"notation": {"spdx"}}); err != nil || n != "spdx" {
		t.Errorf("%s, %v", n, err)
	}
	if f, err := ParseEvidence(url.Values{"format": {"csl"}}); err != nil || f != "csl" {
		t.Errorf("%s, %v", f, err)
	}
	for name, parse := range map[string]func(url.Values) (string, error){"notation": ParseRestate, "format": ParseEvidence} {
		for _, values := range []url.Values{{name: {"morse"}}, {"other": {"1"}}, {name: {"spdx", "spdx"}}} {
			if _, err := parse(values); err == nil {
				t.Errorf("%s accepts %v", name, values)
			}
		}
	}
}

// FuzzParseCompare reads any query: it names 2 to 10 different entries, or the
// error says what is wrong.
func FuzzParseCompare(f *testing.F) {
	for _, q := range []string{"ids=a,b", "ids=a", "ids=,,,", "ids=" + strings.Repeat("a,", 5000), "ids=a,b&ids=c", "ids=a,b&format=csv&snapshot=20260101-000000000000", "\xff=%00"} {
		f.Add(q)
	}
	f.Fuzz(func(t *testing.T, query string) {
		values, err := url.ParseQuery(query)
		if err != nil {
			return
		}
		r, err := ParseMatrix(values)
		if err != nil {
			if e, ok := err.(*paramsError); !ok || len(e.errors) == 0 {
				t.Errorf("%q: %v", query, err)
			}
			return
		}
		distinct := slices.Compact(slices.Sorted(slices.Values(r.Names)))
		if n := len(r.Names); n < wire.CompareMin || n > wire.CompareMax || len(distinct) != n || slices.Contains(distinct, "") {
			t.Errorf("%q: %q", query, r.Names)
		}
	})
}
