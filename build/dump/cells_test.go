package dump

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestTexts holds the short way of reading a list to what a reader of JSON finds.
func TestTexts(t *testing.T) {
	for _, s := range []string{
		`["a"]`, `["a","b"]`, `[""]`, `["",""]`, `[]`, `["a" , "b"]`, `[ "a","b"]`, `["a,b","c"]`, `["a\",\"b"]`, `["\\","b"]`, `["a\u0000","é"]`,
		`["]`, `["a""b"]`, `["a","b]`, `["a",1,"b"]`, `["a"],["b"]`, `"a"`, ``, `["a",["b"],"c"]`, `["a","b",null,"c"]`,
	} {
		var want []string
		wrong := json.Unmarshal([]byte(s), &want)
		got, err := texts(s)
		if (err != nil) != (wrong != nil) {
			t.Errorf("%s: %v, want %v", s, err, wrong)
		} else if d := cmp.Diff(want, got); d != "" && err == nil {
			t.Errorf("%s:\n%s", s, d)
		}
	}
}
