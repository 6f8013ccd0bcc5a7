package month

import (
	"net/http/httptest"
	"strings"
	"testing"
)

// TestTroublesShow: whatever the protocol, what the script does to an item shows to
// who probes it.
func TestTroublesShow(t *testing.T) {
	t.Parallel()
	probed := map[string]string{"ckan": "/data/%", "dcat": "/data/%", "datajson": "/data/%", "udata": "/data/%", "ods": "/api/explore/v2.1/catalog/datasets/%/exports/csv",
		"socrata": "/d/%", "ogc": "/wms?request=GetCapabilities&service=WMS"}
	w := NewWorld(1, len(Kinds))
	for _, p := range w.Portals {
		it := p.Items[0]
		for answer, want := range map[Answer]int{Good: 200, Closed: 401, Gone: 404, Broken: 500} {
			it.Answer = answer
			path := strings.ReplaceAll(probed[p.Kind], "%", it.Key)
			if a := p.answer(httptest.NewRequest("GET", path, nil), 0); a.status != want {
				t.Errorf("%s %s: answer %d is status %d, want %d", p.Kind, path, answer, a.status, want)
			}
		}
	}
}
