package ckan

import (
	"cmp"
	"errors"
	"io/fs"
	"math"
	"time"

	"github.com/assay-register/assay/dynamic/query"
	"github.com/assay-register/assay/render/catalog"
	"github.com/assay-register/assay/render/snapshot"
	"github.com/assay-register/assay/render/wire"
)

// unlimited is a number of values that no register has.
const unlimited = math.MaxInt32

func gone(err error) bool { return errors.Is(err, fs.ErrNotExist) }

// byName orders entries by their names in addresses.
func byName(a, b *snapshot.Line) int { return cmp.Compare(a.Slug, b.Slug) }

// byChange orders entries by when they changed.
func byChange(a, b *snapshot.Line) int { return cmp.Compare(a.Updated, b.Updated) }

// lastChanged puts what changed last first.
var lastChanged = []query.Key{{Compare: byChange, Desc: true}}

// packageList answers the names of the entries.
func packageList(c *call) (any, error) {
	found, err := c.s.Select(c.r.Context(), &query.Selection{Order: []query.Key{{Compare: byName}}, Offset: c.number("offset", 0), Limit: c.amount("limit", wire.CKANNamesMax, wire.CKANNamesMax)})
	if err != nil {
		return nil, err
	}
	out := make([]string, len(found.Lines))
	for i, l := range found.Lines {
		out[i] = l.Slug
	}
	return out, nil
}

// currentPackages answers the entries whole.
func currentPackages(c *call) (any, error) {
	limit := c.amount("limit", wire.CKANRowsDefault, wire.CKANRowsMax)
	offset := c.number("offset", 0)
	if c.has("page") {
		offset = min((c.number("page", 1)-1)*limit, unlimited)
	}
	found, err := c.s.Select(c.r.Context(), &query.Selection{Order: lastChanged, Offset: offset, Limit: limit})
	if err != nil {
		return nil, err
	}
	return c.packages(found.Lines)
}

// activity is one change of a package.
type activity struct {
	ID           string `json:"id"`
	Timestamp    string `json:"timestamp"`
	UserID       string `json:"user_id"`
	ObjectID     string `json:"object_id"`
	ActivityType string `json:"activity_type"`
	Data         any    `json:"data"`
}

// recentlyChanged answers the last change of each entry, the latest first.
func recentlyChanged(c *call) (any, error) {
	found, err := c.s.Select(c.r.Context(), &query.Selection{Order: lastChanged, Offset: c.number("offset", 0), Limit: c.amount("limit", wire.CKANChanges, wire.CKANRowsMax)})
	if err != nil {
		return nil, err
	}
	out := []activity{}
	for _, l := range found.Lines {
		at := time.Unix(l.Updated, 0).UTC().Format("2006-01-02T15:04:05.000000")
		kind := "changed package"
		if l.Updated == l.Created {
			kind = "new package"
		}
		out = append(out, activity{catalog.NewID("activity", l.ID+" "+at), at, "register", l.ID, kind,
			map[string]any{"package": map[string]string{"id": l.ID, "name": l.Slug, "title": l.Name}}})
	}
	return out, nil
}

// helpShow answers what an action does.
func helpShow(c *call) (any, error) {
	for _, a := range wire.CKANActions() {
		if a.Name == c.get("name") {
			return a.Description, nil
		}
	}
	return nil, notFound("Action name not known")
}
