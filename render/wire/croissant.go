package wire

import (
	"cmp"
	"path"
	"slices"
	"strings"

	"github.com/assay-register/assay/render/catalog"
	"github.com/assay-register/assay/render/snapshot"
)

// CroissantFormats are the media types of the files whose fields Croissant can extract.
var CroissantFormats = map[string]string{"csv": "text/csv", "tsv": "text/tab-separated-values", "json": "application/json", "ndjson": "application/jsonlines", "jsonl": "application/jsonlines", "geojson": "application/geo+json"}

// HasCroissant tells whether an entry has a document of Croissant: a dataset with a description
// and a licence, one of whose files was sampled.
func HasCroissant(s *snapshot.Scored) bool {
	e, p := s.Entry(), s.Row.Profile
	if e.Type != catalog.TypeDataset || e.Dataset == nil || e.Description == "" || s.Licence == nil || p == nil || len(p.Fields) == 0 {
		return false
	}
	return slices.ContainsFunc(e.Dataset.Distributions, func(d catalog.Distribution) bool {
		at := cmp.Or(d.DownloadURL, d.AccessURL)
		return at == p.Source && CroissantFormats[strings.ToLower(cmp.Or(d.Format, strings.TrimPrefix(path.Ext(at), ".")))] != ""
	})
}
