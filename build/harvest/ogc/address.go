package ogc

import (
	"net/url"
	"slices"
	"strings"

	"github.com/assay-register/assay/render/catalog"
)

// services are the protocols of the services, as their query parameter has them.
var services = []string{"WMS", "WFS", "WMTS", "WCS", "CSW"}

// endpoint is the address of a service without the words of a request
// and of a representation.
func endpoint(raw string) string {
	u, err := url.Parse(strings.TrimSpace(raw))
	if err != nil || u.Host == "" {
		return raw
	}
	var kept []string
	for _, part := range strings.Split(u.RawQuery, "&") {
		name, _, _ := strings.Cut(strings.ToLower(part), "=")
		if part != "" && !slices.Contains([]string{"service", "request", "version", "acceptversions", "f"}, name) {
			kept = append(kept, part)
		}
	}
	u.RawQuery, u.ForceQuery, u.Fragment = strings.Join(kept, "&"), false, ""
	return u.String()
}

// capabilities is the request that describes the service at an endpoint. It
// also tells two services at one endpoint apart.
func capabilities(endpoint, service string) string {
	sep := "?"
	if strings.Contains(endpoint, "?") {
		sep = "&"
	}
	return endpoint + sep + "SERVICE=" + service + "&REQUEST=GetCapabilities"
}

// capabilitiesURL completes an address that names a service but no request,
// such as …/ows?service=WMS. Any other address is asked for as it is.
func capabilitiesURL(raw string) string {
	u, err := url.Parse(raw)
	if err != nil || catalog.Host(raw) == "" {
		return raw
	}
	service := ""
	for key, values := range u.Query() {
		switch strings.ToLower(key) {
		case "request":
			return raw
		case "service":
			service = strings.ToUpper(values[0])
		}
	}
	if !slices.Contains(services, service) {
		return raw
	}
	return capabilities(endpoint(raw), service)
}
