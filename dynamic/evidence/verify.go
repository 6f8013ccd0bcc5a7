package evidence

import (
	"crypto/sha256"
	"encoding/hex"
	"net/http"

	"github.com/assay-register/assay/dynamic/query"
	"github.com/assay-register/assay/dynamic/web"
	"github.com/assay-register/assay/render/artifact"
	"github.com/assay-register/assay/render/catalog"
	"github.com/assay-register/assay/render/wire"
)

// Verify says which published pages and which kept citations have a hash.
func (d *Handlers) Verify() web.Handler {
	return func(w http.ResponseWriter, r *http.Request) error {
		values, err := web.DecodeQuery(r.URL.RawQuery)
		if err != nil {
			return err
		}
		if err := query.ParseNone(values); err != nil {
			return err
		}
		text := r.PathValue("sha256")
		var sum [sha256.Size]byte
		if n, err := hex.Decode(sum[:], []byte(text[:min(len(text), 2*sha256.Size)])); err != nil || n != len(sum) || hex.EncodeToString(sum[:]) != text {
			return &web.Error{Problem: wire.Problem{Status: http.StatusUnprocessableEntity, Type: web.ProblemParameter, Detail: "The hash cannot be read.",
				Errors: []wire.ProblemError{{Location: "path.sha256", Message: "use the 64 lower-case hex digits of a SHA-256", Value: web.Shorten(text)}}}}
		}
		report, err := d.report(r, text, sum)
		if err != nil {
			return err
		}
		if len(report.Matches) == 0 {
			return web.NotFound("No page of the published snapshots and no kept citation has this hash. Live answers are kept only when they are cited.")
		}
		body, err := web.JSON(report)
		if err != nil {
			return err
		}
		return (&web.Document{Head: web.Head{Type: artifact.JSON, Cache: web.CacheLive}, Body: web.NewBody(body)}).Write(w, r)
	}
}

func (d *Handlers) report(r *http.Request, text string, sum [sha256.Size]byte) (*wire.HashReport, error) {
	site, current := d.Library.Site()
	out := &wire.HashReport{SHA256: text, Matches: []wire.HashMatch{}, Searched: []string{}}
	found, searched, err := d.Library.FindHash(sum)
	if err != nil {
		return nil, err
	}
	out.Searched = append(out.Searched, searched...)
	for _, f := range found {
		of, href := wire.HashOfBody, ""
		if f.Manifest {
			of = wire.HashOfAnswer
		}
		if f.Snapshot == current {
			href = wire.Path(site, f.Route)
		}
		out.Matches = append(out.Matches, wire.NewHashMatch(of, f.Snapshot, f.Route, "", href, nil))
	}
	return out, d.Store.View(r.Context(), func(tx catalog.Tx) error {
		kept, err := tx.Evidences().ByHash(r.Context(), text)
		for i := range kept {
			c := wire.NewCitation(site, &kept[i])
			of := wire.HashOfBody
			if kept[i].SHA256 != text {
				of = wire.HashOfAnswer
			}
			out.Matches = append(out.Matches, wire.NewHashMatch(of, kept[i].Snapshot, kept[i].Route, c.ID, c.Href, c.CreatedAt))
		}
		return err
	})
}
