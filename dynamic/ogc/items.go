package ogc

import (
	"errors"
	"io/fs"
	"net/http"
	"net/url"
	"strconv"
	"time"

	"github.com/assay-register/assay/dynamic/web"
	"github.com/assay-register/assay/render/wire"
)

// page is a page of records.
type page struct {
	Type           string    `json:"type"`
	TimeStamp      string    `json:"timeStamp"`
	NumberMatched  int       `json:"numberMatched"`
	NumberReturned int       `json:"numberReturned"`
	Features       []*record `json:"features"`
	Links          []link    `json:"links"`
}

// Items answers a search for records.
func (a *API) Items(w http.ResponseWriter, r *http.Request) error {
	if err := check(r, wire.OGCItemParams()); err != nil {
		return err
	}
	values, err := web.DecodeQuery(r.URL.RawQuery)
	if err != nil {
		return err
	}
	s, err := a.library.At(r.Context(), "")
	if err != nil {
		return err
	}
	q, err := selection(s, values)
	if err != nil {
		return err
	}
	found, err := s.Select(r.Context(), q)
	if err != nil {
		return err
	}
	out := &page{Type: "FeatureCollection", TimeStamp: s.AsOf.UTC().Format(time.RFC3339), NumberMatched: found.Total, Features: []*record{}}
	for _, l := range found.Lines {
		e, err := a.documents.Record(s, l.ID)
		if errors.Is(err, fs.ErrNotExist) {
			continue // it left since the snapshot
		}
		if err != nil {
			return err
		}
		out.Features = append(out.Features, newRecord(s.Site, l, e))
	}
	out.NumberReturned = len(out.Features)
	turn := func(rel string, offset int) {
		next := url.Values{}
		for name := range values {
			next.Set(name, values.Get(name))
		}
		if offset > 0 || rel != "self" {
			next.Set("offset", strconv.Itoa(offset))
		}
		route := wire.RouteOGCRecords + "/items"
		if len(next) > 0 {
			route += "?" + next.Encode()
		}
		out.Links = append(out.Links, link{Href: absolute(s.Site, route), Rel: rel, Type: wire.MediaGeoJSON})
	}
	turn("self", q.Offset)
	if q.Offset+q.Limit < found.Total {
		turn("next", q.Offset+q.Limit)
	}
	if q.Offset > 0 {
		turn("prev", max(0, q.Offset-q.Limit))
	}
	out.Links = append(out.Links, at(s, wire.RouteOGCRecords, "collection", wire.MediaJSON, "The collection"))
	return a.answer(w, r, s, wire.MediaGeoJSON, out)
}
