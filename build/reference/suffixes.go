package reference

import (
	"cmp"
	"io/fs"
	"slices"
)

// suffixKinds are the kinds of suffixes. The value says whether many bodies
// share the suffix, so that none may claim it as its own domain.
var suffixKinds = map[string]bool{
	"GOVERNMENT":     true,
	"HEALTH_SERVICE": true,
	"MILITARY":       true,
	"MUNICIPAL":      true,
	"POLICE":         true,
	"INTERNATIONAL":  false,
	"PARLIAMENT":     false,
	"REGION":         false,
	"SITE":           false, // the site of one government, such as canada.ca
}

func parseSuffixes(fsys fs.FS) ([]Suffix, error) {
	rows, err := readTable(fsys, "suffixes.tsv", "suffix", "country_code", "kind", "source")
	if err != nil {
		return nil, err
	}
	codes, err := countryCodes(fsys)
	if err != nil {
		return nil, err
	}
	seen := unique{}
	suffixes := make([]Suffix, 0, len(rows))
	for _, r := range rows {
		if err := checkSuffix(r, codes, seen); err != nil {
			return nil, err
		}
		suffixes = append(suffixes, Suffix{
			Suffix: r.get("suffix"), CountryCode: r.get("country_code"), Kind: r.get("kind"), Source: r.get("source"),
		})
	}
	return suffixes, nil
}

func checkSuffix(r row, codes map[string]bool, seen unique) error {
	suffix := r.get("suffix")
	if canonical, ok := canonicalHost(suffix); !ok || canonical != suffix {
		return r.errorf("suffix", "write it in lower-case ASCII without dots around it", "%q is no domain", suffix)
	}
	return cmp.Or(
		checkCode(r, "country_code", codes),
		r.oneOf("kind", sortedKinds()...),
		r.need("source"),
		seen.claim(r, "suffix", suffix, "keep one of the two rows"),
	)
}

func sortedKinds() []string {
	var kinds []string
	for kind := range suffixKinds {
		kinds = append(kinds, kind)
	}
	slices.Sort(kinds)
	return kinds
}

// sharedSuffixes returns the suffixes that nobody may own.
func sharedSuffixes(fsys fs.FS) (map[string]bool, error) {
	suffixes, err := parseSuffixes(fsys)
	if err != nil {
		return nil, err
	}
	shared := make(map[string]bool, len(suffixes))
	for _, s := range suffixes {
		shared[s.Suffix] = suffixKinds[s.Kind]
	}
	return shared, nil
}
