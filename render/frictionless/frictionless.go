// Package frictionless describes a dataset as a Data Package (version 2, datapackage.org)
// and, where its files were sampled, as Croissant 1.0 of MLCommons, so that tools load its
// files by name and type. Both are made of the public answer about the entry.
package frictionless

import (
	"encoding/json"
	"path"
	"regexp"
	"strconv"
	"strings"

	"github.com/assay-register/assay/render/catalog"
	"github.com/assay-register/assay/render/wire"
)

type license struct {
	Name  string `json:"name,omitempty"`
	Path  string `json:"path,omitempty"`
	Title string `json:"title,omitempty"`
}

type field struct {
	Name        string         `json:"name"`
	Type        string         `json:"type"`
	Title       string         `json:"title,omitempty"`
	Description string         `json:"description,omitempty"`
	RDFType     string         `json:"rdfType,omitempty"`
	Constraints map[string]any `json:"constraints,omitempty"`
}

type schema struct {
	Fields []field `json:"fields"`
}

// dialect is how a text table is written (Data Package 2.0, "Table Dialect"; readers of version 1
// know the delimiter and whether there is a header).
type dialect struct {
	Delimiter  string `json:"delimiter"`
	Header     *bool  `json:"header,omitempty"`
	HeaderRows []int  `json:"headerRows,omitempty"`
}

type resource struct {
	Name        string    `json:"name"`
	Path        string    `json:"path"`
	Title       string    `json:"title,omitempty"`
	Description string    `json:"description,omitempty"`
	Format      string    `json:"format,omitempty"`
	MediaType   string    `json:"mediatype,omitempty"`
	Encoding    string    `json:"encoding,omitempty"`
	Bytes       *int64    `json:"bytes,omitempty"`
	Type        string    `json:"type,omitempty"`
	Dialect     *dialect  `json:"dialect,omitempty"`
	Schema      *schema   `json:"schema,omitempty"`
	Licenses    []license `json:"licenses,omitempty"`
}

type contributor struct {
	Title string   `json:"title"`
	Path  string   `json:"path,omitempty"`
	Roles []string `json:"roles"`
}

type dataPackage struct {
	Schema       string        `json:"$schema"`
	Name         string        `json:"name"`
	ID           string        `json:"id"`
	Title        string        `json:"title"`
	Description  string        `json:"description,omitempty"`
	Homepage     string        `json:"homepage,omitempty"`
	Version      string        `json:"version,omitempty"`
	Created      string        `json:"created,omitempty"`
	Keywords     []string      `json:"keywords,omitempty"`
	Licenses     []license     `json:"licenses,omitempty"`
	Contributors []contributor `json:"contributors,omitempty"`
	Resources    []resource    `json:"resources"`
}

// DataPackage describes the dataset of a page, nil for an entry of another type or without
// a file: a package has one resource at least. base is the address of the register.
func DataPackage(page []byte, base string) ([]byte, error) {
	var e wire.Entry
	if err := json.Unmarshal(page, &e); err != nil {
		return nil, err
	}
	if e.Type != catalog.TypeDataset || e.DatasetDetails == nil {
		return nil, nil
	}
	p := dataPackage{Schema: "https://datapackage.org/profiles/2.0/datapackage.json", Name: e.Slug, ID: strings.TrimRight(base, "/") + "/id/" + e.ID,
		Title: e.Name, Description: text(e.Description), Homepage: first(text(e.DatasetDetails.LandingPage), text(e.HomepageURL)), Version: text(e.DatasetDetails.Version),
		Created: text(e.SourceIssuedAt), Keywords: e.Tags, Resources: resources(&e)}
	if l := e.License; l != nil {
		p.Licenses = []license{{Name: openName(l.ID), Path: text(l.URL), Title: l.Title}}
	}
	if e.Publisher != nil {
		p.Contributors = []contributor{{Title: e.Publisher.Name, Roles: []string{"publisher"}}}
	}
	if len(p.Resources) == 0 {
		return nil, nil
	}
	return json.MarshalIndent(&p, "", "  ")
}

// openName is the id of a licence if it can be one of Open Definition or SPDX, whose ids
// have no spaces.
func openName(id string) string {
	if strings.ContainsAny(id, " /:") {
		return ""
	}
	return id
}

// resources are the files whose address is known, each under a name of its own.
func resources(e *wire.Entry) []resource {
	out := []resource{}
	names := map[string]bool{}
	for _, d := range e.DatasetDetails.Distributions {
		at := first(text(d.DownloadURL), text(d.AccessURL))
		if at == "" || ftp(at) { // paths of a package are addresses of the web (Data Package 2.0, "path")
			continue
		}
		r := resource{Name: nameOf(at, names), Path: at, Title: text(d.Title), Description: text(d.Description), Format: strings.ToLower(text(d.Format)),
			MediaType: text(d.MediaType), Bytes: d.ByteSize}
		if profiled(e, at) {
			r.Type, r.Schema = "table", schemaOf(e.DataProfile.Fields)
			r.Dialect, r.Encoding = dialectOf(e.DataProfile)
		}
		out = append(out, r)
	}
	return out
}

// dialectOf is how the sampled file is written, and its encoding; nil for one that is no text table.
func dialectOf(p *wire.DataProfile) (*dialect, string) {
	known, ok := catalog.DialectOf(text(p.Separator), text(p.Encoding), p.Notes)
	if !ok {
		return nil, ""
	}
	d := &dialect{Delimiter: known.Separator}
	switch known.HeaderRow {
	case 0:
		none := false
		d.Header = &none
	case 1: // the default
	default:
		d.HeaderRows = []int{known.HeaderRow}
	}
	return d, known.Encoding
}

// profiled tells whether the profile is that of the file at an address.
func profiled(e *wire.Entry, at string) bool {
	return e.DataProfile != nil && len(e.DataProfile.Fields) > 0 && e.DataProfile.ProfileSource == at
}

var noName = regexp.MustCompile(`[^a-z0-9._-]+`)

// nameOf makes a name of the last part of an address (Data Package, "name").
func nameOf(at string, names map[string]bool) string {
	at, _, _ = strings.Cut(at, "?")
	base := strings.ToLower(path.Base(at))
	base = strings.Trim(noName.ReplaceAllString(strings.TrimSuffix(base, path.Ext(base)), "-"), "-._")
	base = first(base, "file")
	name := base
	for n := 2; names[name]; n++ {
		name = base + "-" + strconv.Itoa(n)
	}
	names[name] = true
	return name
}

// types are those of Table Schema for the types of profiles.
var types = map[string]string{"string": "string", "integer": "integer", "decimal": "number", "number": "number", "boolean": "boolean", "date": "date",
	"datetime": "datetime", "time": "time", "year": "year", "object": "object", "array": "array", "geometry": "geojson"}

func schemaOf(list []wire.ProfileField) *schema {
	s := &schema{Fields: []field{}}
	for i := range list {
		p := &list[i]
		f := field{Name: p.Name, Type: first(types[p.Type], "any"), Title: text(p.Label), Description: text(p.Description), RDFType: text(p.Concept)}
		if !strings.Contains(f.RDFType, "://") {
			f.RDFType = ""
		}
		if !p.Nullable {
			f.Constraints = map[string]any{"required": true}
		}
		s.Fields = append(s.Fields, f)
	}
	return s
}

func text(s *string) string {
	if s == nil {
		return ""
	}
	return *s
}

func first(list ...string) string {
	for _, s := range list {
		if s != "" {
			return s
		}
	}
	return ""
}

// ftp tells that an address is one of FTP.
func ftp(address string) bool {
	_, _, ok := catalog.CutFTP(address)
	return ok
}
