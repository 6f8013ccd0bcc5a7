package reference

import (
	"io/fs"
	"strings"
)

const (
	capitals = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
	digits   = "0123456789"
)

func parseCountries(fsys fs.FS) ([]Country, error) {
	rows, err := readTable(fsys, "countries.tsv", "alpha2", "alpha3", "numeric", "name_en")
	if err != nil {
		return nil, err
	}
	seen := unique{}
	countries := make([]Country, 0, len(rows))
	for _, r := range rows {
		if err := checkCountry(r, seen); err != nil {
			return nil, err
		}
		countries = append(countries, Country{
			Alpha2: r.get("alpha2"), Alpha3: r.get("alpha3"), Numeric: r.get("numeric"), NameEn: r.get("name_en"),
		})
	}
	return countries, nil
}

func checkCountry(r row, seen unique) error {
	if v := r.get("alpha2"); !consists(v, 2, capitals) {
		return r.errorf("alpha2", "write the ISO code", "%q is not two capital letters", v)
	}
	if v := r.get("alpha3"); !consists(v, 3, capitals) {
		return r.errorf("alpha3", "write the ISO code", "%q is not three capital letters", v)
	}
	if v := r.get("numeric"); v != "" && !consists(v, 3, digits) {
		return r.errorf("numeric", "keep leading zeros, or leave it empty", "%q is not three digits", v)
	}
	for _, column := range []string{"alpha2", "alpha3", "numeric"} {
		if v := r.get(column); v != "" {
			if err := seen.claim(r, column, v, "keep one of the two rows"); err != nil {
				return err
			}
		}
	}
	return r.need("name_en")
}

// countryCodes returns the set of alpha-2 codes.
func countryCodes(fsys fs.FS) (map[string]bool, error) {
	countries, err := parseCountries(fsys)
	if err != nil {
		return nil, err
	}
	codes := make(map[string]bool, len(countries))
	for _, c := range countries {
		codes[c.Alpha2] = true
	}
	return codes, nil
}

// checkCode fails if a cell is no country code of the table.
func checkCode(r row, column string, codes map[string]bool) error {
	if v := r.get(column); !codes[v] {
		return r.errorf(column, "use an alpha-2 code of countries.tsv", "%q is no country", v)
	}
	return nil
}

// consists reports whether s has the size and only the given characters.
func consists(s string, size int, of string) bool {
	return len(s) == size && strings.Trim(s, of) == ""
}
