package openapidoc

import (
	"slices"

	"github.com/assay-register/assay/build/harvest/source"
)

// formats sets the codes of the media types in which the API answers.
func formats(b *source.Builder, types []string) {
	var codes []string
	for _, t := range types {
		if code, _ := source.Format(t); code != "" {
			codes = append(codes, code)
		}
	}
	if len(codes) == 0 {
		return
	}
	slices.Sort(codes)
	b.Draft.Entry.Formats = slices.Compact(codes)
	b.Remark("formats", "paths.*.*.responses.*.content", "media types to codes of the EU file-type table", "")
}
