package contract

import (
	"encoding/json"
	"errors"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"

	"github.com/assay-register/assay/render/catalog"
)

func base(t testing.TB, kind string) string {
	t.Helper()
	return baseIn(t, "testdata", kind)
}

// baseIn is the document of a kind in a folder of them.
func baseIn(t testing.TB, dir, kind string) string {
	t.Helper()
	b, err := os.ReadFile(filepath.Join(dir, kind+".xml"))
	if err != nil {
		b, err = os.ReadFile(filepath.Join(dir, kind+".json"))
	}
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// ogcAPI is what a document of OGC of another form is called in pairs.
const ogcAPI = "ogc-api"

// read takes the contract out of a document of a kind.
func read(kind, text string) (*Contract, error) {
	switch kind {
	case OpenAPI:
		doc, err := openapi3.NewLoader().LoadFromData([]byte(text))
		if err != nil {
			return nil, err
		}
		return FromOpenAPI(doc)
	case Data:
		p, err := sample(text)
		if err != nil {
			return nil, err
		}
		return FromProfile(p)
	case MCP:
		var tools []catalog.MCPTool
		if err := json.Unmarshal([]byte(text), &tools); err != nil {
			return nil, err
		}
		return FromTools(tools)
	case OGC:
		return FromCapabilities([]byte(text))
	case ogcAPI:
		return FromCollections([]byte(text))
	case SDMX:
		return FromSDMX([]byte(text))
	}
	return FromOData([]byte(text))
}

// sample is the profile of a table with columns that are written as JSON.
func sample(text string) (*catalog.Profile, error) {
	p := &catalog.Profile{Kind: "csv", Separator: ",", Encoding: "utf-8"}
	return p, json.Unmarshal([]byte(text), &p.Fields)
}

// later is the contract of a document that follows another one, as a look takes it.
func later(t testing.TB, kind, before, after string) *Contract {
	t.Helper()
	if kind != Data {
		return contractOf(t, kind, after)
	}
	old, bad := sample(before)
	now, worse := sample(after)
	c, err := FromSample(contractOf(t, kind, before), old, now)
	if err = errors.Join(bad, worse, err); err != nil {
		t.Fatal(err)
	}
	return c
}

func contractOf(t testing.TB, kind, text string) *Contract {
	t.Helper()
	c, err := read(kind, text)
	if err != nil {
		t.Fatalf("%s: %v", kind, err)
	}
	// What is kept is what is compared.
	b, err := json.Marshal(c)
	if err != nil {
		t.Fatal(err)
	}
	var kept Contract
	if err := json.Unmarshal(b, &kept); err != nil {
		t.Fatal(err)
	}
	return &kept
}

// pairs are counts of pairs that were labelled by hand.
type pairs struct {
	all, harmless, wrong int
	kinds                map[string]int
}

// compared compares the pairs of a file, whose bases lie in a folder.
func compared(t *testing.T, file, dir string) (n pairs) {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	n.kinds = map[string]int{}
	for line := range strings.Lines(string(text)) {
		f := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		if strings.HasPrefix(line, "#") || len(f) != 4 {
			continue
		}
		kind, label, what := f[0], f[1], f[2]
		before := baseIn(t, dir, kind)
		d, err := Compare(contractOf(t, kind, before), later(t, kind, before, edited(t, before, what, f[3])))
		if err != nil {
			t.Errorf("%s, %s: %v", kind, what, err)
			continue
		}
		n.all++
		n.kinds[kind]++
		switch got := d.Severity; {
		case label == Breaking && got != Breaking:
			t.Errorf("%s, %s: not found to be breaking, %+v", kind, what, d)
		case label != Breaking:
			n.harmless++
			if got == Breaking {
				n.wrong++
				t.Logf("%s, %s: called breaking: %+v", kind, what, d.Changes)
			}
			if label == "none" && len(d.Changes) > 0 || label == Compatible && len(d.Changes) == 0 {
				t.Errorf("%s, %s: %s, but %+v", kind, what, label, d)
			}
		}
	}
	return n
}

// edited is a document after the edits of a pair.
func edited(t *testing.T, text, what, edits string) string {
	t.Helper()
	for edit := range strings.SplitSeq(edits, " || ") {
		from, to, ok := strings.Cut(edit, "=>")
		from, to = strings.ReplaceAll(strings.TrimSuffix(from, " "), `\n`, "\n"), strings.ReplaceAll(strings.TrimPrefix(to, " "), `\n`, "\n")
		if !ok || !strings.Contains(text, from) {
			t.Fatalf("%s: %q is not in the base", what, from)
		}
		text = strings.Replace(text, from, to, 1)
	}
	return text
}

// TestPairs: of the pairs that were labelled by hand every breaking one is found, and
// at most 3 of 100 others are called so.
func TestPairs(t *testing.T) {
	t.Parallel()
	n := compared(t, filepath.Join("testdata", "pairs.tsv"), "testdata")
	if n.all < 60 || len(n.kinds) != 6 || n.wrong*100 > 3*n.harmless {
		t.Errorf("%d pairs of %d kinds, %d of %d harmless ones called breaking", n.all, len(n.kinds), n.wrong, n.harmless)
	}
}

// TestHeldOut: the same of pairs that were labelled before the rules were looked at.
func TestHeldOut(t *testing.T) {
	t.Parallel()
	n := compared(t, filepath.Join("testdata", "heldout.tsv"), filepath.Join("testdata", "heldout"))
	t.Logf("%d pairs, %d of %d harmless ones called breaking", n.all, n.wrong, n.harmless)
	if n.all < 50 || len(n.kinds) != 7 || n.wrong*100 > 3*n.harmless {
		t.Errorf("%d pairs of %d kinds, %d of %d harmless ones called breaking", n.all, len(n.kinds), n.wrong, n.harmless)
	}
}

// TestUnchanged: a source that writes itself down in another order, with other dates
// and texts, each day of a month has the same contract.
func TestUnchanged(t *testing.T) {
	t.Parallel()
	for _, kind := range []string{OpenAPI, Data, MCP, OGC, SDMX, OData} {
		text := base(t, kind)
		first := contractOf(t, kind, text)
		for day := range 30 {
			again := reordered(t, text, rand.New(rand.NewPCG(uint64(day), 7)))
			again = strings.NewReplacer("2026-11-01", "2026-12-02", "20261101", "20261231", "IDREF1", "IDREF9", "Finds tides.", "Finds them.", "free text", "a text").Replace(again)
			c := contractOf(t, kind, again)
			if d, err := Compare(first, c); err != nil || len(d.Changes) > 0 || c.Sum() != first.Sum() {
				t.Fatalf("%s, day %d: %v %+v\n%s", kind, day, err, d, again)
			}
		}
	}
}

// reordered shuffles the lists of a document whose order says nothing: all of JSON,
// and of XML the lines with the same indentation beside each other.
func reordered(t *testing.T, text string, r *rand.Rand) string {
	t.Helper()
	if !strings.HasPrefix(text, "<") {
		var v any
		if err := json.Unmarshal([]byte(text), &v); err != nil {
			t.Fatal(err)
		}
		shuffle(v, r)
		b, err := json.Marshal(v)
		if err != nil {
			t.Fatal(err)
		}
		return string(b)
	}
	lines := strings.Split(text, "\n")
	for i := 0; i < len(lines); {
		j := i
		for j < len(lines) && complete(lines[j]) {
			j++
		}
		run := lines[i:j]
		r.Shuffle(len(run), func(a, b int) { run[a], run[b] = run[b], run[a] })
		i = max(j, i+1)
	}
	return strings.Join(lines, "\n")
}

// complete tells that a line holds an element from its beginning to its end.
func complete(line string) bool {
	line = strings.TrimSpace(line)
	if !strings.HasPrefix(line, "<") || strings.HasPrefix(line, "</") || strings.HasPrefix(line, "<?") {
		return false
	}
	name, _, _ := strings.Cut(strings.Trim(line, "<"), " ")
	name, _, _ = strings.Cut(name, ">")
	return strings.HasSuffix(line, "</"+name+">") || strings.Count(line, "<") == 1 && strings.HasSuffix(line, "/>")
}

func shuffle(v any, r *rand.Rand) {
	switch v := v.(type) {
	case []any:
		r.Shuffle(len(v), func(i, j int) { v[i], v[j] = v[j], v[i] })
		for _, x := range v {
			shuffle(x, r)
		}
	case map[string]any:
		for _, key := range slices.Sorted(keys(v)) {
			shuffle(v[key], r)
		}
	}
}

func keys(m map[string]any) func(func(string) bool) {
	return func(yield func(string) bool) {
		for k := range m {
			if !yield(k) {
				return
			}
		}
	}
}

// TestOthers reads what services write in other versions.
func TestOthers(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, text, want string
		read             func([]byte) (*Contract, error)
	}{
		{"WFS 2.0", `<wfs:WFS_Capabilities xmlns:wfs="w"><ows:OperationsMetadata xmlns:ows="o"><ows:Operation name="GetFeature"/></ows:OperationsMetadata><FeatureTypeList><FeatureType><Name>a:b</Name><DefaultCRS>http://www.opengis.net/def/crs/EPSG/0/4326</DefaultCRS></FeatureType></FeatureTypeList></wfs:WFS_Capabilities>`, "feature-type a:b EPSG:4326", FromCapabilities},
		{"WMTS", `<Capabilities><Contents><Layer><ows:Identifier xmlns:ows="o">l</ows:Identifier><Format>image/png</Format><TileMatrixSetLink><TileMatrixSet>m</TileMatrixSet></TileMatrixSetLink></Layer></Contents></Capabilities>`, "layer l image/png,m", FromCapabilities},
		{"WCS", `<Capabilities><Contents><CoverageSummary><CoverageId>c</CoverageId></CoverageSummary></Contents></Capabilities>`, "coverage c ", FromCapabilities},
		{"OGC API", `{"collections":[{"id":"roads","itemType":"feature","crs":["http://www.opengis.net/def/crs/OGC/1.3/CRS84"]}]}`, "collection roads http://www.opengis.net/def/crs/OGC/1.3/CRS84", FromCollections},
		{"SDMX-JSON", `{"data":{"dataflows":[{"id":"F","agencyID":"A"}],"dataStructures":[{"id":"S","agencyID":"A","dataStructureComponents":{"dimensionList":{"dimensions":[{"id":"FREQ","localRepresentation":{"enumeration":"urn:sdmx:org.sdmx.infomodel.codelist.Codelist=SDMX:CL_FREQ(2.0)"}}]}}}]}}`, "dimension structure A:S/FREQ ", FromSDMX},
		{"OData 2", `<edmx:Edmx xmlns:edmx="e"><edmx:DataServices><Schema Namespace="N"><EntityType Name="T"><Key><PropertyRef Name="K"/></Key><Property Name="K" Type="Edm.String" Nullable="false"/></EntityType><EntityContainer Name="C"><EntitySet Name="Ts" EntityType="N.T"/><FunctionImport Name="F" ReturnType="Edm.String"><Parameter Name="p" Type="Edm.String"/></FunctionImport></EntityContainer></Schema></edmx:DataServices></edmx:Edmx>`, "parameter F/p ", FromOData},
	} {
		got, err := c.read([]byte(c.text))
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		found := false
		for _, i := range got.Items {
			found = found || i.Kind+" "+i.Path+" "+strings.Join(i.Values, ",") == c.want
		}
		if !found {
			t.Errorf("%s: %q is not in %+v", c.name, c.want, got.Items)
		}
	}
}

// FuzzContracts: whatever a service answers, reading and comparing end without a
// panic, and what is read twice is the same contract.
func FuzzContracts(f *testing.F) {
	for _, kind := range []string{OGC, SDMX, OData} {
		f.Add(kind, base(f, kind), base(f, kind))
	}
	f.Add(SDMX, `{"data":{}}`, "<")
	f.Add(MCP, base(f, MCP), "[]")
	f.Fuzz(func(t *testing.T, kind, a, b string) {
		if kind == OpenAPI || len(a)+len(b) > 1<<16 {
			return
		}
		x, bad := read(kind, a)
		if bad == nil {
			if again, err := read(kind, a); err != nil || again.Sum() != x.Sum() {
				t.Error("read twice, two contracts")
			}
		}
		y, worse := read(kind, b)
		if bad == nil && worse == nil {
			if _, err := Compare(x, y); err != nil {
				t.Error(err)
			}
		}
	})
}
