package catalog

import (
	"slices"
	"strings"
)

// Formats of the ways into a service that are not said by its description.
const (
	FormatAPI     = "API"
	FormatOpenAPI = "OPENAPI"
	FormatMCP     = "MCP"
)

// interfaceFormats are the formats of interfaces whose codes in the EU file-type table, as files have
// them, are other words than those of APIDetails.SpecFormat.
var interfaceFormats = map[string]string{
	"": FormatAPI, "none": FormatAPI, "swagger": FormatOpenAPI, "arcgis-rest": "REST",
	"ogc-wms": "WMS_SRVC", "ogc-wfs": "WFS_SRVC", "ogc-wcs": "WCS_SRVC", "ogc-wmts": "WMTS_SRVC", "ogc-csw": "CSW", "ogc-sos": "SOS", "sparql": "SPARQLQ",
}

// FileFormat is the format of a file in the one spelling that lists of formats have: upper case, as the
// codes of the EU file-type table.
func FileFormat(stated string) string { return strings.ToUpper(strings.TrimSpace(stated)) }

// InterfaceFormat is the format of an API by the word for its description (APIDetails.SpecFormat), in the
// spelling of FileFormat.
func InterfaceFormat(spec string) string {
	if format, ok := interfaceFormats[spec]; ok {
		return format
	}
	return FileFormat(spec)
}

// ResourceFormats are the formats of what can be fetched or called at an address: the files of a dataset,
// the endpoint and description of an API, the endpoint of an MCP server; each once, in order, nil for none.
// Entry.Formats, beside them, has what a source states of the whole, and what an API answers with.
func (e *Entry) ResourceFormats() []string {
	var out []string
	add := func(format, address string) {
		if format != "" && address != "" {
			out = append(out, format)
		}
	}
	if e.Dataset != nil {
		for i := range e.Dataset.Distributions {
			d := &e.Dataset.Distributions[i]
			add(FileFormat(d.Format), d.AccessURL+d.DownloadURL)
		}
	}
	if a := e.API; a != nil {
		add(InterfaceFormat(a.SpecFormat), a.BaseURL)
		add(FormatOpenAPI, a.OpenAPIURL)
	}
	if e.MCP != nil {
		add(FormatMCP, e.MCP.EndpointURL)
	}
	slices.Sort(out)
	return slices.Clip(slices.Compact(out))
}
