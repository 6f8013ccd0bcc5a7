package buildtest

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"time"

	"github.com/assay-register/assay/build/harvest"
	"github.com/assay-register/assay/build/verify"
	"github.com/assay-register/assay/render/catalog"
	"github.com/assay-register/assay/render/search"
	"github.com/assay-register/assay/render/translit"
)

// Instant is when a new register stands; its changes follow a minute apart.
var Instant = time.Date(2026, 11, 20, 9, 30, 0, 0, time.UTC)

// Register is a generated register in a store.
type Register struct {
	Store catalog.Store
	// Now is the instant of the latest change; builds of this instant show it.
	Now time.Time
	// Leaving, if set, is called before an entry leaves the catalog, and
	// before it leaves its slug for another one.
	Leaving func(e *catalog.Entry, newSlug string)

	seeds []seed
	slugs map[string]bool
	rand  *rand.Rand
	made  int
	ids   []string
	insts map[string]*catalog.Institution
	licns []string
}

// New fills an empty store with n entries in every state of the life cycle.
// The same n gives the same catalog whatever the seed; the seed only chooses
// later changes.
func New(ctx context.Context, st catalog.Store, n int, randomSeed uint64) (*Register, error) {
	r := &Register{Store: st, Now: Instant, slugs: map[string]bool{}, rand: rand.New(rand.NewPCG(randomSeed, 1))}
	if err := harvest.LoadReference(ctx, st, Instant.AddDate(0, -3, 0)); err != nil {
		return nil, err
	}
	if err := r.reference(ctx); err != nil {
		return nil, err
	}
	for from := 0; from < n; from += 500 {
		if err := r.add(ctx, min(500, n-from)); err != nil {
			return nil, fmt.Errorf("make entries after %d: %w", from, err)
		}
	}
	return r, nil
}

// Resume continues with a register that New made, perhaps in another process.
func Resume(ctx context.Context, st catalog.Store, randomSeed uint64) (*Register, error) {
	r := &Register{Store: st, Now: Instant, slugs: map[string]bool{}, rand: rand.New(rand.NewPCG(randomSeed, 2))}
	if err := r.reference(ctx); err != nil {
		return nil, err
	}
	err := st.View(ctx, func(tx catalog.Tx) error {
		err := tx.CheckStates().Scan(ctx, catalog.Range{}, func(s *catalog.CheckState) error {
			r.saw(s.UpdatedAt)
			return nil
		})
		if err != nil {
			return err
		}
		err = tx.Overrides().Scan(ctx, catalog.Range{}, func(o *catalog.Override) error {
			r.saw(o.CreatedAt)
			return nil
		})
		if err != nil {
			return err
		}
		return tx.Entries().Scan(ctx, catalog.Range{}, func(e *catalog.Entry) error {
			r.made++
			r.ids = append(r.ids, e.ID)
			r.saw(e.UpdatedAt)
			for _, s := range append([]string{e.Slug}, e.FormerSlugs...) {
				r.slugs[s] = true
			}
			return nil
		})
	})
	return r, err
}

func (r *Register) saw(t time.Time) {
	if t.After(r.Now) {
		r.Now = t
	}
}

func (r *Register) reference(ctx context.Context) error {
	var err error
	if r.seeds, err = readSeeds(); err != nil {
		return err
	}
	r.insts = map[string]*catalog.Institution{}
	return r.Store.View(ctx, func(tx catalog.Tx) error {
		list, err := tx.Institutions().All(ctx)
		if err != nil {
			return err
		}
		for i := range list {
			r.insts[list[i].Key] = &list[i]
		}
		licences, err := tx.Licences().All(ctx)
		for _, l := range licences {
			r.licns = append(r.licns, l.ID)
		}
		return err
	})
}

// IDs lists the ids of all entries, in any state.
func (r *Register) IDs() []string { return slices.Clone(r.ids) }

// add makes the next n entries with everything that belongs to them.
func (r *Register) add(ctx context.Context, n int) error {
	return r.Store.Update(ctx, func(tx catalog.Tx) error {
		var writes []catalog.Write
		var checks []catalog.Check
		var states []catalog.CheckState
		var events []catalog.Event
		var scores []catalog.ScoreDay
		for range n {
			e := r.entry(r.made)
			checks, states, events = r.checks(&e, checks, states, events)
			scores = append(scores, r.scores(&e)...)
			if err := r.extras(ctx, tx, &e); err != nil {
				return err
			}
			prov := &catalog.Provenance{EntryID: e.ID, Rows: []catalog.FieldRow{
				{Field: "name", Basis: catalog.BasisPublisher, SourceURL: e.SourceSeedURL, UpstreamField: "title", ObservedAt: e.CreatedAt},
				{Field: "description", Basis: catalog.BasisInherited, SourceID: e.SourceID, Note: "first paragraph", ObservedAt: e.CreatedAt},
			}}
			writes = append(writes, catalog.Write{Entry: &e, Provenance: prov,
				Events: []catalog.Event{{Type: catalog.EventCreated, OccurredAt: e.CreatedAt}}})
			r.ids = append(r.ids, e.ID)
			r.made++
		}
		if err := tx.Entries().Put(ctx, writes...); err != nil {
			return err
		}
		if err := tx.Checks().Append(ctx, checks...); err != nil {
			return err
		}
		if err := tx.Scores().Put(ctx, scores...); err != nil {
			return err
		}
		if err := tx.CheckStates().Set(ctx, states, events); err != nil {
			return err
		}
		return r.incidents(ctx, tx, states)
	})
}

// incidents are those of the sources that fail.
func (r *Register) incidents(ctx context.Context, tx catalog.Tx, states []catalog.CheckState) error {
	for i := range states {
		s := &states[i]
		if s.State != catalog.StateFailing {
			continue
		}
		c := catalog.Check{EntryID: s.EntryID, At: s.LastCheckedAt, URL: s.ProbeURL, Class: s.LastClass, Error: s.LastError}
		if err := verify.KeepIncidents(ctx, tx, verify.Judged{Host: hosts[i%len(hosts)], Check: &c, After: s}); err != nil {
			return err
		}
	}
	return nil
}

// hosts are what addresses of catalogues have in that place, too.
var hosts = []string{"host.example", "данные.example", "..", "data.example.md:8443", "it's.example"}

var places = []string{"", "Ioannina", "Årsta", "Łódź", "Évora", "Пловдив", "Λάρισα", "Kraków", "Győr", "Šiauliai", "Oulu", "Cork"}

// entry makes the i-th entry of a register.
func (r *Register) entry(i int) catalog.Entry {
	s, round := &r.seeds[i%len(r.seeds)], i/len(r.seeds)
	name, address := s.Name, s.URL
	if round > 0 {
		name = fmt.Sprintf("%s, %s %d", s.Name, places[round%len(places)], round)
		address = strings.TrimSuffix(s.URL, "/") + fmt.Sprintf("/round/%d", round)
	}
	if i%25 == 24 {
		name = s.Type + " of open data" // equal names get a qualifier
	}
	created := Instant.Add(-time.Duration(i%900+60) * time.Hour)
	e := catalog.Entry{Type: catalog.EntryType(s.Type), Name: name, NameEn: s.NameEn, NativeLang: s.Lang,
		Description: s.Description, DescriptionEn: s.DescriptionEn, HomepageURL: s.Homepage, DocsURL: s.Docs, RepoURL: s.Repo,
		PrimarySourceURL: address, SourceSeedURL: "https://portal.example/catalog/" + fmt.Sprint(i), Formats: s.Formats, Themes: s.Themes,
		CountryCode: s.Country, FreeAccessClass: catalog.FreeAccessClass(cmp.Or(s.Access, "UNKNOWN")),
		AuthType: catalog.AuthType(cmp.Or(s.Auth, "UNKNOWN")), LicenseRaw: s.License,
		UpstreamRef: fmt.Sprintf("portal.example:test:%d", i), ExtractionConfidence: 60 + i%41, Status: catalog.StatusActive,
		SourceModifiedAt: s.Modified, CreatedAt: created, UpdatedAt: created, PublishedAt: created.Add(time.Hour), ContentChangedAt: created,
		Admission: &catalog.Admission{Rule: catalog.AdmittedByModerator, Reason: "generated", By: "test", At: created},
		Signals:   []catalog.Signal{{Kind: catalog.SignalDomain, Held: i%3 != 0, EvidenceURL: s.Homepage, ObservedAt: created}},
	}
	if i%6 == 0 {
		e.Description += strings.Repeat(" Further words, fürther wörds, ακόμη λόγια.", 30)
	}
	if i%5 != 0 {
		e.LicenseID = r.licns[i%len(r.licns)]
	}
	if inst := r.insts[s.Institution]; inst != nil {
		e.InstitutionID = inst.ID
	}
	e.Tags = append(slices.Clone(s.Tags), fmt.Sprintf("group-%d", i%19), "test")
	slices.Sort(e.Tags)
	e.Tags = slices.Compact(e.Tags)
	r.details(&e, i)
	e.IdentityKey = catalog.IdentityKey(e.Type, address, name)
	e.MatchKey = catalog.MatchKey(e.Type, address, search.Fold(name))
	e.ID = catalog.EntryID(e.UpstreamRef, e.IdentityKey, 1)
	e.Slug = r.slug(&e)
	r.life(&e, i)
	return e
}

func (r *Register) slug(e *catalog.Entry) string {
	s := catalog.ChooseSlug(translit.Slug(e.Name, e.NativeLang, catalog.SlugMax), e.Type, e.IdentityKey, func(s string) bool { return r.slugs[s] })
	r.slugs[s] = true
	return s
}

func (r *Register) details(e *catalog.Entry, i int) {
	switch e.Type {
	case catalog.TypeAPI:
		e.API = &catalog.APIDetails{BaseURL: e.PrimarySourceURL, SpecFormat: "openapi", Version: fmt.Sprint(i % 7),
			Endpoints: []catalog.Endpoint{{Method: "GET", Path: "/items", Summary: "All <items> & more"}}}
	case catalog.TypeDataset:
		e.Dataset = &catalog.DatasetDetails{LandingPage: e.HomepageURL, Frequency: "MONTHLY", Spatial: []string{e.CountryCode},
			Distributions: []catalog.Distribution{{Title: "File", DownloadURL: e.PrimarySourceURL + "/file.csv", Format: "CSV", ByteSize: int64(1000 * (i + 1))}}}
	default:
		e.MCP = &catalog.MCPDetails{EndpointURL: e.PrimarySourceURL, Transport: "streamable-http",
			Tools: []catalog.MCPTool{{Name: "search", Description: "Searches"}}}
	}
	if i > 0 && i%11 == 0 {
		e.Members = []catalog.Member{{Name: "layer", Title: "A layer", URL: e.PrimarySourceURL, EntryID: r.ids[i/2]}}
	}
}

// life puts some entries into other states than active.
func (r *Register) life(e *catalog.Entry, i int) {
	at := e.CreatedAt.Add(30 * time.Hour)
	other := ""
	if i > 0 {
		other = r.ids[i-1]
	}
	switch {
	case i%17 == 16:
		e.Status, e.StatusReason, e.DeprecatedAt, e.SuccessorID, e.UpdatedAt = catalog.StatusDeprecated, "replaced", at, other, at
	case i%29 == 28:
		e.Status, e.StatusReason, e.RemovedAt, e.UpdatedAt = catalog.StatusRemoved, "gone", at, at
	case i%31 == 30:
		e.Status, e.StatusReason, e.MergedIntoID, e.RemovedAt, e.UpdatedAt = catalog.StatusRemoved, "duplicate", other, at, at
	case i%37 == 36:
		e.Status, e.PublishedAt = catalog.StatusPending, time.Time{}
	case i%41 == 40:
		e.PublishedAt = Instant.AddDate(0, 0, 1).Truncate(24 * time.Hour).Add(time.Hour)
	case i%13 == 12:
		former := "former-" + e.Slug
		if len(former) <= catalog.SlugMax {
			e.FormerSlugs = []string{former}
			r.slugs[former] = true
		}
	}
}

// checks replays a short history through the state machine.
func (r *Register) checks(e *catalog.Entry, rows []catalog.Check, states []catalog.CheckState, events []catalog.Event) ([]catalog.Check, []catalog.CheckState, []catalog.Event) {
	i := r.made
	if i%9 == 8 || e.Status == catalog.StatusPending {
		return rows, states, events
	}
	var state *catalog.CheckState
	for k := range 5 {
		c := probe(e, e.CreatedAt.Add(time.Duration(6*k+1)*time.Hour), i%7 != 6 || k < 1, 90+i%400+k)
		rows = append(rows, c)
		next, event := verify.Next(state, &c)
		state = &next
		if event != nil {
			events = append(events, *event)
		}
	}
	return rows, append(states, *state), events
}

func probe(e *catalog.Entry, at time.Time, up bool, latency int) catalog.Check {
	c := catalog.Check{EntryID: e.ID, At: at, Kind: "http", URL: e.PrimarySourceURL, Method: "GET", Up: up, HTTPStatus: 200,
		ContentType: "application/json", LatencyMS: latency, Bytes: 512, Vantages: 1}
	if !up {
		c.HTTPStatus, c.ContentType, c.Class, c.Error = 503, "", catalog.ErrorHTTP, "the server answered 503"
	}
	return c
}

func (r *Register) scores(e *catalog.Entry) []catalog.ScoreDay {
	if r.made%3 != 0 {
		return nil
	}
	var out []catalog.ScoreDay
	for d := 9; d > 0; d-- {
		ranking, axis := float64(200+r.made%300+d)/10, float64(r.made%100)
		out = append(out, catalog.ScoreDay{EntryID: e.ID, Day: Instant.AddDate(0, 0, -d).Format(time.DateOnly),
			MQA: float64(300+r.made%400) / 10, Trust: 40.5, Ranking: &ranking, Axes: [5]*float64{&axis, nil, &axis, &axis, &axis}})
	}
	return out
}

// extras gives some entries a profile, an override, a target or a citation.
func (r *Register) extras(ctx context.Context, tx catalog.Tx, e *catalog.Entry) error {
	i, at := r.made, e.CreatedAt.Add(2*time.Hour)
	if i%7 == 3 {
		n := int64(100 + i)
		p := catalog.Profile{ID: catalog.NewID("profile", e.ID), EntryID: e.ID, Source: e.PrimarySourceURL, Kind: "csv", Status: "ok",
			Fields:        []catalog.ProfileField{{Name: "country", Type: "string", Concept: "iso3166-1", Matches: true}, {Name: "n", Type: "integer"}},
			SampleRecords: []json.RawMessage{json.RawMessage(`{"country":"GR","n":1}`)}, RecordCount: &n, ProfiledAt: at, Previewable: true,
			PersonalData: catalog.PersonalData{Status: "none", Allowed: true}, CreatedAt: at, UpdatedAt: at}
		if err := tx.Profiles().Put(ctx, p); err != nil {
			return err
		}
	}
	if i%23 == 5 {
		if err := tx.Overrides().Put(ctx, override(e.ID, "docs_url", `"https://docs.example/`+fmt.Sprint(i)+`"`, at)); err != nil {
			return err
		}
	}
	if i%19 == 7 {
		t := catalog.Target{ID: catalog.NewID("target", e.ID), EntryID: e.ID, Availability: 99.5, WindowDays: 30, Active: true,
			By: "test", Reason: "agreed", CreatedAt: at, UpdatedAt: at}
		if err := tx.Targets().Put(ctx, t); err != nil {
			return err
		}
	}
	if i%9 == 2 {
		use := catalog.UseDay{EntryID: e.ID, Day: at.Format(time.DateOnly), Uses: catalog.Uses{Watches: i % 3, Citations: i % 5, Proxied: i % 40}}
		if err := tx.UseDays().Put(ctx, use); err != nil {
			return err
		}
	}
	if i%21 == 9 {
		return tx.Evidences().Put(ctx, catalog.Evidence{ID: catalog.NewID("evidence", e.ID), EntryID: e.ID,
			SHA256: strings.Repeat("ab", 32), Body: []byte("{}"), Kept: true, CreatedAt: at})
	}
	return nil
}

func override(entryID, field, value string, at time.Time) catalog.Override {
	return catalog.Override{ID: catalog.NewID("override", entryID+field+at.String()), EntryID: entryID, Field: field,
		Value: json.RawMessage(value), By: "test", Reason: "the publisher's own page says so", CreatedAt: at}
}
