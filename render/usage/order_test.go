package usage

import (
	"slices"
	"testing"
)

func TestByUse(t *testing.T) {
	for _, tt := range []struct{ in, want []string }{
		{[]string{"CSV", "HTML", "JSON", "PDF"}, []string{"CSV", "JSON", "HTML", "PDF"}},
		{[]string{"GEOJSON", "GPKG", "HTML", "SHP", "WMS_SRVC", "XLSX"}, []string{"GEOJSON", "XLSX", "GPKG", "SHP", "WMS_SRVC", "HTML"}},
		{[]string{"7Z", "PDF", "SAV", "XML", "ZIP"}, []string{"XML", "7Z", "SAV", "ZIP", "PDF"}},
		{nil, nil},
	} {
		if got := ByUse(tt.in); !slices.Equal(got, tt.want) {
			t.Errorf("%q: %q, want %q", tt.in, got, tt.want)
		}
	}
}
