package reference

import (
	"slices"
	"strings"
	"testing"
)

func TestShippedAliases(t *testing.T) {
	aliases, err := Aliases()
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Contains(aliases["gr-elstat"], "ΕΛΣΤΑΤ") || len(aliases) < 100 {
		t.Errorf("%d institutions have aliases; gr-elstat has %q", len(aliases), aliases["gr-elstat"])
	}
}

func TestParseAliases(t *testing.T) {
	const header = "key\talias\tsource\n"
	institutions := institutionHeader + "gb-x\tThe X\t\ten\tGB\tAGENCY\t\t\t\tsite\n"
	for name, c := range map[string]struct{ rows, want string }{
		"good":            {"gb-x\tXX\tsite\ngb-x\tThe old X\tsite\n", ""},
		"unknown key":     {"gb-y\tY\tsite\n", "no institution"},
		"empty alias":     {"gb-x\t\tsite\n", "fill it in"},
		"no source":       {"gb-x\tXX\t\n", "fill it in"},
		"the same twice":  {"gb-x\tXX\tsite\ngb-x\tXX\tsite\n", "keep one"},
		"a loose space":   {"gb-x\tXX \tsite\n", "space"},
		"a column to few": {"gb-x\tXX\n", "2 columns"},
	} {
		t.Run(name, func(t *testing.T) {
			aliases, err := parseAliases(tree("institutions_a.tsv", institutions, "institution_aliases.tsv", header+c.rows))
			if c.want == "" {
				if err != nil || !slices.Equal(aliases["gb-x"], []string{"XX", "The old X"}) {
					t.Errorf("%q, error %v", aliases, err)
				}
				return
			}
			if err == nil || !strings.Contains(err.Error(), c.want) || !strings.Contains(err.Error(), "institution_aliases.tsv:") {
				t.Errorf("error %v, want %q and the place", err, c.want)
			}
		})
	}
}
