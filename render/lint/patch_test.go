package lint

import (
	"encoding/json"
	"testing"

	"github.com/assay-register/assay/render/catalog"
)

// TestFormatsOfFiles: a format is stated of a file that has none, unless no file of the record was taken in: then another one is listed.
func TestFormatsOfFiles(t *testing.T) {
	for _, c := range []struct {
		record string
		files  int
		want   string
	}{
		{`{"identifier":"a","distribution":[{"accessURL":"https://h.gov/a"}]}`, 1, "/distribution/0/format"},
		{`{"identifier":"a","distribution":[{"accessURL":"N/A"}]}`, 0, "/distribution/-"},
		{`{"identifier":"a"}`, 0, "/distribution"},
	} {
		var record any
		if err := json.Unmarshal([]byte(c.record), &record); err != nil {
			t.Fatal(err)
		}
		ops := TemplateOf("datajson", catalog.TypeDataset, "formats").On("", Mended("formats", c.files), record)
		if len(ops) != 2 || ops[0].Op != "test" || ops[0].Path != "/identifier" || ops[1].Op != "add" || ops[1].Path != c.want {
			t.Errorf("%s with %d files: %+v, want an addition at %s", c.record, c.files, ops, c.want)
		}
	}
}
