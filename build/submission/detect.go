package submission

import (
	"bytes"
	"encoding/json"
	"strings"

	"github.com/assay-register/assay/build/harvest/datajson"
	"github.com/assay-register/assay/build/harvest/dcatap"
	"github.com/assay-register/assay/build/harvest/mcpregistry"
	"github.com/assay-register/assay/build/harvest/ogc"
	"github.com/assay-register/assay/build/harvest/openapidoc"
)

// headMax is how much of a body is looked at for words that tell what it is.
const headMax = 64 << 10

// detect tells by its content which reader of the harvest reads an answer, as
// the word for the connector, "html" for a page, or "" for plain data.
func detect(a *answer) string {
	head := bytes.TrimLeft(bytes.TrimPrefix(a.body[:min(len(a.body), headMax)], []byte("\xef\xbb\xbf")), " \t\r\n")
	low := strings.ToLower(string(head))
	switch {
	case strings.HasPrefix(low, "<!doctype html"), strings.HasPrefix(low, "<html"), strings.Contains(a.media, "html") && strings.HasPrefix(low, "<"):
		return "html"
	case strings.HasPrefix(low, "{"), strings.HasPrefix(low, "["):
		return detectJSON(a.body)
	case strings.HasPrefix(low, "<"):
		return detectXML(low)
	case strings.HasPrefix(low, "openapi:"), strings.HasPrefix(low, "swagger:"), strings.Contains(low, "\nopenapi:"), strings.Contains(low, "\nswagger:"):
		return openapidoc.Kind
	case strings.HasPrefix(a.media, "text/turtle"), strings.Contains(low, "@prefix") && strings.Contains(low, "dcat"):
		return dcatap.Kind
	}
	return ""
}

func detectJSON(body []byte) string {
	var members map[string]json.RawMessage
	if json.Unmarshal(body, &members) != nil {
		return ""
	}
	has := func(names ...string) bool {
		for _, n := range names {
			if members[n] == nil {
				return false
			}
		}
		return true
	}
	switch {
	case has("openapi"), has("swagger"):
		return openapidoc.Kind
	case has("dataset") && (has("conformsTo") || has("@type")):
		return datajson.Kind
	case has("name", "packages"), has("name", "remotes"), has("server", "_meta"):
		return mcpregistry.KindFile
	case has("@context") && bytes.Contains(body, []byte("dcat")), has("@graph") && bytes.Contains(body, []byte("dcat")):
		return dcatap.Kind
	case has("links", "title"), has("links", "conformsTo"):
		return ogc.Kind
	}
	return ""
}

func detectXML(low string) string {
	switch {
	case strings.Contains(low, "wms_capabilities"), strings.Contains(low, "wmt_ms_capabilities"), strings.Contains(low, "wfs_capabilities"),
		strings.Contains(low, ":capabilities"):
		return ogc.Kind
	case strings.Contains(low, "rdf:rdf"):
		return dcatap.Kind
	}
	return ""
}
