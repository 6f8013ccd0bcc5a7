package reference

import (
	"cmp"
	"io/fs"
	"slices"
	"sync"
)

var loadIdentifiers = sync.OnceValues(func() (map[string][]string, error) { return parseIdentifiers(tables) })

// Identifiers returns the persistent identifiers of institutions, by key, as
// Identifier writes them.
func Identifiers() (map[string][]string, error) { return loadIdentifiers() }

func parseIdentifiers(fsys fs.FS) (map[string][]string, error) {
	known, err := institutionKeys(fsys)
	if err != nil {
		return nil, err
	}
	rows, err := readTable(fsys, "institution_identifiers.tsv", "key", "identifier", "source")
	if err != nil {
		return nil, err
	}
	seen, all := unique{}, map[string][]string{}
	for _, r := range rows {
		key, id := r.get("key"), r.get("identifier")
		canonical, ok := BodyIdentifier(id)
		err := cmp.Or(r.need("key", "identifier", "source"), seen.claim(r, "identifier", id, "leave it with one of the two"))
		switch {
		case err != nil:
		case !known[key]:
			err = r.errorf("key", "use a key of the institutions_*.tsv tables", "%q is no institution", key)
		case !ok || canonical != id:
			err = r.errorf("identifier", "write the canonical IRI of a number of a known register", "%q is none", id)
		}
		if err != nil {
			return nil, err
		}
		all[key] = append(all[key], id)
	}
	for _, list := range all {
		slices.Sort(list)
	}
	return all, nil
}
