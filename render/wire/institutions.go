package wire

import (
	"math"
	"reflect"
	"strconv"
	"time"

	"github.com/assay-register/assay/render/catalog"
	"github.com/assay-register/assay/render/score"
	"github.com/assay-register/assay/render/snapshot"
)

// Average is a mean over the listed entries for which the value is known.
type Average struct {
	// Mean has one decimal; nil when no entry counts.
	Mean    *float64 `json:"mean"`
	Entries int      `json:"entries"`
}

// InstitutionHead is what lists and the page of an institution have in common.
type InstitutionHead struct {
	Institution Institution `json:"institution"`
	// Entries are the listed (active) entries, Deprecated the others that
	// still answer.
	Entries      int     `json:"entries"`
	Deprecated   int     `json:"deprecated"`
	Officialness Average `json:"average_official_confidence"`
	Quality      Average `json:"average_mqa_score"`
	// ChangedAt is the latest change of an entry.
	ChangedAt *string `json:"changed_at"`
}

// InstitutionItem is one institution of a list. Its page is found by its id or
// key; a pinned list may name one that has left since.
type InstitutionItem struct {
	InstitutionHead
}

// InstitutionsPage is one page of the institutions that have a visible entry.
type InstitutionsPage struct {
	Items      []InstitutionItem `json:"items"`
	Total      int               `json:"total"`
	Page       int               `json:"page"`
	Limit      int               `json:"limit"`
	TotalPages int               `json:"total_pages"`
	Snapshot   string            `json:"snapshot"`
	Links      Links             `json:"links"`
}

// NewInstitutionsPage is page n, counted from one, of institutions; its links are
// the caller's. A page beyond the last one is empty.
func NewInstitutionsPage(c *snapshot.Catalog, all []snapshot.Holding, n, limit int) InstitutionsPage {
	p := InstitutionsPage{Items: []InstitutionItem{}, Total: len(all), Page: n, Limit: limit, TotalPages: TotalPages(len(all), limit), Snapshot: c.ID}
	if n > p.TotalPages {
		return p
	}
	first := (n - 1) * limit
	for _, h := range all[first:min(first+limit, len(all))] {
		p.Items = append(p.Items, InstitutionItem{InstitutionHead: NewInstitutionHead(c, h.Institution, h.Ordinals)})
	}
	return p
}

// InstitutionPage is one institution with counts over its visible entries. It
// names no snapshot, so that it changes only with what it shows.
type InstitutionPage struct {
	InstitutionHead
	Types     []snapshot.Count `json:"types"`
	States    []snapshot.Count `json:"verification_states"`
	Countries []snapshot.Count `json:"countries"`
	Tiers     []snapshot.Count `json:"mqa_tiers"`
	// Latest is the entry that changed last.
	Latest *Ref             `json:"latest"`
	Links  InstitutionLinks `json:"links"`
}

// InstitutionLinks lead on from an institution. They name no document about
// the whole catalog: a build writes those after this page.
type InstitutionLinks struct {
	Self    string `json:"self"`
	Entries string `json:"entries_href"`
}

// InstitutionRoute is the route of an institution by its id or key.
func InstitutionRoute(idOrKey string) string { return "/api/v1/institutions/" + idOrKey }

// NewInstitutionHead counts the entries at the ordinals, which all belong to
// the institution.
func NewInstitutionHead(c *snapshot.Catalog, i *catalog.Institution, ordinals []int32) InstitutionHead {
	h := InstitutionHead{Institution: *NewInstitution(i)}
	var confidence, quality, known int
	updated := int64(0)
	for _, n := range ordinals {
		l := &c.Lines[n]
		updated = max(updated, l.Updated)
		if !l.Listed() {
			h.Deprecated++
			continue
		}
		h.Entries++
		quality += int(l.MQA)
		if l.Confidence >= 0 {
			confidence, known = confidence+int(l.Confidence), known+1
		}
	}
	h.Officialness, h.Quality = average(10*confidence, known), average(quality, h.Entries)
	if updated > 0 {
		h.ChangedAt = stamp(time.Unix(updated, 0))
	}
	return h
}

// average is the mean of a sum of tenths, nil over nothing.
func average(tenths, n int) Average {
	if n == 0 {
		return Average{}
	}
	mean := score.Tenths(math.Floor(float64(tenths)/float64(n) + 0.5)).Float()
	return Average{Mean: &mean, Entries: n}
}

// NewInstitutionPage makes the page of an institution, and tells the latest
// change among what it shows.
func NewInstitutionPage(c *snapshot.Catalog, i *catalog.Institution, ordinals []int32) (InstitutionPage, time.Time) {
	f := c.Facets(ordinals)
	p := InstitutionPage{InstitutionHead: NewInstitutionHead(c, i, ordinals), Types: f.Type, States: f.State, Countries: f.CountryCode,
		Tiers: f.Tier, Links: InstitutionLinks{Self: Path(c.Site, InstitutionRoute(i.ID)), Entries: Path(c.Site, "/api/v1/entries?institution_id="+i.ID)}}
	changed := max(0, i.UpdatedAt.Unix())
	var latest *snapshot.Line
	for _, n := range ordinals {
		l := &c.Lines[n]
		changed = max(changed, l.Shown, l.Updated)
		if latest == nil || l.Updated > latest.Updated {
			latest = l
		}
	}
	if latest != nil {
		ref := NewRef(latest)
		p.Latest = &ref
	}
	return p, time.Unix(changed, 0)
}

// PinnedInstitutionsPath is the path, under the site's prefix, of a page of
// institutions of one snapshot.
func PinnedInstitutionsPath(site snapshot.Site, snapshotID string, page int) string {
	return Path(site, "/s/"+snapshotID+"/api/v1/institutions/pages/"+strconv.Itoa(page))
}

// RouteInstitutions is the route of the list of institutions.
const RouteInstitutions = "/api/v1/institutions"

// InstitutionListParams are those of the list of institutions.
func InstitutionListParams() []Param {
	return []Param{
		{Name: "page", In: "query", Kind: KindInteger, Min: 1, Max: MaxInteger, Default: DefaultPage, Description: "Page number. A page beyond the last one is empty."},
		{Name: "limit", In: "query", Kind: KindInteger, Min: 1, Max: MaxLimit, Default: DefaultLimit, Description: "Institutions per page."},
		{Name: "state", In: "query", Kind: KindString, Enum: words(catalog.InstitutionStates()),
			Description: "Only institutions that the register knows, or only those that a catalogue states and nobody looked up."},
		{Name: "country_code", In: "query", Kind: KindList, Pattern: countryPattern, Means: countryMeans, Example: []string{"GR", "CY"},
			Description: "ISO 3166-1 alpha-2 code of the institution, in either case."},
		snapshotParam(),
	}
}

// institutionOperations describe the institutions.
func institutionOperations() []Operation {
	ops := []Operation{
		{ID: "listInstitutions", Path: RouteInstitutions, Summary: "Institutions with their entries counted",
			Description: "The institutions that have a visible entry, those with the most listed entries first. `links` lead to the further pages, " +
				"which are pinned to their snapshot. A published site without the service has the list without parameters, whose items carry `state`.",
			Params:   InstitutionListParams(),
			Response: reflect.TypeFor[InstitutionsPage](), Problems: problemsList, Cache: CacheShort},
		{ID: "pinnedInstitutions", Path: "/s/{snapshot}/api/v1/institutions/pages/{n}", Summary: "A page of institutions of one snapshot",
			Description: "Page n of the institutions, 20 a page, as it was in the named snapshot. Pages of old snapshots answer 410.",
			Params: []Param{
				{Name: "snapshot", In: "path", Kind: KindString, Pattern: snapshotPattern, Means: snapshotMeans, Description: "Snapshot id.", Example: exampleSnapshot},
				{Name: "n", In: "path", Kind: KindInteger, Min: 1, Description: "Page number.", Example: 2},
			},
			Response: reflect.TypeFor[InstitutionsPage](), Problems: problemsEntry, Cache: CachePinned},
		{ID: "getInstitution", Path: "/api/v1/institutions/{idOrKey}", Summary: "One institution",
			Description: "An institution with counts of its visible entries by type, verification state, country and quality tier, the averages of its " +
				"listed entries, and its latest change. An institution without a visible entry answers 404.",
			Params: []Param{{Name: "idOrKey", In: "path", Kind: KindString, Example: "gr-elstat",
				Description: "Institution id, as in `institution_id`, or its key in the register of institutions."}},
			Response: reflect.TypeFor[InstitutionPage](), Problems: []int{404, 422}, Cache: CacheRevalidate},
	}
	for i := range ops {
		ops[i].Tag, ops[i].Static, ops[i].Sealed, ops[i].Media = TagInstitutions, true, true, MediaJSON
	}
	return ops
}
