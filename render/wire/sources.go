package wire

import (
	"maps"
	"net/url"
	"reflect"
	"slices"
	"time"

	"github.com/assay-register/assay/render/catalog"
	"github.com/assay-register/assay/render/snapshot"
)

// SourcesPage is one page of the sources of the register.
type SourcesPage struct {
	Items      []SourceItem `json:"items"`
	Total      int          `json:"total"`
	Page       int          `json:"page"`
	Limit      int          `json:"limit"`
	TotalPages int          `json:"total_pages"`
	Links      Links        `json:"links"`
}

// SourceItem is a catalogue from which entries come.
type SourceItem struct{ SourceCore }

// SourceCore is what the list and the page of a source have in common.
type SourceCore struct {
	ID            string      `json:"id"`
	Key           *string     `json:"key"`
	Title         string      `json:"title"`
	Kind          string      `json:"kind"`
	URL           *string     `json:"url"`
	CountryCode   *string     `json:"country_code"`
	InstitutionID *string     `json:"institution_id"`
	Official      *string     `json:"official"`
	Enabled       bool        `json:"enabled"`
	Schedule      *string     `json:"schedule"`
	CreatedAt     *string     `json:"created_at"`
	UpdatedAt     *string     `json:"updated_at"`
	LastRun       *RunSummary `json:"last_run"`
	Href          string      `json:"href"`
	RunsHref      string      `json:"runs_href"`
}

// SourcePage is the answer of one source.
type SourcePage struct {
	SourceCore
	// LastComplete is the last run that read the source to its end, or found
	// it unchanged.
	LastComplete *RunSummary     `json:"last_complete_run"`
	RunStates    []RunStateCount `json:"run_states"`
}

// RunStateCount counts the runs shown that are in one state.
type RunStateCount struct {
	State catalog.RunState `json:"state"`
	Count int              `json:"count"`
}

// SourceRuns is the harvest log of one source, newest run first.
type SourceRuns struct {
	SourceID string       `json:"source_id"`
	Runs     []HarvestRun `json:"runs"`
}

// RunSummary is a run in short.
type RunSummary struct{ RunCore }

// RunCore is what the short and the full form of a run have in common.
type RunCore struct {
	ID         string           `json:"id"`
	State      catalog.RunState `json:"state"`
	StartedAt  *string          `json:"started_at"`
	FinishedAt *string          `json:"finished_at"`
	Pages      int              `json:"pages"`
	Resumed    int              `json:"resumed"`
	Counts     RunCounts        `json:"counts"`
	Errors     []RunError       `json:"errors"`
	Notice     *string          `json:"notice"`
}

// HarvestRun is one harvest of a source with all that it says.
type HarvestRun struct {
	RunCore
	Kind        string         `json:"kind"`
	Since       *string        `json:"since"`
	ConfirmedAt *string        `json:"confirmed_at"`
	Fields      RunFields      `json:"fields"`
	Rejections  []RunRejection `json:"rejections"`
	Repeats     []RunRejection `json:"repeats"`
}

// RunCounts says what became of the records of a run.
type RunCounts struct {
	In        int `json:"in"`
	Created   int `json:"created"`
	Updated   int `json:"updated"`
	Unchanged int `json:"unchanged"`
	Merged    int `json:"merged"`
	// PossibleDuplicates are counted as created or quarantined, too.
	PossibleDuplicates int              `json:"possible_duplicates"`
	Quarantined        int              `json:"quarantined"`
	Suppressed         int              `json:"suppressed"`
	Repeated           int              `json:"repeated"`
	Rejected           int              `json:"rejected"`
	RejectedBy         []RejectionCount `json:"rejected_by"`
	Missing            int              `json:"missing"`
	Deprecated         int              `json:"deprecated"`
}

// RejectionCount counts the rejections of one code.
type RejectionCount struct {
	Code  string `json:"code"`
	Count int    `json:"count"`
}

// RunFields tells what the publisher left out from what the harvest lost.
type RunFields struct {
	Delivered int        `json:"delivered"`
	Repaired  int        `json:"repaired"`
	Refused   int        `json:"refused"`
	Omitted   int        `json:"omitted"`
	By        []RunField `json:"by"`
	Lacks     []RunLack  `json:"lacks"`
}

// RunLack counts the records of a run that go without something.
type RunLack struct {
	What       string `json:"what"`
	Of         int    `json:"of"`
	NotStated  int    `json:"not_stated"`
	Unresolved int    `json:"unresolved"`
}

// RunField is one recommended field over the records of a run.
type RunField struct {
	Field     string `json:"field"`
	Delivered int    `json:"delivered"`
	Omitted   int    `json:"omitted"`
	Refused   int    `json:"refused"`
}

// RunRejection is one record that did not get in, or was repeated.
type RunRejection struct {
	Place  string  `json:"place"`
	Record *string `json:"record"`
	Code   string  `json:"code"`
	Reason string  `json:"reason"`
	Remedy *string `json:"remedy"`
}

// RunError is a failure of a run as a whole.
type RunError struct {
	Code   string  `json:"code"`
	Text   string  `json:"text"`
	Status *int    `json:"status"`
	At     *string `json:"at"`
}

// SourcePath is the path, under the site's prefix, of a source or of a part of
// it, "" for itself.
func SourcePath(site snapshot.Site, id, part string) string {
	if part != "" {
		part = "/" + part
	}
	return Path(site, "/api/v1/sources/"+id+part)
}

// NewSourceItem is the public shape of a source. Its file, its filters and
// what else belongs to this machine are left out.
func NewSourceItem(site snapshot.Site, h *snapshot.Harvested) SourceItem {
	return SourceItem{newSourceCore(site, h)}
}

func newSourceCore(site snapshot.Site, h *snapshot.Harvested) SourceCore {
	s := &h.Source
	out := SourceCore{ID: s.ID, Key: null(s.Key), Title: s.Title, Kind: s.Kind, URL: null(publicURL(s.URL)), CountryCode: null(s.CountryCode),
		InstitutionID: null(s.InstitutionID), Official: null(s.Official), Enabled: s.Enabled, Schedule: null(s.Schedule),
		CreatedAt: stamp(s.CreatedAt), UpdatedAt: stamp(s.UpdatedAt), Href: SourcePath(site, s.ID, ""), RunsHref: SourcePath(site, s.ID, "runs")}
	if len(h.Runs) > 0 {
		out.LastRun = newRunSummary(&h.Runs[0])
	}
	return out
}

// publicURL drops the user and the password of an address.
func publicURL(raw string) string {
	u, err := url.Parse(raw)
	if err != nil || u.Host == "" {
		return ""
	}
	if u.User == nil {
		return raw
	}
	u.User = nil
	return u.String()
}

// NewSourcePage is a source with what its runs came to.
func NewSourcePage(site snapshot.Site, h *snapshot.Harvested) SourcePage {
	out := SourcePage{SourceCore: newSourceCore(site, h), RunStates: []RunStateCount{}}
	counts := map[catalog.RunState]int{}
	for i := range h.Runs {
		state := h.Runs[i].State
		counts[state]++
		if out.LastComplete == nil && (state == catalog.RunComplete || state == catalog.RunUnchanged) {
			out.LastComplete = newRunSummary(&h.Runs[i])
		}
	}
	for _, state := range catalog.RunStates() {
		if counts[state] > 0 {
			out.RunStates = append(out.RunStates, RunStateCount{state, counts[state]})
		}
	}
	return out
}

// NewSourceRuns is the log of a source.
func NewSourceRuns(h *snapshot.Harvested) SourceRuns {
	out := SourceRuns{SourceID: h.Source.ID, Runs: []HarvestRun{}}
	for i := range h.Runs {
		r := &h.Runs[i]
		run := HarvestRun{RunCore: newRunCore(r), Kind: r.Kind, Since: stamp(r.Since), ConfirmedAt: stamp(r.ConfirmedAt),
			Fields:     RunFields{Delivered: r.Fields.Delivered, Repaired: r.Fields.Repaired, Refused: r.Fields.Refused, Omitted: r.Fields.Omitted, By: []RunField{}, Lacks: []RunLack{}},
			Rejections: runRejections(r.Rejections), Repeats: runRejections(r.Repeats)}
		for _, f := range r.Fields.By {
			run.Fields.By = append(run.Fields.By, RunField(f))
		}
		for _, l := range r.Fields.Lacks {
			run.Fields.Lacks = append(run.Fields.Lacks, RunLack(l))
		}
		out.Runs = append(out.Runs, run)
	}
	return out
}

func runRejections(list []catalog.RunRejection) []RunRejection {
	out := []RunRejection{}
	for _, x := range list {
		out = append(out, RunRejection{x.Place, null(x.Record), x.Code, x.Reason, null(x.Remedy)})
	}
	return out
}

func newRunSummary(r *catalog.HarvestRun) *RunSummary { return &RunSummary{newRunCore(r)} }

func newRunCore(r *catalog.HarvestRun) RunCore {
	c := &r.Counts
	out := RunCore{ID: r.ID, State: r.State, StartedAt: stamp(r.StartedAt), FinishedAt: stamp(r.FinishedAt), Pages: r.Pages, Resumed: r.Resumed,
		Counts: RunCounts{In: c.In, Created: c.Created, Updated: c.Updated, Unchanged: c.Unchanged, Merged: c.Merged, PossibleDuplicates: c.PossibleDuplicates, Quarantined: c.Quarantined,
			Suppressed: c.Suppressed, Repeated: c.Repeated, Rejected: c.Rejected, RejectedBy: []RejectionCount{}, Missing: c.Missing, Deprecated: c.Deprecated},
		Errors: []RunError{}, Notice: null(r.Notice)}
	for _, code := range slices.Sorted(maps.Keys(c.RejectedBy)) {
		out.Counts.RejectedBy = append(out.Counts.RejectedBy, RejectionCount{code, c.RejectedBy[code]})
	}
	for _, e := range r.Errors {
		out.Errors = append(out.Errors, RunError{e.Code, e.Text, number(e.Status), stamp(e.At)})
	}
	return out
}

// HarvestedAt is the latest change among what is shown of sources.
func HarvestedAt(list ...snapshot.Harvested) time.Time {
	var latest time.Time
	for i := range list {
		if t := list[i].Source.UpdatedAt; t.After(latest) {
			latest = t
		}
		for k := range list[i].Runs {
			if t := list[i].Runs[k].UpdatedAt; t.After(latest) {
				latest = t
			}
		}
	}
	return latest.UTC().Truncate(time.Second)
}

// sourceOperations are the public harvest log.
func sourceOperations() []Operation {
	id := Param{Name: "id", In: "path", Kind: KindString, Format: "uuid", Description: "Source id.", Example: exampleID}
	const page = "100 of the sources that are enabled, were harvested, or that entries came from, by id, each with its last harvest. " +
		"The log moves between snapshots, so its pages name none; an id moves to an earlier page only when a source before it is disabled " +
		"without ever having been harvested."
	ops := []Operation{
		{ID: "listSources", Path: "/api/v1/sources", Summary: "The catalogues that entries come from", Description: "The first " + page,
			Response: reflect.TypeFor[SourcesPage](), Problems: problemsPlain},
		{ID: "listSourcesPage", Path: "/api/v1/catalog/sources/{n}", Summary: "A page of the sources", Description: "A page of " + page,
			Params:   []Param{{Name: "n", In: "path", Kind: KindInteger, Min: 1, Description: "Page number.", Example: 1}},
			Response: reflect.TypeFor[SourcesPage](), Problems: problemsSource},
		{ID: "getSource", Path: "/api/v1/sources/{id}", Summary: "One source", Params: []Param{id},
			Description: "A catalogue, why it vouches for what it lists, its last harvest, and the last one that reached its end.",
			Response:    reflect.TypeFor[SourcePage](), Problems: problemsSource},
		{ID: "listSourceRuns", Path: "/api/v1/sources/{id}/runs", Summary: "The harvest log of a source", Params: []Param{id},
			Description: "The latest 50 harvests, newest first: what became of every record, what the publisher left out and what the harvest " +
				"could not keep, the first 100 rejections with place and reason, and what went wrong.",
			Response: reflect.TypeFor[SourceRuns](), Problems: problemsSource},
	}
	for i := range ops {
		ops[i].Tag, ops[i].Static, ops[i].Sealed, ops[i].Media, ops[i].Cache = TagSources, true, true, MediaJSON, CacheRevalidate
	}
	return ops
}

// TagSources is the group of the harvest log.
const TagSources = "sources"

var problemsSource = []int{404, 422}
