package dcatus

import (
	"cmp"
	"strings"

	"github.com/assay-register/assay/render/catalog"
	"github.com/assay-register/assay/render/snapshot"
)

// dataset11 is a dataset of version 1.1.
type dataset11 struct {
	Type         string           `json:"@type"`
	Identifier   string           `json:"identifier"`
	Title        string           `json:"title"`
	Description  string           `json:"description"`
	Keyword      []string         `json:"keyword,omitempty"`
	Theme        []string         `json:"theme,omitempty"`
	Issued       string           `json:"issued,omitempty"`
	Modified     string           `json:"modified,omitempty"`
	Publisher    *agent           `json:"publisher"`
	ContactPoint kind             `json:"contactPoint"`
	AccessLevel  string           `json:"accessLevel"`
	Rights       string           `json:"rights,omitempty"`
	License      string           `json:"license,omitempty"`
	Spatial      string           `json:"spatial,omitempty"`
	Temporal     string           `json:"temporal,omitempty"`
	Periodicity  string           `json:"accrualPeriodicity,omitempty"`
	Language     []string         `json:"language,omitempty"`
	LandingPage  string           `json:"landingPage,omitempty"`
	References   []string         `json:"references,omitempty"`
	ConformsTo   string           `json:"conformsTo,omitempty"`
	Distribution []distribution11 `json:"distribution,omitempty"`
}

type distribution11 struct {
	Type        string `json:"@type"`
	Title       string `json:"title,omitempty"`
	Description string `json:"description,omitempty"`
	AccessURL   string `json:"accessURL,omitempty"`
	DownloadURL string `json:"downloadURL,omitempty"`
	Format      string `json:"format,omitempty"`
	MediaType   string `json:"mediaType,omitempty"`
}

// levels are the access levels of version 1.1.
var levels = map[catalog.AccessRights]string{catalog.RightsPublic: "public", catalog.RightsRestricted: "restricted public", catalog.RightsNonPublic: "non-public"}

// unstated explains an access level that nobody states.
const unstated = "The publisher does not state who may have it; it is listed in public."

func oldDataset(s *snapshot.Scored) *dataset11 {
	e, details := s.Entry(), detailsOf(s.Entry())
	d := &dataset11{Type: "dcat:Dataset", Identifier: iri(s), Title: cmp.Or(e.Name, e.Slug), Description: description(e), Keyword: tags(e), Theme: themes(e.Themes),
		Issued: instant(e.SourceIssuedAt), Modified: instant(e.SourceModifiedAt), Publisher: publisher(s, "org:Organization"), ContactPoint: contact(s, "vcard:Contact"),
		License: licence(s, e.LicenseID, e.LicenseRaw), Spatial: place(details.Spatial), Language: e.Languages, LandingPage: cmp.Or(web(details.LandingPage), web(e.HomepageURL)),
		References: webs(e.DocsURL, e.RepoURL)}
	if d.AccessLevel = levels[e.AccessRights]; d.AccessLevel == "" {
		d.AccessLevel, d.Rights = "public", unstated
	}
	if !details.TemporalStart.IsZero() && !details.TemporalEnd.IsZero() {
		d.Temporal = dated(details.TemporalStart) + "/" + dated(details.TemporalEnd)
	}
	if length := durations[details.Frequency]; length != "" {
		d.Periodicity = "R/" + length
	} else if details.Frequency == "IRREG" {
		d.Periodicity = "irregular"
	}
	// The version takes how often data change for when they did.
	if d.Modified == "" && d.Periodicity != "irregular" {
		d.Modified = d.Periodicity
	}
	for _, c := range e.ConformsTo {
		if d.ConformsTo == "" && web(c) != "" {
			d.ConformsTo = c
		}
	}
	for i := range details.Distributions {
		if x := file11(&details.Distributions[i]); x != nil {
			d.Distribution = append(d.Distribution, *x)
		}
	}
	return d
}

// file11 is a file or an access point, nil without an address. A file has a media type.
func file11(f *catalog.Distribution) *distribution11 {
	x := &distribution11{Type: "dcat:Distribution", Title: f.Title, Description: f.Description, AccessURL: fileWeb(f.AccessURL), DownloadURL: fileWeb(f.DownloadURL),
		Format: f.Format, MediaType: mediaType(f)}
	if x.AccessURL == "" && x.DownloadURL == "" {
		return nil
	}
	if x.DownloadURL != "" {
		x.MediaType = cmp.Or(x.MediaType, octets)
	}
	return x
}

func detailsOf(e *catalog.Entry) *catalog.DatasetDetails {
	if e.Dataset == nil {
		return &catalog.DatasetDetails{}
	}
	return e.Dataset
}

// place is the one place that version 1.1 takes: a box, else the first.
func place(list []string) string {
	for _, p := range list {
		if _, ok := catalog.ParseBox(p); ok {
			return p
		}
	}
	if len(list) == 0 {
		return ""
	}
	return list[0]
}

// webs are the addresses that can be linked, each once.
func webs(raw ...string) []string {
	var out []string
	for _, r := range raw {
		if u := web(r); u != "" && !strings.Contains(strings.Join(out, "\n"), u) {
			out = append(out, u)
		}
	}
	return out
}
