package edge

import (
	"regexp"
	"strings"
)

// tree is the table for the part of a configuration that serves files: what it
// does where there is none.
type tree struct {
	*table
	// Live is the suffix by which no file fits what only the service answers.
	Live string
	// Fallback and Pinned answer what has no file.
	Fallback, Pinned string
}

// Served is for a tree with a service behind it.
func (t *table) Served() tree { return tree{t, "$assay_live", "@service", "@service"} }

// Alone is for a tree without one.
func (t *table) Alone() tree { return tree{t, "", "@missing", "@expired"} }

// pattern is the regular expression of a path with stars.
func pattern(path string) string {
	return strings.ReplaceAll(regexp.QuoteMeta(path), `\*`, `[^/]+`)
}
