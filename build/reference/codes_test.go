package reference

import (
	"strings"
	"testing"
	"testing/fstest"
)

func TestShippedCodes(t *testing.T) {
	for name, c := range map[string]struct {
		load func() ([]Code, error)
		want int
		code string
	}{
		"file-type": {FileTypes, 200, "CSV"}, "frequency": {Frequencies, 38, "ANNUAL"},
		"data-theme": {Themes, 13, "ENVI"}, "hvd": {HVDCategories, 96, "c_ac64a52d"},
	} {
		codes, err := c.load()
		if err != nil || len(codes) != c.want {
			t.Errorf("%s: %d codes, error %v", name, len(codes), err)
		}
		found := false
		for _, code := range codes {
			found = found || code.Code == c.code
		}
		if !found {
			t.Errorf("%s: no code %s", name, c.code)
		}
	}
}

func TestParseCodesNamesTheFault(t *testing.T) {
	const head = "code\tlabel_en\tvalues\taliases\n"
	for name, c := range map[string]struct{ text, want string }{
		"header":       {"code\tlabel\n", "header"},
		"no label":     {head + "CSV\t\ttext/csv\t\n", `x.tsv:2: column "label_en"`},
		"same code":    {head + "CSV\tCSV\t\t\nCSV\tother\t\t\n", `x.tsv:3: column "code"`},
		"same value":   {head + "A\tA\ttext/a\t\nB\tB\ttext/a\t\n", `x.tsv:3: column "values"`},
		"same alias":   {head + "A\tA\t\ta\nB\tB\t\ta\n", `x.tsv:3: column "aliases"`},
		"empty item":   {head + "A\tA\t\ta||b\n", "an item is empty"},
		"capital":      {head + "A\tA\t\tAa\n", `"Aa"`},
		"with a space": {head + "A\tA\t\ta b\n", `"a b"`},
	} {
		_, err := parseCodes(fstest.MapFS{"x.tsv": &fstest.MapFile{Data: []byte(c.text)}}, "x.tsv")
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error %v, want one with %s", name, err, c.want)
		}
	}
}
