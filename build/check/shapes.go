package check

import (
	"context"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"strings"
)

const (
	// reportRoute is where the judge of the shapes (.ci/dcat/judge.sh) leaves
	// its report. The report is about finished documents, so it cannot be one
	// of them: it stands in no list of routes, and a build neither makes nor
	// removes it.
	reportRoute = "/reports/dcat-ap-shacl.jsonld"
	// reportMax bounds the report, in bytes.
	reportMax = 64 << 20
)

// shapesReport are the members of the report that the checks compare.
type shapesReport struct {
	Snapshot  string          `json:"snapshot"`
	Conforms  *bool           `json:"conforms"`
	Documents json.RawMessage `json:"documents"`
}

// judgedDocument is one that the report is about.
type judgedDocument struct {
	Route  string `json:"route"`
	SHA256 string `json:"sha256"`
}

// checkShapes checks a published SHACL report, if there is one: it must be
// about these documents, about the whole catalog, and find no violation.
func (c *checker) checkShapes(ctx context.Context) {
	f, err := c.pages.Open(ctx, reportRoute, "application/ld+json")
	if errors.Is(err, fs.ErrNotExist) {
		return
	}
	if err != nil {
		c.report.fault(reportRoute, "cannot be read: %v", err)
		return
	}
	defer f.Close()
	var r shapesReport
	if err := json.NewDecoder(io.LimitReader(f, reportMax)).Decode(&r); err != nil {
		c.report.fault(reportRoute, "is no report: %v", err)
		return
	}
	if r.Snapshot != c.first.Snapshot {
		c.report.fault(reportRoute, "is about snapshot %s: judge the site again or remove the report", r.Snapshot)
		return
	}
	if r.Conforms == nil || !*r.Conforms {
		c.report.fault(reportRoute, "does not say that the documents conform")
	}
	judged := map[string]bool{}
	each(r.Documents, func(d *judgedDocument) {
		sum, ok := c.sum(d.Route)
		if !ok || hex.EncodeToString(sum[:]) != d.SHA256 {
			c.report.fault(reportRoute, "is about other bytes of %s", d.Route)
			return
		}
		judged[d.Route] = true
	})
	if judged["/api/v1/catalog/dcat.ttl"] {
		return
	}
	for route, p := range c.paged {
		if p.paged && strings.HasSuffix(route, ".ttl") && route != startStem+".ttl" && !judged[route] {
			c.report.fault(reportRoute, "leaves out %s", route)
		}
	}
}
