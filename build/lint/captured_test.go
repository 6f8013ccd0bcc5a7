package lint_test

import (
	"context"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"github.com/assay-register/assay/build/harvest/source"
	rules "github.com/assay-register/assay/render/lint"
)

// captured is an input among the captured catalogues; a test without them is
// skipped.
func captured(t *testing.T, name string) source.Input {
	t.Helper()
	path := filepath.Join("..", "..", "..", "shared", "data", filepath.FromSlash(name))
	info, err := os.Stat(path)
	if err != nil {
		t.Skip("no captured catalogues here")
	}
	in := source.Input{Name: name, Now: time.Date(2026, 11, 24, 0, 0, 0, 0, time.UTC), Size: info.Size(), Files: os.DirFS(filepath.Dir(path))}
	if info.IsDir() {
		in.Files = os.DirFS(path)
		return in
	}
	in.Open = func(context.Context) (io.ReadCloser, error) { return os.Open(path) }
	return in
}

// quirk is something that is known to be wrong in a captured catalogue: at least so
// many findings of a rule, one of which names where.
type quirk struct {
	file, kind, rule, where string
	least                   int
}

// quirks are those that real catalogues are known to have.
var quirks = []quirk{
	{"mcp-registry/servers_2025-09-17.json", "", "document.byte-order-mark", "", 1}, {"mcp-registry/servers_2025-10-12.json.gz", "", "document.byte-order-mark", "", 1},
	{"mcp-registry/seed_2025_05_16.json", "", "mcp.shape", "version_detail", 400}, {"mcp-registry/seed_2025_05_16.json", "", "record.empty", "", 7}, {"mcp-registry/seed_2025_05_16.json", "", "url.not-public", "localhost:5008", 1},
	{"mcp-registry/servers_2025-09-17.json", "", "mcp.shape", "", 340}, {"mcp-registry/servers_2025-10-12.json.gz", "", "mcp.version", "", 2}, {"mcp-registry/servers_2025-10-12.json.gz", "", "mcp.superseded", "", 1}, {"mcp-registry/servers_2025-10-12.json.gz", "", "value.empty", "repository/url", 190},
	{"openapi/bcgov", "", "document.syntax", "geocoder__geocoder-combined.json:108", 1}, {"openapi/bcgov", "", "title.repeated", "gwells", 3}, {"portals/18f_individual_apis.yml", "", "document.yaml", ":1075", 1},
	{"openapi/api-gouv-fr", "", "url.not-public", "localhost:7009", 1}, {"openapi/api-gouv-fr", "", "url.relative", "api-ficoba", 1}, {"openapi/api-gouv-fr", "", "openapi.server-template", "{schema}", 1},
	{"openapi/api-gouv-fr", "", "openapi.no-host", "api-r2p.json", 1}, {"openapi/api-gouv-fr", "", "value.empty", "/info/license/name", 1}, {"openapi/api-gouv-fr", "", "missing.license", "", 5},
	{"apisguru/mobidatalab_list.json", "", "apisguru.key", "italy:milan:dati.comune.milano.it", 1}, {"apisguru/list_reassembled.json.gz", "", "url.host", "cowin.gov.cin", 1}, {"apisguru/list_reassembled.json.gz", "", "url.not-public", "cdcgov.local", 1},
	{"uk-api-catalogue/catalogue.csv", "", "value.empty", "url", 11}, {"uk-api-catalogue/catalogue.csv", "", "url.shared", "api.service.hmrc.gov.uk", 1}, {"uk-api-catalogue/catalogue.csv", "", "text.literal-escape", "description", 83},
	{"uk-api-catalogue/catalogue.csv", "", "date.unreadable", "in service", 1}, {"uk-api-catalogue/catalogue.csv", "", "date.order", "2020-02-06", 1}, {"uk-api-catalogue/catalogue.csv", "", "licence.software", "ISC", 10}, {"uk-api-catalogue/catalogue.csv", "", "missing.license", "", 195},
	{"uk-api-catalogue/organisation.csv", "", "url.scheme", "", 1}, {"uk-api-catalogue/organisation.csv", "", "identifier.form", "Insolvency-service", 1}, {"uk-api-catalogue/organisation.csv", "", "value.empty", "url", 20},
	{"api-gouv-fr", "", "member.misspelt", "extrenal_site", 1}, {"api-gouv-fr", "", "url.relative", "doc_tech_link", 1}, {"api-gouv-fr", "", "url.not-public", "rie.gouv.fr", 1}, {"api-gouv-fr", "", "text.markup", "<Button", 1}, {"api-gouv-fr", "", "date.form", "last_update", 100},
	{"api-gouv-fr", "", "member.number", "-1", 1}, {"api-gouv-fr", "", "url.mail", "api-sfip.md", 1},
	{"datajson/arcgis-hub/05b-27057_20211231.data.json", "", "catalogue.empty", "", 1}, {"datajson/arcgis-hub/07c-01_20220417.data.json.gz", "", "identifier.repeated", "restaurants", 1}, {"datajson/arcgis-hub/03a-03_20220417.data.json.gz", "", "url.host", "http2", 1},
	{"datajson/arcgis-hub/12b-17097_20220417.data.json.gz", "", "text.space-around", "2007-dtm-township-43n-range-10e", 1}, {"datajson/arcgis-hub/12b-17097_20220417.data.json.gz", "", "licence.link", "", 1583},
	{"datajson/arcgis-hub/05b-27139_20211231.data.json", "", "missing.license", "", 60}, {"datajson/arcgis-hub/03b-19113_20220417.data.json.gz", "", "text.markup", "/license", 100},
	{"datajson/us-federal/fda.data.json", "", "date.interval", "R/P1W", 14}, {"datajson/us-federal/energy.data.json.gz", "", "date.precision", "DOE-019-540445666", 1}, {"datajson/us-federal/energy.data.json.gz", "", "licence.unknown", "other-pd", 333},
	{"datajson/argentina/datos.gob.ar_2.data.json.gz", "", "url.unusable", "431381cc-3c5b-49ba-bf77-47bf658cd640", 1}, {"datajson/argentina/datos.gob.ar_2.data.json.gz", "", "member.type", "spatial", 2}, {"datajson/argentina/datos.gob.ar_2.data.json.gz", "", "frequency.form", "eventual", 1}, {"datajson/argentina/datos.gob.ar_2.data.json.gz", "", "datajson.access-level", "", 617},
	{"datajson/gsa-examples", "", "record.no-title", "", 1}, {"datajson/gsa-examples", "", "title.repeated", "", 1}, {"datajson/gsa-examples", "", "text.long", "", 1},
	{"socrata/data.cityofchicago.org.jsonl.gz", "", "text.invisible", "p293-wvbd", 15}, {"socrata/data.cityofnewyork.us.jsonl.gz", "", "text.control", "xywu-7bv9", 1}, {"socrata/data.cityofnewyork.us.jsonl.gz", "", "missing.license", "", 990},
	{"socrata/_mixed-small-portals.jsonl.gz", "", "record.hidden", "thmm-a275", 1}, {"socrata/_mixed-small-portals.jsonl.gz", "", "missing.description", "", 280}, {"socrata/_mixed-small-portals.jsonl.gz", "", "record.community", "", 3},
	{"ckan/depositar_packages.jsonl.gz", "", "value.empty", "/resources/0/url", 1}, {"ckan/depositar_packages.jsonl.gz", "", "value.empty", "/notes", 300}, {"ckan/depositar_packages.jsonl.gz", "", "licence.unspecified", "", 735}, {"ckan/depositar_packages.jsonl.gz", "", "format.spelling", ".pdf", 1},
	{"ckan/depositar_packages.jsonl.gz", "", "format.unknown", "external resources", 1}, {"ckan/depositar_packages.jsonl.gz", "", "text.line-separator", "", 1}, {"ckan/depositar_packages.jsonl.gz", "", "title.repeated", "日治時期臺灣行政區域沿革", 1},
	{"ckan/data.stadt-zuerich.ch/ckan_package_search.json", "", "date.form", "22.09.2004", 3}, {"ckan/dados.pbh.gov.br_package_abridged.jsonl", "", "date.order", "2020-02-06", 1}, {"ckan/dados.pbh.gov.br_package_abridged.jsonl", "", "ckan.resource-count", "32", 1},
	{"udata/results_2025-02.json", "", "missing.license", "", 1}, {"ods/data.sbb.ch_catalog-datasets.json", "", "catalogue.incomplete", "61", 1}, {"ods/data.sbb.ch_catalog-datasets.json", "", "missing.license", "", 1}, {"portals/dataportals-registry.tsv.gz", "", "country.code", "World", 1100},
	{"iso/ch-iso-multilingual/iso-multilingual-records.tar.gz", "iso", "identifier.repeated", "", 20}, {"dcat-large/belgium-part-2025-04.ttl.gz", "", "language.machine", "", 1}, {"dcat-large/belgium-part-2025-04.ttl.gz", "", "distribution.no-licence", "", 1}, {"dcat-large/belgium-part-2025-04.ttl.gz", "", "date.types", "", 1},
}

// belgium are those of a whole national catalogue.
var belgium = []quirk{
	{"", "", "record.no-title", "", 179}, {"", "", "missing.description", "", 180}, {"", "", "missing.publisher_name", "", 250}, {"", "", "missing.dataset_details.distributions", "", 1046},
	{"", "", "date.implausible", "0023-03-08", 1}, {"", "", "date.repeated", "", 14}, {"", "", "text.mojibake", "7a954f42", 46}, {"", "", "text.placeholder", "@fixme", 12}, {"", "", "mail.characters", "pauvrete@cfwb.be%20", 1},
	{"", "", "mail.unusable", "", 2}, {"", "", "url.credentials", "e88b5314", 1}, {"", "", "url.doubled", "", 1}, {"", "", "distribution.no-address", "", 34}, {"", "", "catalogue.alike", "", 1}, {"", "", "text.carriage-return", "", 100},
}

// everyDay is the largest capture that is read every day, in bytes as it lies there;
// ASSAY_SOAK=1 reads all.
const everyDay = 150_000

func TestQuirks(t *testing.T) {
	t.Parallel()
	found := map[string][]rules.Finding{}
	for _, q := range quirks {
		in := captured(t, q.file)
		if in.Size > everyDay && os.Getenv("ASSAY_SOAK") == "" {
			continue
		}
		if _, done := found[q.file]; !done {
			found[q.file], _ = runInput(t, in, q.kind)
		}
		check(t, q, found[q.file])
	}
}

func check(t *testing.T, q quirk, list []rules.Finding) {
	t.Helper()
	n, named := 0, q.where == ""
	for i := range list {
		f := &list[i]
		if f.Rule != q.rule {
			continue
		}
		n++
		text := strings.Join([]string{rules.Place(&f.Record), f.Record.Title, f.Member, f.Value, f.Message}, " ")
		named = named || strings.Contains(text, q.where)
	}
	if n < q.least || !named {
		t.Errorf("%s: %d findings of %s, want %d; one of %q: %v", q.file, n, q.rule, q.least, q.where, named)
	}
}

// TestBelgium: a national catalogue of 18,604 records and 1.7 million statements in
// under 30 s of processor time. It takes too long for every day.
func TestBelgium(t *testing.T) {
	if os.Getenv("ASSAY_SOAK") == "" {
		t.Skip("it takes 15 s; ASSAY_SOAK=1 runs it")
	}
	began := processor(t)
	list, sum := runInput(t, captured(t, "dcat-large/belgium-full-2025-04.ttl.gz"), "")
	for _, q := range belgium {
		check(t, q, list)
	}
	if took := processor(t) - began; sum.Records < 18_604 || took > 30*time.Second {
		t.Errorf("%d records in %v", sum.Records, took)
	}
}

// processor is the time that this process has had of the processors, which a busy
// machine does not stretch.
func processor(t *testing.T) time.Duration {
	t.Helper()
	var u unix.Rusage
	if err := unix.Getrusage(unix.RUSAGE_SELF, &u); err != nil {
		t.Fatal(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
