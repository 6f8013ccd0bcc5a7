package identity

import (
	"slices"

	"github.com/assay-register/assay/render/catalog"
)

// aliasesMax is how many references beside its own an entry keeps. A source
// whose records get new addresses with each export would add one a time.
const aliasesMax = 12

// Refs decides by which upstream reference an entry goes on: the one that it
// has while its record still delivers it, else the record's best one. The
// others, and those it had, are its aliases, the newest first; what several
// records have is none.
func Refs(found, record *catalog.Entry, ambiguous []string) (ref string, aliases []string) {
	delivered := append([]string{record.UpstreamRef}, record.UpstreamAliases...)
	ref = found.UpstreamRef
	if ref == "" || record.UpstreamRef != "" && !slices.Contains(delivered, ref) {
		ref = record.UpstreamRef
	}
	if slices.Contains(ambiguous, ref) {
		ref = ""
	}
	for _, other := range slices.Concat(delivered, []string{found.UpstreamRef}, found.UpstreamAliases) {
		if other != "" && other != ref && !slices.Contains(aliases, other) && !slices.Contains(ambiguous, other) && len(aliases) < aliasesMax {
			aliases = append(aliases, other)
		}
	}
	return ref, aliases
}

// Forsake takes a reference from an entry that turned out to be several
// records'. It tells whether the entry had it.
func Forsake(e *catalog.Entry, ref string) bool {
	if e.UpstreamRef != ref && !slices.Contains(e.UpstreamAliases, ref) {
		return false
	}
	e.UpstreamAliases = slices.DeleteFunc(slices.Clone(e.UpstreamAliases), func(alias string) bool { return alias == ref })
	if e.UpstreamRef == ref {
		if e.UpstreamRef = ""; len(e.UpstreamAliases) > 0 {
			e.UpstreamRef, e.UpstreamAliases = e.UpstreamAliases[0], e.UpstreamAliases[1:]
		}
	}
	if len(e.UpstreamAliases) == 0 {
		e.UpstreamAliases = nil
	}
	return true
}
