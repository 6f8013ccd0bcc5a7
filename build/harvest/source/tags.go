package source

import (
	"slices"
	"strings"

	"github.com/assay-register/assay/render/catalog"
)

// Tags writes tags in the register's form: lower case, single spaces, no
// commas (a comma separates tags), sorted, distinct, at most 50. A tag that is
// too long is dropped.
func Tags(raw ...string) []string {
	var parts []string
	for _, r := range raw {
		parts = append(parts, strings.Split(r, ",")...)
	}
	return wholeTags(parts)
}

// wholeTags is Tags for terms that are each one, whatever commas are in them: a
// comma becomes a space.
func wholeTags(raw []string) []string {
	var out []string
	for _, r := range raw {
		tag, _ := Line(strings.ReplaceAll(strings.ToLower(r), ",", " "))
		tag = strings.Trim(tag, " #;\"")
		if tag != "" && len(tag) <= catalog.TagMax {
			out = append(out, tag)
		}
	}
	slices.Sort(out)
	out = slices.Compact(out)
	if len(out) > catalog.TagsMax {
		out = out[:catalog.TagsMax]
	}
	return out
}
