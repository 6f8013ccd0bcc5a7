package evidence

import (
	"bytes"
	_ "embed" // the page
	"fmt"
	"html/template"

	"github.com/assay-register/assay/render/catalog"
	"github.com/assay-register/assay/render/snapshot"
	"github.com/assay-register/assay/render/wire"
)

//go:embed page.html
var pageText string

var pageTemplate = template.Must(template.New("page").Parse(pageText))

// page is the citation for people.
func page(site snapshot.Site, e *catalog.Evidence) ([]byte, error) {
	c, err := read(site, e)
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	err = pageTemplate.Execute(&b, struct {
		*cited
		Entry, Check, Text string
		Answer             string
	}{c, wire.Path(site, entryPrefix+e.EntryID), wire.Path(site, "/api/v1/verify/"+e.SHA256),
		fmt.Sprintf("%s: “%s”, entry kept on %s, %s.", site.Name, c.Name, e.CreatedAt.UTC().Format("2 January 2006"), c.URL), string(e.Body)})
	return b.Bytes(), err
}
