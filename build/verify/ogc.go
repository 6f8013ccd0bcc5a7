package verify

import "strings"

// OGCURL is the address of a service's description: GetCapabilities of the
// older services (OGC 06-121r9), the landing page as JSON of an OGC API.
func OGCURL(base, format string) string {
	service := strings.ToUpper(strings.TrimPrefix(format, "ogc-"))
	if service == "API" {
		return withQuery(base, [2]string{"f", "json"})
	}
	params := [][2]string{{"request", "GetCapabilities"}}
	if service != "OGC" {
		params = append(params, [2]string{"service", service})
	}
	return withQuery(base, params...)
}
