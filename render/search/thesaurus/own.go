package thesaurus

import (
	"slices"
	"strings"
	"sync"
)

// own are the concepts of a register of its own, by their code.
var own struct {
	sync.Mutex
	list   []Concept
	byCode map[string]int
}

// Extend adds concepts that a register brings itself, such as its municipalities or the descriptors of
// EuroVoc. Names of a language are in their order, the preferred one first. It has to be called before
// anything is indexed or looked for, for tables that were read do not change.
func Extend(list []Concept) {
	own.Lock()
	defer own.Unlock()
	if own.byCode == nil {
		own.byCode = map[string]int{}
	}
	for _, c := range list {
		for _, code := range c.Codes {
			own.byCode[code] = len(own.list)
		}
		own.list = append(own.list, c)
	}
}

// ownOnes are those that are places or are none.
func ownOnes(place bool) []Concept {
	own.Lock()
	defer own.Unlock()
	return slices.DeleteFunc(slices.Clone(own.list), func(c Concept) bool { return c.Place != place })
}

// CodeOf is the code under which a register's own tables know what a source states, "" where they do
// not: the address itself with and without its last slash and as http or https, or what an address of
// a table of local administrative units (LAU) ends with.
func CodeOf(stated string) string {
	own.Lock()
	defer own.Unlock()
	if len(own.byCode) == 0 {
		return ""
	}
	plain := strings.TrimSuffix(strings.Replace(stated, "https://", "http://", 1), "/")
	for _, code := range []string{plain, lauCode(plain)} {
		if _, known := own.byCode[code]; known {
			return code
		}
	}
	return ""
}

// LAU begins the codes of local administrative units (Eurostat), of which the country and the code in
// it follow: lau:BE_11001.
const LAU = "lau:"

// lauCode is the code of a local administrative unit that an address names.
func lauCode(address string) string {
	if _, rest, ok := strings.Cut(strings.ToLower(address), "/lau/"); ok && rest != "" {
		return LAU + strings.ToUpper(strings.ReplaceAll(rest[strings.LastIndexByte(rest, '/')+1:], "-", "_"))
	}
	return ""
}

// NameOf is what a register's own tables call what a source states, in a language or else in English
// or in the first that they have; "" where they do not know it.
func NameOf(stated, lang string) string {
	code := CodeOf(stated)
	if code == "" {
		return ""
	}
	own.Lock()
	defer own.Unlock()
	names := own.list[own.byCode[code]].Names
	for _, l := range []string{lang, "en", ""} {
		if i := slices.IndexFunc(names, func(n Name) bool { return n.Lang == l }); i >= 0 {
			return names[i].Text
		}
	}
	if len(names) == 0 {
		return ""
	}
	return names[0].Text
}
