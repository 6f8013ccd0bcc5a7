package snapshot

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"github.com/assay-register/assay/render/catalog"
	"github.com/assay-register/assay/render/series"
)

// facets are what tells entries of one name apart where who is behind them, their
// period and their version do not, in the order in which they are tried: what the
// record states of its subject before where and when it is listed.
var facets = []func(*catalog.Entry) string{
	places,
	func(e *catalog.Entry) string { return filesPeriod(e).String() },
	protocol,
	func(e *catalog.Entry) string {
		return strings.Join(e.AlternativeTitles[:min(len(e.AlternativeTitles), 1)], "")
	},
	func(e *catalog.Entry) string { return catalog.Host(cmp.Or(e.PrimarySourceURL, e.HomepageURL)) },
	func(e *catalog.Entry) string { return strings.Join(e.Formats, ", ") },
	func(e *catalog.Entry) string { return dated("issued ", e.SourceIssuedAt) },
	func(e *catalog.Entry) string { return dated("modified ", e.SourceModifiedAt) },
	part(0), part(1), part(2), part(3),
}

// facetMax is how long, in bytes, what a qualifier says of one thing may be.
const facetMax = 80

// NameKey stands for a folded name; 0 is none.
type NameKey uint64

// KeyOfName is the key of a folded name.
func KeyOfName(folded string) NameKey {
	if folded == "" {
		return 0
	}
	return NameKey(hash64(folded))
}

// Repeated tells whether several visible entries have a name.
func (f *Frame) Repeated(name NameKey) bool { return f.names[uint64(name)].several() }

// TellApart takes the visible entries of one name, all of them, so that those whose
// qualifier would be the same get one that says more. All names must be seen
// before.
func (f *Frame) TellApart(name NameKey, list []*catalog.Entry) {
	mixed := f.names[uint64(name)].mixed()
	equal := map[string][]*catalog.Entry{}
	for _, e := range list {
		base := qualifier(e, f.Institutions[e.InstitutionID], mixed)
		equal[base] = append(equal[base], e)
	}
	for _, group := range equal {
		f.split(group, facets)
	}
}

// split adds what differs among entries to the qualifier of each until no two of
// them are the same.
func (f *Frame) split(list []*catalog.Entry, facets []func(*catalog.Entry) string) {
	if len(list) < 2 || len(facets) == 0 {
		return
	}
	equal := map[string][]*catalog.Entry{}
	for _, e := range list {
		value := facets[0](e)
		if len(value) > facetMax {
			value = ""
		}
		equal[value] = append(equal[value], e)
	}
	for value, group := range equal {
		if len(equal) > 1 && value != "" {
			for _, e := range group {
				f.told[e.ID] = append(f.told[e.ID], value)
			}
		}
		f.split(group, facets[1:])
	}
}

// places are the places that the record names: its words, and the codes of NUTS, of
// LAU and of countries. Addresses of other tables have no name here.
func places(e *catalog.Entry) string {
	if e.Dataset == nil {
		return ""
	}
	var names []string
	for _, place := range e.Dataset.Spatial {
		name := place
		if strings.Contains(place, "://") {
			name = ""
			for _, table := range []string{"/nuts/", "/lau/", "/authority/country/", "/authority/place/", "/authority/atu/"} {
				if strings.Contains(strings.ToLower(place), table) {
					name = place[strings.LastIndexByte(place, '/')+1:]
				}
			}
		}
		if name != "" && strings.ContainsFunc(name, letter) && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return strings.Join(names, ", ")
}

// letter tells names from coordinates.
func letter(r rune) bool { return r >= 'A' && r <= 'Z' || r >= 'a' && r <= 'z' || r > 0x7f }

// filesPeriod is the period that the titles of the files name, if they name one.
func filesPeriod(e *catalog.Entry) series.Period {
	var found series.Period
	if e.Dataset == nil {
		return found
	}
	for i := range e.Dataset.Distributions {
		switch p := series.Split(e.Dataset.Distributions[i].Title).Period; {
		case p.IsZero() || p == found:
		case found.IsZero():
			found = p
		default:
			return series.Period{}
		}
	}
	return found
}

// protocol is that of a service.
func protocol(e *catalog.Entry) string {
	if e.API == nil || e.API.SpecFormat == "none" {
		return ""
	}
	return strings.ToUpper(strings.TrimPrefix(e.API.SpecFormat, "ogc-"))
}

func dated(what string, t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return what + t.UTC().Format(time.DateOnly)
}

// part is the part of the catalogue's own identifier that is the nth from its end,
// for records that differ by nothing else; of a long number its beginning.
func part(n int) func(*catalog.Entry) string {
	return func(e *catalog.Entry) string {
		parts := strings.FieldsFunc(e.UpstreamRef, func(r rune) bool { return strings.ContainsRune("/:=#?&", r) })
		if len(parts) <= n {
			return ""
		}
		const shown, long = 8, 24
		part := parts[len(parts)-1-n]
		if len(part) > long && strings.Trim(strings.ToLower(part), "0123456789abcdef-") == "" {
			return part[:shown]
		}
		return part
	}
}
