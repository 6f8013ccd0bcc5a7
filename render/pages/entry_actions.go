package pages

import (
	"cmp"
	"math"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/assay-register/assay/render/catalog"
	"github.com/assay-register/assay/render/snapshot"
	"github.com/assay-register/assay/render/usage"
	"github.com/assay-register/assay/templates/entry"
)

// filesPlace is where a page lists the files that have no button.
const filesPlace = "#files"

// actionsShown is how many buttons a page has at most.
const actionsShown = 7

// actions are what a reader wants to do at once, the first one before all others: take the files, see
// what a service can do, read how to get a key.
func (v *view) actions() []entry.Action {
	var list []entry.Action
	add := func(key, what string, size int64, address string) {
		if !linkable(address) && !strings.HasPrefix(address, "#") || slices.ContainsFunc(list, func(a entry.Action) bool { return a.Address == address }) {
			return
		}
		list = append(list, entry.Action{Key: key, What: what, Size: size, Address: address})
	}
	e := v.e
	switch e.Type {
	case catalog.TypeDataset:
		v.fileActions(add)
	case catalog.TypeAPI:
		v.serviceActions(add)
	case catalog.TypeMCPServer:
		add("get.connect", "", 0, "#use")
	}
	if e.FreeAccessClass == catalog.AccessFreeKey {
		add("use.get_key", "", 0, v.docs())
	}
	add("use.read_docs", "", 0, v.docs())
	if len(list) == 0 {
		add("use.open_source", "", 0, cmp.Or(e.HomepageURL, e.PrimarySourceURL))
		add("use.open_source", "", 0, e.PrimarySourceURL)
	}
	add("use.homepage", "", 0, e.HomepageURL)
	add("use.repository", "", 0, e.RepoURL)
	if len(list) == 0 {
		v.askActions(add)
	}
	list = list[:min(len(list), actionsShown)]
	for i := range list {
		list[i].Languages = v.tonguesAt(list[i].Address)
	}
	return list
}

// tonguesAt are the languages of the file at an address where they are not that of the entry.
func (v *view) tonguesAt(address string) []string {
	d := v.e.Dataset
	if d == nil {
		return nil
	}
	for i := range d.Distributions {
		if f := &d.Distributions[i]; f.DownloadURL == address {
			return v.otherTongues(f)
		}
	}
	return nil
}

// otherTongues are the languages of a file where they are not that of the entry, which its page says once.
func (v *view) otherTongues(f *catalog.Distribution) []string {
	if !slices.ContainsFunc(f.Languages, func(tag string) bool { return !speaks(tag, v.e.NativeLang) }) {
		return nil
	}
	return f.Languages
}

// speaks tells that a tag is of a language, such as nl-BE of nl.
func speaks(tag, lang string) bool { return tag == lang || strings.HasPrefix(tag, lang+"-") }

// docs is where the documentation is to be read, "" for none, or where the register found none when it last asked there.
func (v *view) docs() string {
	bare := func(address string) string {
		address, _, _ = strings.Cut(address, "#")
		return strings.TrimRight(address, "/")
	}
	if st := v.Row.State; st != nil && st.ConsecutiveFailures > 0 && bare(st.ProbeURL) == bare(v.e.DocsURL) {
		return ""
	}
	return v.e.DocsURL
}

// FirstAction is the address to which the first button of an entry's page in a language leads: "#" and a name for a place on the
// page itself, "" for none.
func FirstAction(s *snapshot.Scored, lang string) string {
	if list := (&view{Scored: s, e: s.Entry(), lang: lang}).actions(); len(list) > 0 {
		return list[0].Address
	}
	return ""
}

// askActions are for what the publisher gives no address of: one can only ask.
func (v *view) askActions(add adder) {
	if v.Institution != nil {
		add("get.publisher", "", 0, v.Institution.HomepageURL)
	}
	add("get.listed", "", 0, v.e.SourceSeedURL)
}

type adder = func(key, what string, size int64, address string)

// fileActions offer a file of each format, the one that most readers can open first, then the
// services.
func (v *view) fileActions(add adder) {
	d := v.e.Dataset
	if d == nil {
		return
	}
	files := downloads(d, v.lang)
	if v.guarded() {
		// What one cannot get without a key or a permission begins with how to get that.
		add("use.read_docs", "", 0, v.docs())
	}
	seen := map[string]bool{}
	for _, f := range files {
		if what := formatOf(f); !seen[what] {
			seen[what] = true
			add("get.download", what, f.ByteSize, f.DownloadURL)
		}
	}
	if len(files) > len(seen) {
		add("get.all", "", 0, filesPlace)
	}
	v.serviceButtons(seen, gives, add)
	for i := range d.Distributions {
		if f := &d.Distributions[i]; usage.PageOf(f) && !seen["page"] {
			seen["page"] = true
			add("use.open_source", "", 0, f.DownloadURL)
		}
	}
	v.serviceButtons(seen, draws, add)
	if len(seen) == 0 {
		v.placeActions(add)
	}
}

// serviceButtons offer the services of a dataset, one of each kind that a test lets pass.
func (v *view) serviceButtons(seen map[string]bool, of func(kind string) bool, add adder) {
	for i := range v.e.Dataset.Distributions {
		f := &v.e.Dataset.Distributions[i]
		if s := serviceAt(cmp.Or(f.DownloadURL, f.AccessURL), f.Format); s.kind != "" && of(s.kind) && !seen[s.kind] {
			seen[s.kind] = true
			add("get.service", s.kind, 0, s.capabilities)
		}
	}
}

// draws tells that a service gives pictures, gives that it gives data.
func draws(kind string) bool { return kind == "WMS" || kind == "WMTS" }
func gives(kind string) bool { return !draws(kind) }

// placeActions offer the places at which a dataset without files can be got: first those whose format is stated.
func (v *view) placeActions(add adder) {
	d := v.e.Dataset
	for i := range d.Distributions {
		f := &d.Distributions[i]
		if what := formatOf(f); what != "" {
			add("get.open", what, 0, f.AccessURL)
		}
	}
	for i := range d.Distributions {
		add("use.open_source", "", 0, d.Distributions[i].AccessURL)
	}
	add("use.open_source", "", 0, d.LandingPage)
}

// guarded tells that one needs a key or a permission first.
func (v *view) guarded() bool {
	e := v.e
	return e.FreeAccessClass == catalog.AccessFreeKey || e.AccessRights == catalog.RightsNonPublic || e.AccessRights == catalog.RightsRestricted ||
		e.AuthType != catalog.AuthNone && e.AuthType != catalog.AuthUnknown && e.AuthType != ""
}

// downloads are the files of a dataset that are no calls of a service, by how many readers can open
// them; of one format those in the language of the page come first.
func downloads(d *catalog.DatasetDetails, lang string) []*catalog.Distribution {
	grid := slices.ContainsFunc(d.Distributions, func(f catalog.Distribution) bool {
		return serviceAt(cmp.Or(f.DownloadURL, f.AccessURL), f.Format).kind == "WCS"
	})
	type placed struct {
		file  *catalog.Distribution
		place [5]int
	}
	var list []placed
	for i := range d.Distributions {
		f := &d.Distributions[i]
		if linkable(f.DownloadURL) && serviceAt(f.DownloadURL, f.Format).kind == "" && !usage.PageOf(f) {
			list = append(list, placed{f, [5]int{openness(f, grid), foreign(f, lang), unnamed(f), unfilled(f.DownloadURL), -yearOf(f)}})
		}
	}
	slices.SortStableFunc(list, func(a, b placed) int { return slices.Compare(a.place[:], b.place[:]) })
	files := make([]*catalog.Distribution, len(list))
	for i := range list {
		files[i] = list[i].file
	}
	return files
}

// foreign is 0 for a file in a language, 1 for one that names none, 2 for one in others.
func foreign(f *catalog.Distribution, lang string) int {
	switch {
	case len(f.Languages) == 0:
		return 1
	case slices.ContainsFunc(f.Languages, func(tag string) bool { return speaks(tag, lang) }):
		return 0
	}
	return 2
}

// tongues tells that files name languages of which not all are the same, so that the order of files is not
// the same in every language.
func tongues(d *catalog.DatasetDetails) bool {
	for i := 1; d != nil && i < len(d.Distributions); i++ {
		if !slices.Equal(d.Distributions[i].Languages, d.Distributions[0].Languages) {
			return true
		}
	}
	return false
}

// unnamed is 1 for an address that does not end with the format of the file: it may answer a browser with a page.
func unnamed(f *catalog.Distribution) int {
	if u, err := url.Parse(f.DownloadURL); err == nil && strings.HasSuffix(strings.ToUpper(u.Path), strings.ToUpper(codeOf(f))) {
		return 0
	}
	return 1
}

// unfilled counts the parameters of an address that have no value: it was made by a form that was not filled in.
func unfilled(address string) (n int) {
	_, query, _ := strings.Cut(address, "?")
	for pair := range strings.SplitSeq(query, "&") {
		if _, value, found := strings.Cut(pair, "="); found && value == "" {
			n++
		}
	}
	return n
}

// yearOf is the last year that a file names in its title or its name; one without a year may be all of
// them, and counts as later than any.
func yearOf(f *catalog.Distribution) int {
	for _, text := range [...]string{f.Title, fileName(f.DownloadURL)} {
		last := 0
		for _, m := range years.FindAllStringSubmatch(text, -1) {
			n, _ := strconv.Atoi(m[1])
			last = max(last, n)
		}
		if last > 0 {
			return last
		}
	}
	return math.MaxInt
}

var years = regexp.MustCompile(`(?:^|[^0-9])((?:19|20)[0-9]{2})(?:$|[^0-9])`)

// formats are what readers can open, the easiest first.
var formats = []string{"CSV", "XLSX", "XLS", "ODS", "TSV", "GEOJSON", "GPKG", "SHP", "KML", "KMZ", "JSON", "JSONL", "PARQUET", "XML", "GML", "GTFS", "ZIP"}

// poor are what holds data for the eye only.
var poor = []string{"PDF", "HTML", "DOC", "DOCX", "PNG", "JPEG"}

// openness is the place of a file in the order of formats. What a WMS draws as KML of a grid, which a WCS has, is
// a picture of it.
func openness(f *catalog.Distribution, grid bool) int {
	format := strings.ToUpper(codeOf(f))
	if grid && drawn.MatchString(f.DownloadURL) {
		return len(formats) + 1
	}
	if i := slices.Index(formats, format); i >= 0 {
		return i
	}
	if slices.Contains(poor, format) {
		return len(formats) + 1
	}
	return len(formats)
}

// drawn is the address at which a WMS gives what it draws as KML.
var drawn = regexp.MustCompile(`/wms/kml(?:\?|$)`)

// codeOf is the format of a file as a code: what a call of a service is answered in, else what its
// address or the source says.
func codeOf(f *catalog.Distribution) string {
	return cmp.Or(usage.Answered(f.DownloadURL), usage.FormatOf(f))
}

// formatOf is the format of a file in a word, "" for an unknown one.
func formatOf(f *catalog.Distribution) string { return clip(usage.Name(codeOf(f)), 24) }

// serviceActions lead to what an API can do: its capabilities, its answer, its documentation.
func (v *view) serviceActions(add adder) {
	e, d := v.e, v.e.API
	if d == nil {
		return
	}
	address := cmp.Or(d.BaseURL, d.PingURL)
	open := e.FreeAccessClass == catalog.AccessFreeNoAuth || saidOpen(e)
	if s := serviceAt(address, d.SpecFormat); s.kind != "" {
		add("get.service", s.kind, 0, s.capabilities)
		return
	}
	if e.FreeAccessClass == catalog.AccessFreeKey {
		add("use.get_key", "", 0, v.docs())
	}
	if call := v.answering(); open && call != "" {
		add("use.call", "", 0, call)
	}
	add("use.read_docs", "", 0, v.docs())
	add("get.description", "", 0, d.OpenAPIURL)
	if open {
		add("use.call", "", 0, address)
	}
}

// answering is the address of an API that answered its last check with data, "" for none.
func (v *view) answering() string {
	st := v.Row.State
	if st == nil || v.Result.State != catalog.StateVerified || st.ProbeMethod != "GET" && st.ProbeMethod != "" || st.ProbeHTTPStatus != 200 || st.RequiresAuth ||
		v.e.API != nil && st.ProbeURL == v.e.API.OpenAPIURL {
		return ""
	}
	return st.ProbeURL
}

// saidOpen tells that the publisher says that everybody may have it, and nothing that was
// seen says otherwise: a reader can try.
func saidOpen(e *catalog.Entry) bool {
	return e.AccessRights == catalog.RightsPublic && e.FreeAccessClass == catalog.AccessUnknown && (e.AuthType == catalog.AuthUnknown || e.AuthType == catalog.AuthNone)
}

// service is a web service with a protocol of its own, and the address at which it says
// what it can do.
type service struct{ kind, capabilities string }

// ogc are the protocols whose services describe themselves by GetCapabilities (OGC 06-121r9, 7.2).
var ogc = []string{"WMS", "WFS", "WCS", "WMTS", "CSW", "WPS"}

// serviceAt is the service behind an address, kind "" for none: that is told by what the address asks
// for, else by the format that the source states. A call for all features of a type is a file.
func serviceAt(address, format string) service {
	u, err := url.Parse(address)
	if err != nil || address == "" {
		return service{}
	}
	asked := map[string]string{}
	for key, values := range u.Query() {
		asked[strings.ToLower(key)] = values[0]
	}
	stated := strings.TrimSuffix(strings.TrimPrefix(strings.ToUpper(format), "OGC-"), "_SRVC")
	kind := strings.ToUpper(asked["service"])
	request := strings.ToLower(asked["request"])
	if named := cmp.Or(asked["typename"], asked["typenames"], asked["coverage"], asked["coverageid"], asked["identifier"], asked["storedquery_id"], asked["featureid"], asked["resourceid"]); named != "" &&
		(request == "getfeature" || request == "getcoverage") && cmp.Or(asked["count"], asked["maxfeatures"], asked["subset"], asked["scalefactor"]) == "" {
		return service{}
	}
	if !slices.Contains(ogc, kind) {
		if kind = requested[request]; slices.Contains(ogc, stated) {
			kind = stated
		}
	}
	switch {
	case kind != "":
		return service{kind, capabilities(u, kind)}
	case stated == "SPARQL" || stated == "ARCGIS-REST" || stated == "API":
		return service{stated, address}
	case stated == "ATOM":
		return service{"Atom", address}
	case collection.MatchString(u.Path):
		return service{"OGC API", address}
	case items.MatchString(u.Path) && asked["limit"] != "":
		to := *u
		to.Path, to.RawPath, to.RawQuery, to.Fragment = strings.TrimSuffix(strings.TrimSuffix(u.Path, "/"), "/items"), "", "", ""
		return service{"OGC API", to.String()}
	}
	return service{}
}

// requested are the services of requests that no other service knows.
var requested = map[string]string{"getfeature": "WFS", "getcoverage": "WCS", "getmap": "WMS"}

// collection is a collection of an OGC API (OGC 17-069r4, 7.14); its items would be a file.
var collection = regexp.MustCompile(`/collections/[^/]+/?$`)

// items are the features of such a collection, all of them unless a limit is asked for.
var items = regexp.MustCompile(`/collections/[^/]+/items/?$`)

// capabilities is the address at which an OGC service says what it can do. What else the address
// holds stays, for a service may need it.
func capabilities(u *url.URL, kind string) string {
	q := u.Query()
	for key := range q {
		switch strings.ToLower(key) {
		case "service", "request", "version", "count", "maxfeatures", "typename", "typenames", "outputformat", "layers", "format", "bbox", "width", "height", "srs", "crs", "srsname", "styles",
			"coverageid", "subset", "scalefactor", "response_crs":
			q.Del(key)
		}
	}
	q.Set("service", kind)
	q.Set("request", "GetCapabilities")
	to := *u
	to.RawQuery, to.Fragment = q.Encode(), ""
	return to.String()
}
