package reference

import (
	"cmp"
	"io/fs"
	"regexp"
	"slices"
	"strings"
	"sync"
)

// Source is a catalogue that lists official sources, as the product ships it:
// a starting point that harvests nothing unless it is named or enabled.
type Source struct {
	Key         string // stable handle, for example gb-data-gov
	Kind        string // the protocol it speaks
	URL         string // the catalogue's own page
	Endpoint    string // what is read, if that is not URL
	Title       string
	CountryCode string
	Institution string // key of the institution that runs it, empty if not in the tables
	Portal      bool   // it lists what others publish: its host tells nothing of who does
	Official    string // why it vouches for what it lists
	Source      string // where the kind and the address come from
}

// kinds are the protocols that a row may name (decisions §1).
var kinds = []string{"ckan", "dcat", "datajson", "udata", "socrata", "ods", "apisguru", "openapi", "mcp-registry", "server-json",
	"uk-api-catalogue", "api-gouv-fr", "ogc", "iso", "csw", "ogc-records", "oai-pmh", "ldes", "arcgis", "csv", "ndjson"}

var loadSources = sync.OnceValues(func() ([]Source, error) { return parseSources(tables) })

// Sources returns the catalogues that ship with the product, sorted by key.
func Sources() ([]Source, error) { return copied(loadSources()) }

// sourceKey is the form of a source's key.
var sourceKey = regexp.MustCompile(`^[a-z0-9]+(-[a-z0-9]+)*$`)

func parseSources(fsys fs.FS) ([]Source, error) {
	rows, err := readTable(fsys, "sources.tsv", "key", "kind", "url", "endpoint", "title", "country_code", "institution", "portal", "official", "source")
	if err != nil {
		return nil, err
	}
	codes, err := countryCodes(fsys)
	if err != nil {
		return nil, err
	}
	institutions, err := institutionKeys(fsys)
	if err != nil {
		return nil, err
	}
	keys, addresses := unique{}, unique{}
	list := make([]Source, 0, len(rows))
	for _, r := range rows {
		s := Source{Key: r.get("key"), Kind: r.get("kind"), URL: r.get("url"), Endpoint: r.get("endpoint"), Title: r.get("title"), CountryCode: r.get("country_code"),
			Institution: r.get("institution"), Portal: r.get("portal") == "yes", Official: r.get("official"), Source: r.get("source")}
		err := cmp.Or(r.need("key", "kind", "url", "title", "country_code", "official", "source"), r.webAddress("url"), r.webAddress("endpoint"), r.oneOf("kind", kinds...),
			checkCode(r, "country_code", codes), r.oneOf("portal", "yes", "no"), keys.claim(r, "key", s.Key, "choose another key"),
			addresses.claim(r, "url", s.URL, "one catalogue is one row"))
		switch {
		case err != nil:
		case !sourceKey.MatchString(s.Key):
			err = r.errorf("key", "use small letters, digits and hyphens", "%q is no key", s.Key)
		case s.Institution != "" && !institutions[s.Institution]:
			err = r.errorf("institution", "use the key of an institution, or leave it empty", "%q is in no table", s.Institution)
		}
		if err != nil {
			return nil, err
		}
		list = append(list, s)
	}
	slices.SortFunc(list, func(a, b Source) int { return strings.Compare(a.Key, b.Key) })
	return list, nil
}

func institutionKeys(fsys fs.FS) (map[string]bool, error) {
	list, err := parseInstitutions(fsys)
	keys := make(map[string]bool, len(list))
	for i := range list {
		keys[list[i].Key] = true
	}
	return keys, err
}
