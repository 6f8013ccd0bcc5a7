package source

import (
	"net/url"
	"path"
	"strings"
)

// SpecFormat guesses from an address alone which machine-readable description
// it leads to, as one of the words of APIDetails.SpecFormat: openapi, ogc-wms,
// ogc-wfs, ogc-wcs, ogc-wmts, ogc-csw, ogc-api, arcgis-rest, soap, sparql, graphql, or "" when it shows none.
func SpecFormat(raw string) string {
	u, err := url.Parse(raw)
	if err != nil {
		return ""
	}
	query := u.Query()
	for key, values := range query {
		if strings.EqualFold(key, "wsdl") {
			return "soap"
		}
		if strings.EqualFold(key, "service") && len(values) > 0 {
			switch strings.ToUpper(values[0]) {
			case "WMS", "WFS", "WCS", "WMTS", "CSW":
				return "ogc-" + strings.ToLower(values[0])
			}
		}
	}
	p := strings.ToLower(u.Path)
	last := path.Base(p)
	switch {
	case strings.Contains(p, "/rest/services/") && (strings.HasSuffix(last, "server") || path.Base(path.Dir(p)) != "services" && arcgisLayer(p)):
		return "arcgis-rest"
	case strings.HasSuffix(p, "/ogc/features/v1") || strings.Contains(p, "/ogcapi/") || strings.Contains(p, "/ogc-api/"):
		return "ogc-api"
	case last == "sparql":
		return "sparql"
	case last == "graphql":
		return "graphql"
	case openAPIPath(p, last, strings.ToLower(query.Get("f")+query.Get("format"))):
		return "openapi"
	}
	return ""
}

// arcgisLayer tells that a path leads to a layer of an ArcGIS service:
// …/FeatureServer/0.
func arcgisLayer(p string) bool {
	return strings.HasSuffix(path.Base(path.Dir(p)), "server")
}

// openAPIPath tells whether a path leads to an OpenAPI document, not to a page
// that shows one.
func openAPIPath(p, last, format string) bool {
	named := strings.Contains(p, "openapi") || strings.Contains(p, "swagger") || strings.Contains(p, "api-docs") ||
		strings.Contains(p, "open-api")
	switch ext := path.Ext(last); {
	case !named:
		return false
	case ext == ".json" || ext == ".yaml" || ext == ".yml":
		return true
	case ext != "" || strings.Contains(p, "swagger-ui") || strings.Contains(p, "/docs") || strings.Contains(format, "html"):
		return false
	default:
		return last == "openapi" || strings.HasSuffix(last, "api-docs") || strings.Contains(p, "/api-docs/") || strings.Contains(format, "json")
	}
}
