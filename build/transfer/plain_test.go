package transfer_test

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"github.com/assay-register/assay/build/harvest/source"
	"github.com/assay-register/assay/build/transfer"
	"github.com/assay-register/assay/render/catalog"
)

// TestDisguisesAreTakenOut of every text of an entry and an institution, written
// out or as an escape, also when the whole register is restored; the report
// names the lines.
func TestDisguisesAreTakenOut(t *testing.T) {
	const inner = `,"dataset":{"distributions":[{"title":"gnp\u2067.exe","access_url":"https://x.example.gov/a"}]}`
	lines := []string{
		strings.Replace(bare(1, ""), "Service 1", "\u202eecivreS", 1),
		bare(2, `,"description":"a\u202eb\u0007c"`),
		bare(3, ",\"description\":\"a\u0080b\",\"publisher_name\":\"\u2066Office\u2069\""),
		strings.Replace(bare(4, inner), `"API"`, `"DATASET"`, 1),
		bare(5, ",\"name_en\":\"\u200fעברית, line\u2028separator, 👩🏽\u200d💻\""),
	}
	st := open(t)
	r := load(t, st, []byte(strings.Join(lines, "\n")+"\n"))
	if r.Created != 5 || r.Rejected != 0 || r.Repaired != 4 || len(r.Repairs) != 4 {
		t.Fatalf("%s%+v %+v", r.Summary(), r.Rejections, r.Repairs)
	}
	for i, x := range r.Repairs {
		if x.Place != "import:"+string(rune('1'+i)) || x.Code != source.CodeControlCharacter || x.Reason == "" {
			t.Errorf("repair %+v", x)
		}
	}
	if !strings.Contains(r.Summary(), "repaired     4") {
		t.Error(r.Summary())
	}
	var out bytes.Buffer
	if err := transfer.Export(t.Context(), st, &out); err != nil {
		t.Fatal(err)
	}
	for _, bad := range []string{"\u202e", "\u2066", "\u2067", "\u2069", "\u0080", `\u202e`, `\u2067`, `\u0007`} {
		if strings.Contains(out.String(), bad) {
			t.Errorf("%q came through", bad)
		}
	}
	if !strings.Contains(out.String(), "\u200fעברית") {
		t.Error("a mark that reorders nothing was taken out")
	}
	spoiled := strings.Replace(out.String(), `"name":"Service 2"`, `"name":"\u202eService 2"`, 1)
	again := open(t)
	if r := load(t, again, []byte(spoiled)); r.Mode != "restore" || r.Rejected != 0 || r.Repaired != 1 {
		t.Fatalf("%s%+v", r.Summary(), r.Rejections)
	}
	var back bytes.Buffer
	if err := transfer.Export(t.Context(), again, &back); err != nil || back.String() != out.String() {
		t.Errorf("%v; the restore differs from what was exported", err)
	}
}

// TestRepairReachesWhereTextIs also of institutions and in maps.
func TestRepairReachesWhereTextIs(t *testing.T) {
	line, err := json.Marshal(map[string]any{"kind": "institution", "institution": catalog.Institution{
		ID: catalog.NewID("institution", "x"), Key: "x", Name: "Office\u202e", CountryCode: "GR", Type: catalog.InstitutionTypes()[0], OfficialDomains: []string{"x.example\u2066"}}})
	if err != nil {
		t.Fatal(err)
	}
	if r := load(t, open(t), append(line, '\n')); r.Repaired != 1 || r.Rejected != 0 {
		t.Errorf("%s%+v", r.Summary(), r.Rejections)
	}
}
