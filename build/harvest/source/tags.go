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
	var out []string
	for _, r := range raw {
		for part := range strings.SplitSeq(r, ",") {
			tag, _ := Line(strings.ToLower(part))
			tag = strings.Trim(tag, " #;\"")
			if tag != "" && len(tag) <= catalog.TagMax {
				out = append(out, tag)
			}
		}
	}
	slices.Sort(out)
	out = slices.Compact(out)
	if len(out) > catalog.TagsMax {
		out = out[:catalog.TagsMax]
	}
	return out
}
