package ckan

import (
	"cmp"
	"fmt"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/assay-register/assay/dynamic/documents"
	"github.com/assay-register/assay/dynamic/query"
	"github.com/assay-register/assay/render/catalog"
	"github.com/assay-register/assay/render/snapshot"
	"github.com/assay-register/assay/render/wire"
)

// resource is a file of a dataset, or a way into a service. URL is what clients fetch: the address of the
// file itself where one is known, else that of the page which leads to it; DownloadURL and AccessURL tell the
// two apart, as ckanext-dcat does.
type resource struct {
	ID               string  `json:"id"`
	PackageID        string  `json:"package_id"`
	Position         int     `json:"position"`
	Name             string  `json:"name"`
	Description      string  `json:"description"`
	URL              string  `json:"url"`
	AccessURL        string  `json:"access_url,omitempty"`
	DownloadURL      string  `json:"download_url,omitempty"`
	URLType          *string `json:"url_type"`
	Format           string  `json:"format"`
	Mimetype         *string `json:"mimetype"`
	Size             *int    `json:"size"`
	Hash             string  `json:"hash"`
	License          *string `json:"license,omitempty"`
	State            string  `json:"state"`
	ResourceType     string  `json:"resource_type"`
	Created          *string `json:"created"`
	LastModified     *string `json:"last_modified"`
	MetadataModified *string `json:"metadata_modified"`
	DatastoreActive  bool    `json:"datastore_active"`
}

// Words for what a resource is (CKAN, "resource_type").
const (
	typeFile = "file"
	typeAPI  = "api"
	typeDocs = "documentation"
)

// resources are the files of a dataset, the endpoint and description of an API, the endpoint
// of an MCP server. Their ids begin with that of the entry, by which they are found again.
func resources(e *documents.Record) []resource {
	out := []resource{}
	add := func(r resource) {
		if r.URL == "" {
			return
		}
		r.Position, r.PackageID, r.State = len(out), e.ID, active
		r.ID = e.ID + "-" + strconv.Itoa(r.Position)
		r.Created, r.MetadataModified = stamp(e.CreatedAt), stamp(e.UpdatedAt)
		if r.Name == "" {
			r.Name = cmp.Or(path.Base(r.URL), r.URL)
		}
		out = append(out, r)
	}
	if d := e.DatasetDetails; d != nil {
		for i := range d.Distributions {
			x := &d.Distributions[i]
			r := resource{Name: text(x.Title), Description: text(x.Description), URL: cmp.Or(text(x.DownloadURL), text(x.AccessURL)), AccessURL: text(x.AccessURL), DownloadURL: text(x.DownloadURL),
				Format: catalog.FileFormat(text(x.Format)), Mimetype: x.MediaType, License: x.License, ResourceType: typeFile, LastModified: stamp(x.ModifiedAt)}
			if x.ByteSize != nil {
				n := int(*x.ByteSize)
				r.Size = &n
			}
			add(r)
		}
	}
	if a := e.APIDetails; a != nil {
		add(resource{Name: e.Name, URL: text(a.BaseURL), Format: catalog.InterfaceFormat(text(a.SpecFormat)), ResourceType: typeAPI})
		add(resource{Name: "OpenAPI", URL: text(a.OpenAPIURL), Format: catalog.FormatOpenAPI, ResourceType: typeDocs})
	}
	if m := e.MCPDetails; m != nil {
		add(resource{Name: e.Name, URL: text(m.EndpointURL), Format: catalog.FormatMCP, ResourceType: typeAPI})
	}
	return out
}

// resourceShow answers one resource.
func resourceShow(c *call) (any, error) {
	entry, number, _ := cutLast(c.get("id"), "-")
	if c.s.ByID(entry) < 0 {
		return nil, notFound("Not found: Resource was not found.")
	}
	p, _, err := c.read(entry)
	if err != nil {
		return nil, err
	}
	n, err := strconv.Atoi(number)
	if err != nil || n < 0 || n >= len(p.Resources) {
		return nil, notFound("Not found: Resource was not found.")
	}
	return p.Resources[n], nil
}

func cutLast(s, sep string) (before, after string, found bool) {
	i := strings.LastIndex(s, sep)
	if i < 0 {
		return s, "", false
	}
	return s[:i], s[i+len(sep):], true
}

// scannedMax is how many entries one search of resources reads at most.
const scannedMax = 3000

// resourceTerm is one condition of resource_search.
type resourceTerm struct{ field, text string }

// resourceFields are those that resource_search looks into.
var resourceFields = map[string]func(*resource) string{
	"name": func(r *resource) string { return r.Name }, "description": func(r *resource) string { return r.Description }, "url": func(r *resource) string { return r.URL },
	"format": func(r *resource) string { return r.Format }, "mimetype": func(r *resource) string { return text(r.Mimetype) }, "id": func(r *resource) string { return r.ID },
	"hash": func(r *resource) string { return r.Hash },
}

// resourceSearch reads the entries that can have such resources.
func resourceSearch(c *call) (any, error) {
	terms, err := resourceTerms(c.get("query"))
	if err != nil {
		return nil, err
	}
	order := c.get("order_by")
	if order != "" && resourceFields[order] == nil {
		return nil, invalid("order_by", "Field "+order+" cannot be ordered by")
	}
	found, err := c.s.Select(c.r.Context(), &query.Selection{Where: candidates(terms), Limit: scannedMax})
	if err != nil {
		return nil, err
	}
	if found.Total > scannedMax {
		return nil, &fault{409, "Search Error", fmt.Sprintf("%d entries can have such resources, at most %d are looked through: narrow the query by format:…", found.Total, scannedMax), nil}
	}
	packs, err := c.packages(found.Lines)
	if err != nil {
		return nil, err
	}
	list := []resource{}
	for _, p := range packs {
		for _, r := range p.Resources {
			if !slices.ContainsFunc(terms, func(t resourceTerm) bool { return !t.fits(&r) }) {
				list = append(list, r)
			}
		}
	}
	if order != "" {
		slices.SortStableFunc(list, func(a, b resource) int { return cmp.Compare(resourceFields[order](&a), resourceFields[order](&b)) })
	}
	count := len(list)
	from := min(c.number("offset", 0), count)
	return map[string]any{"count": count, "results": list[from:min(from+c.amount("limit", wire.CKANRowsMax, wire.CKANRowsMax), count)]}, nil
}

func resourceTerms(raw string) ([]resourceTerm, error) {
	var terms []resourceTerm
	for _, q := range texts(raw) {
		field, value, ok := strings.Cut(q, ":")
		if !ok || resourceFields[field] == nil {
			return nil, invalid("query", "Must be <field>:<value> pair(s), with a field of name, description, url, format, mimetype, id, hash")
		}
		terms = append(terms, resourceTerm{field, strings.ToLower(value)})
	}
	if len(terms) == 0 {
		return nil, invalid("query", "Missing value")
	}
	return terms, nil
}

func (t *resourceTerm) fits(r *resource) bool {
	have := strings.ToLower(resourceFields[t.field](r))
	if t.field == "format" || t.field == "id" {
		return have == t.text
	}
	return strings.Contains(have, t.text)
}

// candidates are the entries that may have a resource that fits.
func candidates(terms []resourceTerm) query.Condition {
	all := []query.Condition{query.Fits(func(*snapshot.Line) bool { return true })}
	for _, t := range terms {
		switch {
		case t.field == "id":
			entry, _, _ := cutLast(t.text, "-")
			all = append(all, query.Fits(func(l *snapshot.Line) bool { return l.ID == entry }))
		case t.field == "format":
			all = append(all, query.Fits(func(l *snapshot.Line) bool {
				return slices.ContainsFunc(l.Resources, func(v string) bool { return strings.EqualFold(v, t.text) })
			}))
		}
	}
	return query.Every(all...)
}
