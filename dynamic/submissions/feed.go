package submissions

import (
	"net/http"
	"strings"

	"github.com/assay-register/assay/dynamic/query"
	"github.com/assay-register/assay/dynamic/web"
	"github.com/assay-register/assay/render/catalog"
	"github.com/assay-register/assay/render/wire"
)

// feedMax is how many reports the feed has.
const feedMax = 50

// Feed tells the latest public reports as JSON Feed 1.1.
func (d *Handlers) Feed() web.Handler {
	return func(w http.ResponseWriter, r *http.Request) error {
		if _, err := query.ReadPlain(r, nil); err != nil {
			return err
		}
		site, _ := d.site()
		out := wire.ReportsFeed{Version: "https://jsonfeed.org/version/1.1", Title: site.Name + ": problems reported", HomePageURL: site.BaseURL + "/", FeedURL: d.url(wire.RouteReportsFeed), Items: []wire.ReportsFeedItem{}}
		err := d.store.View(r.Context(), func(tx catalog.Tx) error {
			list, err := tx.Reports().Published(r.Context(), "", feedMax)
			if err != nil {
				return err
			}
			shown, err := d.published(r.Context(), tx, list, nil)
			if err != nil {
				return err
			}
			ids := make([]string, len(shown))
			for i := range shown {
				ids[i] = shown[i].EntryID
			}
			found, err := tx.Entries().Get(r.Context(), ids...)
			if err != nil {
				return err
			}
			names := map[string]*catalog.Entry{}
			for i := range found {
				names[found[i].ID] = &found[i]
			}
			out.Items = out.Items[:0]
			for i := range shown {
				if e := names[shown[i].EntryID]; e != nil {
					out.Items = append(out.Items, d.item(&shown[i], e))
				}
			}
			return nil
		})
		if err != nil {
			return err
		}
		return web.Reply(w, r, http.StatusOK, out)
	}
}

// item is a report as an item of the feed.
func (d *Handlers) item(r *wire.PublicReport, e *catalog.Entry) wire.ReportsFeedItem {
	var text []string
	for _, part := range []*string{r.Field, r.Message, r.Evidence, r.Reason} {
		if part != nil && *part != "" {
			text = append(text, *part)
		}
	}
	for _, a := range r.Answers {
		text = append(text, a.By+": "+a.Text)
	}
	if len(text) == 0 {
		text = []string{string(r.Category)}
	}
	return wire.ReportsFeedItem{ID: "urn:uuid:" + r.ID, URL: d.url("/entry/" + e.Slug), Title: e.Name + ": " + strings.ToLower(string(r.Status)),
		ContentText: strings.Join(text, "\n\n"), DatePublished: r.CreatedAt, Tags: []string{string(r.Category)}}
}
