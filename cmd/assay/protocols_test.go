package main

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/assay-register/assay/render/catalog"
)

// roundTrip is a protocol in which the register is harvested from itself, and what of each
// entry must come back as it was.
type roundTrip struct {
	kind, path string
	// id is what a copy is found by: the id or slug of the entry.
	id func(copied *catalog.Entry) string
	// gives tells which entries come back, nil for all.
	gives func(*catalog.Entry) bool
	// facts are those of the protocol; what is not among them the guides list.
	facts func(*catalog.Entry) map[string]any
	// names tells that a publisher has names in several languages, of which a reader takes one.
	names bool
	// everywhere tells that pages are found by the address that they name, not by the one
	// that was asked.
	everywhere bool
}

var roundTrips = []roundTrip{
	{"mcp-registry", "/api/v1/mcp-registry/v0.1/servers", upstream, func(e *catalog.Entry) bool { return e.Type == catalog.TypeMCPServer }, serverFacts, false, false},
	{"ckan", "/api/v1/ckan", upstream, nil, packageFacts, false, false},
	{"ogc-records", "/api/v1/ogc", upstream, nil, recordFacts, false, true},
	{"oai-pmh", "/api/v1/oai", lastPart, inDCAT, graphFacts, true, false},
	{"dcat", "/api/v1/catalog/dcat/1.ttl", lastPart, inDCAT, graphFacts, true, true},
	{"ldes", "/api/v1/ldes", lastPart, inDCAT, graphFacts, true, true},
	{"datajson", "/data.json", upstream, func(e *catalog.Entry) bool {
		return e.Type == catalog.TypeDataset && e.AccessRights != catalog.RightsNonPublic
	}, oldFacts, false, false},
	{"datajson", "/api/v1/catalog/dcat-us.json", upstream, inDCAT, newFacts, false, false},
}

// TestComesBackAtScale does what TestSampleRegister does of the views with a register that runs already: that of
// the address in ASSAY_REGISTER, whose store ASSAY_REGISTER_DB names. A protocol that none of its entries is in passes.
func TestComesBackAtScale(t *testing.T) {
	base, db := os.Getenv("ASSAY_REGISTER"), os.Getenv("ASSAY_REGISTER_DB")
	if base == "" || db == "" {
		t.Skip("ASSAY_REGISTER and ASSAY_REGISTER_DB name no register")
	}
	comesBack(t, base, db, 0)
}

// comesBack harvests the views of the running register into empty stores. Of each at least some entries must
// come back.
func comesBack(t *testing.T, base, db string, atLeast int) {
	all, called := map[string]*catalog.Entry{}, agents{}
	listed := walk(t, base, "/api/v1/entries?limit=100", func() {})
	old := map[string]bool{}
	for _, e := range stored(t, db) {
		if listed[e.ID] > 0 {
			all[e.ID] = e
			called.add(e)
		}
		old[e.ID] = e.Status == catalog.StatusDeprecated
	}
	for _, c := range roundTrips {
		t.Run(c.kind, func(t *testing.T) {
			t.Parallel()
			if atLeast == 0 && !slices.ContainsFunc(slices.Collect(maps.Values(all)), func(e *catalog.Entry) bool { return c.gives == nil || c.gives(e) }) {
				t.Skipf("%s has none of the entries", c.path)
			}
			after, n := c.harvest(t, base, old), 0
			var faults []string
			for id, was := range all {
				if c.gives != nil && !c.gives(was) {
					continue
				}
				n++
				is := after[id]
				if is == nil {
					is = after[was.Slug]
				}
				if is == nil {
					faults = append(faults, was.Name+" did not come back")
				} else {
					faults = append(faults, c.compare(was, is, called)...)
				}
			}
			if len(after) != n || n < atLeast {
				t.Errorf("%d entries came back of %d", len(after), n)
			}
			t.Logf("%s: %d entries came back, %d facts differ", c.path, n, len(faults))
			for _, fault := range faults[:min(len(faults), 25)] {
				t.Error(fault)
			}
		})
	}
}

// harvest harvests a view into a store of its own, and gives its entries by what the register calls
// them, but for those that are old: some protocols have them and lists do not.
func (c *roundTrip) harvest(t *testing.T, base string, old map[string]bool) map[string]*catalog.Entry {
	t.Helper()
	const public = "https://register.example"
	if c.everywhere {
		base = renamed(t, base, public, "")
	} else { // an entry whose one address is its page must have it on the public internet
		base = renamed(t, base, base, public)
	}
	db := "sqlite:" + filepath.Join(t.TempDir(), "copy.db")
	must(t, "harvest", "--db", db, "--kind", c.kind, "--file", base+c.path, "--official", "a copy of what is public already",
		"--allow-private", "--gap", "0s", "--prove", "0")
	after := map[string]*catalog.Entry{}
	for _, e := range stored(t, db) {
		// A series of DCAT is a dataset for who reads it.
		if id := c.id(e); !old[id] && !strings.Contains(e.UpstreamRef, "/series/") {
			after[id] = e
		}
	}
	return after
}

// renamed serves a register whose documents name another address than they do, "" for that under which it
// is served.
func renamed(t *testing.T, base, from, own string) string {
	t.Helper()
	to, err := url.Parse(base)
	if err != nil {
		t.Fatal(err)
	}
	proxy := httputil.NewSingleHostReverseProxy(to)
	proxy.ModifyResponse = func(resp *http.Response) error {
		body, err := io.ReadAll(resp.Body)
		body = bytes.ReplaceAll(body, []byte(from), []byte(own))
		resp.Body, resp.ContentLength = io.NopCloser(bytes.NewReader(body)), int64(len(body))
		resp.Header.Set("Content-Length", strconv.Itoa(len(body)))
		return err
	}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		r.Header.Set("Accept-Encoding", "identity")
		proxy.ServeHTTP(w, r)
	}))
	t.Cleanup(server.Close)
	if own == "" {
		own = server.URL
	}
	return server.URL
}

// compare looks for each fact that the register had.
func (c *roundTrip) compare(was, is *catalog.Entry, called agents) (faults []string) {
	want, got := c.facts(was), c.facts(is)
	if _, several := want["titles"].([]string); !several {
		want["name"], got["name"] = was.Name, is.Name
	}
	for fact, value := range want {
		if at, ok := value.(time.Time); ok { // answers tell instants to the second
			value = at.Truncate(time.Second)
		}
		if fact == "publisher" && c.names && called.has(was, is.PublisherName) {
			continue
		}
		if !reflect.ValueOf(value).IsZero() && !reflect.DeepEqual(value, got[fact]) {
			faults = append(faults, fmt.Sprintf("%s: %s was %.300v, is %.300v", was.Name, fact, value, got[fact]))
		}
	}
	return faults
}

// agents are the names of the institutions, in whatever language: one agent has them for all of its entries.
type agents map[string]map[string]bool

func (n agents) add(e *catalog.Entry) {
	if e.Publisher == nil {
		return
	}
	if n[e.InstitutionID] == nil {
		n[e.InstitutionID] = map[string]bool{}
	}
	for _, name := range append(slices.Collect(maps.Values(e.Publisher.Names)), e.Publisher.Aliases...) {
		n[e.InstitutionID][name] = true
	}
}

// has tells whether the institution of an entry is called so.
func (n agents) has(e *catalog.Entry, name string) bool {
	return e.InstitutionID != "" && n[e.InstitutionID][name]
}

// stored are the entries of a store, public or not.
func stored(t *testing.T, db string) (out []*catalog.Entry) {
	t.Helper()
	for line := range strings.Lines(must(t, "export", "--db", db)) {
		var r struct {
			Entry *catalog.Entry `json:"entry"`
		}
		if err := json.Unmarshal([]byte(line), &r); err != nil {
			t.Fatal(err)
		}
		if r.Entry != nil && r.Entry.Name != "" {
			out = append(out, r.Entry)
		}
	}
	return out
}

// upstream is the last part of what another catalogue calls an entry: the id or slug that it
// has here.
func upstream(e *catalog.Entry) string {
	at := strings.LastIndexAny(e.UpstreamRef, ":/")
	return e.UpstreamRef[at+1:]
}

// serverFacts are what the MCP registry says of a server.
func serverFacts(e *catalog.Entry) map[string]any {
	facts := map[string]any{"type": e.Type, "homepage": e.HomepageURL, "repository": e.RepoURL, "logo": e.LogoURL,
		"description": strings.TrimSuffix(e.Description, "…")[:min(50, len(e.Description))]}
	if m := e.MCP; m != nil {
		facts["version"], facts["endpoint"], facts["packages"] = m.Version, m.EndpointURL, m.Packages
	}
	return facts
}

// lastOf is the last part of an address, which CKAN shows for a file without a title.
func lastOf(address string) string {
	address = strings.TrimRight(address, "/")
	return address[strings.LastIndexByte(address, '/')+1:]
}

// packageFacts are what CKAN says of a dataset or a service, which comes back as a dataset.
func packageFacts(e *catalog.Entry) map[string]any {
	facts := map[string]any{"description": e.Description, "homepage": e.HomepageURL, "issued": e.SourceIssuedAt, "modified": e.SourceModifiedAt,
		"rights": e.AccessRights, "docs": e.DocsURL, "themes": slices.Sorted(slices.Values(e.Themes)), "hvd": e.HVDCategories, "licence": e.LicenseID}
	if e.Contact != nil && e.Contact.Email != "" {
		facts["contact"] = e.Contact.Email
	}
	if d := e.Dataset; d != nil && e.Type == catalog.TypeDataset {
		facts["version"], facts["start"], facts["end"] = d.Version, d.TemporalStart, d.TemporalEnd
		facts["frequency"] = strings.ReplaceAll(d.Frequency, "BIANNUAL", "ANNUAL_2") // a reader takes the word of today
		var files []string
		for _, x := range d.Distributions {
			files = append(files, cmp.Or(x.Title, lastOf(cmp.Or(x.DownloadURL, x.AccessURL)))+" "+x.AccessURL+" "+x.DownloadURL)
		}
		facts["files"] = files
		if len(d.Spatial) > 0 {
			facts["place"] = d.Spatial[0]
			for _, place := range d.Spatial { // a reader takes the box, where there is one
				if _, ok := catalog.ParseBox(place); ok {
					facts["place"] = place
				}
			}
		}
	}
	return facts
}

// uri is an address as a URI, which has no letters but those of ASCII.
func uri(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return address
	}
	var out strings.Builder
	for _, b := range []byte(u.String()) { // of which a query is as it was written
		if b < utf8.RuneSelf {
			out.WriteByte(b)
		} else {
			fmt.Fprintf(&out, "%%%02X", b)
		}
	}
	return out.String()
}

// oldFacts are what version 1.1 of DCAT-US says of a dataset: one language, one place, no
// period that is open.
func oldFacts(e *catalog.Entry) map[string]any {
	facts := map[string]any{"description": e.Description, "issued": e.SourceIssuedAt, "modified": e.SourceModifiedAt, "rights": e.AccessRights, "publisher": e.PublisherName,
		"themes": slices.Sorted(slices.Values(e.Themes))}
	if e.LicenseID != "OTHER-OPEN" && e.LicenseID != "PUBLIC-DOMAIN" { // which have no address
		facts["licence"] = e.LicenseID
	}
	if e.Contact != nil && e.Contact.Email != "" {
		facts["contact"] = e.Contact.Email
	}
	if d := e.Dataset; d != nil {
		if !d.TemporalStart.IsZero() && !d.TemporalEnd.IsZero() {
			facts["start"], facts["end"] = d.TemporalStart, d.TemporalEnd
		}
		if d.Frequency != "NOT_PLANNED" && d.Frequency != "AS_NEEDED" && d.Frequency != "NEVER" && d.Frequency != "OTHER" && d.Frequency != "UNKNOWN" {
			facts["frequency"] = strings.ReplaceAll(strings.ReplaceAll(d.Frequency, "BIANNUAL", "ANNUAL_2"), "UPDATE_CONT", "CONT")
		}
		facts["page"] = d.LandingPage
		var files []string
		for _, x := range d.Distributions {
			files = append(files, x.Title+" "+uri(x.AccessURL)+" "+uri(x.DownloadURL))
		}
		facts["files"] = files
	}
	return facts
}

// newFacts are what version 3.0 says, in all languages. An MCP server comes back as an API.
func newFacts(e *catalog.Entry) map[string]any {
	facts := oldFacts(e)
	delete(facts, "contact") // the schema demands one; the register's stands in
	facts["titles"], facts["descriptions"] = e.Titles, e.Descriptions
	if e.Type != catalog.TypeDataset {
		delete(facts, "frequency")
		return facts
	}
	facts["version"], facts["start"], facts["end"], facts["places"] = e.Dataset.Version, e.Dataset.TemporalStart, e.Dataset.TemporalEnd, e.Dataset.Spatial
	return facts
}

// recordFacts are what a record of OGC says.
func recordFacts(e *catalog.Entry) map[string]any {
	facts := map[string]any{"description": e.Description, "publisher": e.PublisherName, "issued": e.SourceIssuedAt, "modified": e.SourceModifiedAt}
	if d := e.Dataset; d != nil {
		facts["start"], facts["end"] = d.TemporalStart, d.TemporalEnd
	}
	return facts
}

// lastPart is what follows the last slash of what the copy is known by.
func lastPart(e *catalog.Entry) string {
	for _, ref := range append([]string{e.UpstreamRef}, e.UpstreamAliases...) {
		if id := ref[strings.LastIndexAny(ref, ":/")+1:]; catalog.IsID(id) {
			return id
		}
	}
	return e.UpstreamRef
}

// inDCAT tells which entries DCAT-AP can hold: datasets, and services with an address.
func inDCAT(e *catalog.Entry) bool {
	return e.Type == catalog.TypeDataset || e.API != nil && e.API.BaseURL != "" || e.MCP != nil && e.MCP.EndpointURL != ""
}

// texts are those of an entry in all languages; which is the shown one is for the copy to say.
func texts(all catalog.Texts, shown ...string) []string {
	list := append(slices.Collect(maps.Values(all)), shown...)
	list = slices.DeleteFunc(list, func(s string) bool { return s == "" })
	if len(list) == 0 {
		return nil
	}
	slices.Sort(list)
	return slices.Compact(list)
}

// graphFacts are what DCAT-AP says. An MCP server comes back as an API.
func graphFacts(e *catalog.Entry) map[string]any {
	facts := map[string]any{"titles": texts(e.Titles, e.Name, e.NameEn), "descriptions": texts(e.Descriptions, e.Description, e.DescriptionEn), "publisher": e.PublisherName, "issued": e.SourceIssuedAt, "modified": e.SourceModifiedAt,
		"themes": slices.Sorted(slices.Values(e.Themes)), "hvd": e.HVDCategories}
	if d := e.Dataset; d != nil {
		facts["version"], facts["start"], facts["end"] = d.Version, d.TemporalStart, d.TemporalEnd
	}
	return facts
}
