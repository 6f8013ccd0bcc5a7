// Package names reads tables of what a register calls places and things in many languages: SKOS in
// any syntax of RDF (EuroVoc, the authority tables of the EU, exports of GeoNames), and CSV, in the
// form of Eurostat's table of local administrative units (LAU) or with a column for each language.
package names

import (
	"bufio"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/assay-register/assay/build/rdf"
	"github.com/assay-register/assay/render/search/thesaurus"
)

// Bounds of what is read: bytes of a file, concepts of all files, names of a concept, bytes of a name.
const (
	fileMax     = 512 << 20
	conceptsMax = 500_000
	namesMax    = 400
	nameMax     = 200
)

// Read reads the files in their order; sum is a hash of them all, "" without one.
func Read(paths []string) (list []thesaurus.Concept, sum string, err error) {
	if len(paths) == 0 {
		return nil, "", nil
	}
	hash := sha256.New()
	for _, path := range paths {
		t := table{at: map[string]int{}}
		if err := t.read(path, hash); err != nil {
			return nil, "", fmt.Errorf("%s: %w", path, err)
		}
		if len(t.list) == 0 {
			return nil, "", fmt.Errorf("%s: nothing in it has a name: use SKOS with skos:prefLabel, or CSV with the columns code and a language such as en, or LAU CODE and LAU NAME NATIONAL", path)
		}
		if list = append(list, t.list...); len(list) > conceptsMax {
			return nil, "", fmt.Errorf("%s: more than %d names of places and things; leave some out", path, conceptsMax)
		}
	}
	return list, hex.EncodeToString(hash.Sum(nil)), nil
}

// table is what one file holds.
type table struct {
	list []thesaurus.Concept
	at   map[string]int // place in the list by code
}

func (t *table) read(path string, hash io.Writer) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	left := &io.LimitedReader{R: f, N: fileMax + 1}
	in := bufio.NewReaderSize(io.TeeReader(left, hash), 1<<16)
	lower := strings.ToLower(path)
	switch syntax := rdf.Extension(path); {
	case strings.HasSuffix(lower, ".csv"), strings.HasSuffix(lower, ".tsv"):
		err = t.rows(in, strings.HasSuffix(lower, ".tsv"))
	case syntax != 0:
		err = t.skos(in, syntax)
	default:
		return errors.New("its name tells no form: use .csv, .tsv, .ttl, .nt, .rdf or .jsonld")
	}
	if err == nil && left.N <= 0 {
		return fmt.Errorf("longer than %d MiB; leave out what no reader asks for", fileMax>>20)
	}
	return err
}

// concept is the one of a code, a new one if the file had none before.
func (t *table) concept(code string) (*thesaurus.Concept, error) {
	i, known := t.at[code]
	if !known {
		if i = len(t.list); i == conceptsMax {
			return nil, fmt.Errorf("more than %d names of places and things; leave some out", conceptsMax)
		}
		t.at[code] = i
		t.list = append(t.list, thesaurus.Concept{ID: "own:" + code, Codes: []string{code}, Place: isPlace(code) || !strings.Contains(code, "://")})
	}
	return &t.list[i], nil
}

// name adds a name to a concept; preferred ones stand first.
func name(c *thesaurus.Concept, text, lang string, preferred bool) {
	text = strings.Join(strings.Fields(text), " ")
	if text == "" || len(text) > nameMax || len(c.Names) == namesMax {
		return
	}
	lang, _, _ = strings.Cut(strings.ToLower(lang), "-")
	n := thesaurus.Name{Text: text, Lang: lang}
	for i := range c.Names {
		if o := &c.Names[i]; o.Text == text && o.Lang == lang {
			return
		}
	}
	if preferred {
		c.Names = append([]thesaurus.Name{n}, c.Names...)
		return
	}
	c.Names = append(c.Names, n)
}

// placeTables are parts of addresses that tell that it is a place.
var placeTables = []string{"/nuts/", "/lau/", "/authority/country/", "/authority/place/", "/authority/atu/", "sws.geonames.org/", thesaurus.LAU}

func isPlace(code string) bool {
	for _, table := range placeTables {
		if strings.Contains(code, table) {
			return true
		}
	}
	return false
}
