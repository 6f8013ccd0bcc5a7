package reference

import (
	"io/fs"
	"sync"
)

var loadAliases = sync.OnceValues(func() (map[string][]string, error) { return parseAliases(tables) })

// Aliases returns further names under which institutions are known, by
// institution key: acronyms, former names, names in other languages.
func Aliases() (map[string][]string, error) { return loadAliases() }

func parseAliases(fsys fs.FS) (map[string][]string, error) {
	institutions, err := parseInstitutions(fsys)
	if err != nil {
		return nil, err
	}
	known := make(map[string]bool, len(institutions))
	for _, in := range institutions {
		known[in.Key] = true
	}
	rows, err := readTable(fsys, "institution_aliases.tsv", "key", "alias", "source")
	if err != nil {
		return nil, err
	}
	seen := unique{}
	aliases := map[string][]string{}
	for _, r := range rows {
		key, alias := r.get("key"), r.get("alias")
		if err := r.need("key", "alias", "source"); err != nil {
			return nil, err
		}
		if !known[key] {
			return nil, r.errorf("key", "use a key of the institutions_*.tsv tables", "%q is no institution", key)
		}
		if err := seen.claim(r, "alias", key+" "+alias, "keep one of the two rows"); err != nil {
			return nil, err
		}
		aliases[key] = append(aliases[key], alias)
	}
	return aliases, nil
}
