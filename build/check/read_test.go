package check

import (
	"encoding/json"
	"strings"
	"testing"
)

// TestIsJSON agrees with the judge of what fits into memory.
func TestIsJSON(t *testing.T) {
	for _, text := range []string{`{}`, `[]`, `1`, `"a"`, ` {"a":[1,{"b":null}]} `, `[1,2`, `{"a"`, `{"a":}`, `[1 2]`, `{}{}`, `1 2`, ``, ` `, `]`, `{"a":1,}`, `[[]]]`, `nul`, "\x00"} {
		if got, want := isJSON(strings.NewReader(text)), json.Valid([]byte(text)); got != want {
			t.Errorf("%q: %t, want %t", text, got, want)
		}
	}
}
