package reference

import (
	"regexp"
	"strings"
	"unicode"

	"github.com/assay-register/assay/render/catalog"
	"github.com/assay-register/assay/render/search"
)

// LicenceIndex finds the licence that a publisher means.
type LicenceIndex struct {
	ids map[string]string // by licenceKeys; empty where two licences claim one
}

// NewLicenceIndex indexes ids, titles, addresses and aliases.
func NewLicenceIndex(licences []Licence) *LicenceIndex {
	index := &LicenceIndex{ids: make(map[string]string, 8*len(licences))}
	for _, l := range licences {
		for _, key := range licenceKeys(l) {
			if id, taken := index.ids[key]; taken && id != l.ID {
				index.ids[key] = ""
				continue
			}
			index.ids[key] = l.ID
		}
	}
	return index
}

// Resolve returns the id of the licence whose id, title, address or alias is
// raw. Case, spaces, punctuation and the spelling "license" do not matter in
// names; scheme, www, a final slash and the parts /deed and /legalcode do not in
// addresses. Nothing is guessed: a name without the version that would decide
// stays unresolved, and so does a text that is too long for a name.
func (x *LicenceIndex) Resolve(raw string) (id string, ok bool) {
	if len(raw) > catalog.RawLicenceMax {
		return "", false
	}
	page, _, _ := strings.Cut(raw, "#")
	for _, key := range []string{nameKey(raw), urlKey(raw), urlKey(page), nameKey(creativeCommons(raw))} {
		if id := x.ids[key]; id != "" {
			return id, true
		}
	}
	if m := licensedUnder.FindStringSubmatch(raw); m != nil {
		return x.Resolve(m[1])
	}
	return x.bracketed(raw)
}

// licensedUnder is a sentence that says nothing but the name of a licence, or its address.
var licensedUnder = regexp.MustCompile(`(?i)^\s*(?:(?:(?:this|the) (?:data|dataset|work|information) is |(?:data |dataset )?)(?:licen[sc]ed|available|published|released|provided) under (?:the |an? )?(?:terms of the )?|` +
	`(?:licen[sc]e|lizenz|licence|licencia|licenza|licença|licentie|licens|lisens|lisenssi|licencja)\s*:\s*)(.+?)\s*\.?\s*$`)

// withAddress is a name with an address behind it.
var withAddress = regexp.MustCompile(`^(.+?)[\s,;:–-]*[(<\[]?\s*(https?://[^\s()<>\[\]"]+)\s*[)>\]]?\s*\.?$`)

// bracketed reads a name with an address behind it: both are the same licence, or one of them is one and the other is
// none.
func (x *LicenceIndex) bracketed(raw string) (string, bool) {
	m := withAddress.FindStringSubmatch(raw)
	if m == nil {
		return "", false
	}
	name, named := x.Resolve(strings.TrimRight(m[1], " ,;:-–("))
	page, paged := x.Resolve(strings.TrimRight(m[2], ".,;"))
	if named && paged && name != page {
		return "", false
	}
	if named {
		return name, true
	}
	// Words that are no name may say anything of the licence behind the address.
	return page, paged && len(m[1]) <= 60 && !strings.Contains(m[1], "://")
}

// licenceKeys returns the keys under which a licence is found.
func licenceKeys(l Licence) []string {
	spdx := urlKey("https://spdx.org/licenses/" + l.ID)
	keys := []string{nameKey(l.ID), nameKey(l.Title), spdx, spdx + ".html", spdx + ".json"}
	for _, name := range append([]string{l.URL, l.EUURI}, l.Aliases...) {
		switch {
		case name == "":
		case strings.Contains(name, "://"):
			keys = append(keys, urlKey(name))
		default:
			keys = append(keys, nameKey(name))
		}
	}
	return keys
}

// nameKey reduces a name to its letters and digits. The plus of "GPL-3.0+"
// stays, because it makes another licence.
func nameKey(name string) string {
	key := strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsNumber(r) || r == '+' {
			return r
		}
		return -1
	}, search.Fold(name))
	return "name:" + strings.ReplaceAll(key, "license", "licence")
}

// urlKey reduces an address to what tells two licences apart.
func urlKey(address string) string {
	key := strings.ToLower(strings.TrimSpace(address))
	key = strings.TrimPrefix(strings.TrimPrefix(key, "https:"), "http:")
	key = strings.TrimPrefix(strings.TrimPrefix(key, "//"), "www.")
	key = strings.ReplaceAll(strings.TrimRight(key, "/"), "/#", "#")
	dir, last, _ := cutLast(key, "/")
	if page, _, _ := strings.Cut(last, "."); page == "deed" || page == "legalcode" {
		key = dir
	}
	return "url:" + key
}

// cutLast is strings.Cut around the last separator.
func cutLast(s, sep string) (before, after string, found bool) {
	if i := strings.LastIndex(s, sep); i >= 0 {
		return s[:i], s[i+len(sep):], true
	}
	return s, "", false
}
