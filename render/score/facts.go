package score

import (
	"slices"
	"strings"

	"github.com/assay-register/assay/render/catalog"
)

func hasDescription(in *Input) Outcome { return met(in.entry().Description != "") }
func hasDocs(in *Input) Outcome        { return met(in.entry().DocsURL != "") }
func hasRepo(in *Input) Outcome        { return met(in.entry().RepoURL != "") }
func hasTags(in *Input) Outcome        { return met(len(in.entry().Tags) > 0) }
func hasPublisher(in *Input) Outcome {
	return met(in.Institution != nil || in.entry().PublisherName != "")
}
func hasCountry(in *Input) Outcome  { return met(in.entry().CountryCode != "") }
func hasFormats(in *Input) Outcome  { return met(len(in.entry().Formats) > 0) }
func hasHomepage(in *Input) Outcome { return met(in.entry().HomepageURL != "") }
func hasModified(in *Input) Outcome { return met(!in.entry().SourceModifiedAt.IsZero()) }

func hasAuth(in *Input) Outcome {
	a := in.entry().AuthType
	return met(a != "" && a != catalog.AuthUnknown)
}

// NoLicence is the row of the licence table for publishers who say that they
// state no licence.
const NoLicence = "UNSPECIFIED"

// hasLicence asks for a row of the licence table or for the publisher's own
// words: an id that the table does not have says nothing to a reader.
func hasLicence(in *Input) Outcome {
	e := in.entry()
	return met(e.LicenseID != NoLicence && (in.Licence != nil || e.LicenseRaw != ""))
}

func hasLicenceOrTerms(in *Input) Outcome {
	api := in.entry().API
	return met(hasLicence(in) == Met || api != nil && api.TermsURL != "")
}

func hasContact(in *Input) Outcome {
	c := in.entry().Contact
	return met(c != nil && (c.Name != "" || c.URL != "" || c.Email != ""))
}

func hasBaseURL(in *Input) Outcome {
	return met(in.entry().API != nil && in.entry().API.BaseURL != "")
}

func hasMachineDescription(in *Input) Outcome {
	api := in.entry().API
	return met(api != nil && (api.OpenAPIURL != "" || api.GraphQLURL != "" || selfDescribing(api.SpecFormat)))
}

// selfDescribed are the interfaces that, like those of OGC, describe themselves by a
// standard request on the base URL.
var selfDescribed = []string{"arcgis-rest", "odata", "sdmx", "soap", "sparql"}

func selfDescribing(format string) bool {
	return strings.HasPrefix(format, "ogc-") || slices.Contains(selfDescribed, format)
}

func hasKnownFormat(in *Input) Outcome {
	api := in.entry().API
	return met(api != nil && api.SpecFormat != "" && api.SpecFormat != "none")
}

func hasRunnable(in *Input) Outcome {
	actions := in.actions
	if actions == nil {
		actions = AccessOf(in.entry()).Actions
	}
	for i := range actions {
		if a := &actions[i]; a.Runnable && a.Direct {
			return Met
		}
	}
	return NotMet
}

func hasLanding(in *Input) Outcome {
	d := in.entry().Dataset
	return met(in.entry().HomepageURL != "" || d != nil && d.LandingPage != "")
}

func hasDistribution(in *Input) Outcome {
	d := in.entry().Dataset
	return met(d != nil && len(d.Distributions) > 0)
}

func hasFrequency(in *Input) Outcome {
	d := in.entry().Dataset
	return met(d != nil && d.Frequency != "" && d.Frequency != "UNKNOWN")
}

func hasCoverage(in *Input) Outcome {
	d := in.entry().Dataset
	return met(d != nil && (len(d.Spatial) > 0 || !d.TemporalStart.IsZero() || !d.TemporalEnd.IsZero()))
}

// machineFormats are the file types that a program can read without a person.
var machineFormats = map[string]bool{
	"CSV": true, "TSV": true, "JSON": true, "NDJSON": true, "GEOJSON": true,
	"XML": true, "RDF": true, "RDF_TURTLE": true, "RDF_XML": true, "JSON_LD": true, "TURTLE": true,
	"XLSX": true, "XLS": true, "ODS": true, "PARQUET": true, "SHP": true, "GPKG": true,
	"KML": true, "GML": true, "WMS": true, "WFS": true, "GTFS": true, "NETCDF": true,
	"SDMX": true, "PX": true, "SQLITE": true, "GEOTIFF": true, "API": true, "YAML": true,
	"ICS": true, "GRIB": true, "ASCII": true, "DBF": true, "GPX": true, "ATOM": true, "RSS": true,
	"WMS_SRVC": true, "WFS_SRVC": true, "WCS_SRVC": true, "MAP_SRVC": true, "REST": true, "SPARQLQ": true,
	"RDF_N_TRIPLES": true, "RDF_N_QUADS": true, "RDF_TRIG": true, "RDFA": true, "N3": true, "JSON_TAB": true,
}

func hasMachineFormat(in *Input) Outcome {
	for _, f := range in.entry().Formats {
		if machineFormats[strings.ToUpper(f)] {
			return Met
		}
	}
	return NotMet
}

func hasProfile(in *Input) Outcome {
	p := in.Row.Profile
	if p == nil {
		return Unknown
	}
	return met(len(p.Fields) > 0)
}

func hasExample(in *Input) Outcome {
	p := in.Row.Profile
	if p == nil {
		return Unknown
	}
	return met(len(p.QueryExamples) > 0)
}

func hasEndpoint(in *Input) Outcome {
	return met(in.entry().MCP != nil && in.entry().MCP.EndpointURL != "")
}

func hasTools(in *Input) Outcome {
	return met(in.entry().MCP != nil && len(in.entry().MCP.Tools) > 0)
}

func hasHandshake(in *Input) Outcome {
	m := in.entry().MCP
	if m == nil {
		return NotMet
	}
	if m.HandshakeAt.IsZero() && in.Row.State == nil {
		return Unknown
	}
	return met(!m.HandshakeAt.IsZero())
}
