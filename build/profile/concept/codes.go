package concept

import (
	"embed"
	"strings"
	"sync"

	"github.com/assay-register/assay/build/reference"
	"github.com/assay-register/assay/render/codelist"
)

//go:embed *.tsv
var tables embed.FS

// codes are the code lists; each line of a table names its source.
type codes struct {
	alpha2, alpha3, numeric, currency, language, nuts, nace map[string]bool
}

var load = sync.OnceValue(func() *codes {
	c := &codes{alpha2: map[string]bool{}, alpha3: map[string]bool{}, numeric: map[string]bool{},
		currency: column(tables, "currencies.tsv"), language: column(tables, "languages.tsv"),
		nuts: column(codelist.Files, "nuts.tsv"), nace: column(tables, "nace.tsv")}
	countries, err := reference.Countries()
	if err != nil {
		panic("the embedded table of countries: " + err.Error())
	}
	for _, k := range countries {
		c.alpha2[k.Alpha2], c.alpha3[k.Alpha3] = true, true
		if k.Numeric != "" {
			c.numeric[k.Numeric] = true
		}
	}
	return c
})

// column reads the first column of an embedded table; a test checks the rest.
func column(files embed.FS, file string) map[string]bool {
	text, err := files.ReadFile(file)
	if err != nil {
		panic("the embedded table: " + err.Error())
	}
	out := map[string]bool{}
	for _, line := range strings.Split(strings.TrimSpace(string(text)), "\n")[1:] {
		code, _, _ := strings.Cut(line, "\t")
		out[code] = true
	}
	return out
}

func validAlpha2(s string) bool   { return load().alpha2[s] }
func validAlpha3(s string) bool   { return load().alpha3[s] }
func validNumeric(s string) bool  { return load().numeric[s] }
func validCurrency(s string) bool { return load().currency[s] }
func validLanguage(s string) bool { return load().language[s] }

// validNUTS checks the first three characters by the list and the rest by form.
func validNUTS(s string) bool {
	return nutsForm.MatchString(s) && load().nuts[s[:min(len(s), 3)]]
}

// validNACE checks section and division by the list and the rest by form.
func validNACE(s string) bool {
	m := naceForm.FindStringSubmatch(s)
	return m != nil && (load().nace[m[1]] || load().nace[m[2]])
}
