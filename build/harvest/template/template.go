// Package template is a connector to copy: it reads a made-up JSON protocol,
// page by page or from captured files. site/docs/add-a-connector.md shows it; no
// source uses it.
package template

import (
	"context"
	"net/url"

	"github.com/assay-register/assay/build/harvest/source"
	"github.com/assay-register/assay/render/catalog"
)

// Kind is the word for this connector in `assay harvest --kind`.
const Kind = "template"

// Connector implements source.Connector.
type Connector struct{}

// Run implements source.Connector.
func (Connector) Run(ctx context.Context, in source.Input, emit func(source.Draft) error, reject func(source.Rejection) error) error {
	m := mapper{in: &in, emit: emit, reject: reject}
	feed := source.Feed{Paths: []string{"datasets"}, Each: m.each}
	if in.Fetch != nil { // a live source; captured files are read the same way
		at, err := in.Address()
		if err != nil {
			return err
		}
		at = at.JoinPath("api", "datasets")
		at.RawQuery = url.Values{"offset": {"0"}}.Encode()
		feed.First, feed.Next = at.String(), next
	}
	return feed.Run(ctx, &in, reject)
}

// next is the address of the page after one.
func next(p source.Page) string {
	total := -1
	if !p.Body.Head("total", &total) {
		total = -1
	}
	return source.NextOffset(p, "offset", total)
}

// record is one dataset as the protocol writes it. Loose takes strings, numbers
// and null alike, as portals do not keep to their own schemas.
type record struct {
	ID        source.Loose     `json:"id"`
	Title     source.Loose     `json:"title"`
	Summary   source.Loose     `json:"summary"`
	Page      source.Loose     `json:"page"`
	Publisher source.Loose     `json:"publisher"`
	License   source.Loose     `json:"license"`
	Changed   source.Loose     `json:"changed"`
	Tags      source.LooseList `json:"tags"`
	Files     []struct {
		URL    source.Loose `json:"url"`
		Format source.Loose `json:"format"`
	} `json:"files"`
}

// mapper turns records into drafts.
type mapper struct {
	in     *source.Input
	emit   func(source.Draft) error
	reject func(source.Rejection) error
}

// each takes one record: it becomes a draft or a rejection, nothing else.
func (m *mapper) each(j *source.JSON, it source.Item, seed string) error {
	var r record
	if bad := j.Decode(it, &r); bad != nil {
		return m.reject(*bad)
	}
	d, bad := m.draft(&r, j.Place(it), seed)
	if bad != nil {
		return m.reject(*bad)
	}
	return m.emit(d)
}

// draft maps the fields; the builder keeps the account of where each came from.
func (m *mapper) draft(r *record, place, seed string) (source.Draft, *source.Rejection) {
	b := source.NewBuilder(m.in, place, seed, m.in.Portal())
	e := &b.Draft.Entry
	e.Type = catalog.TypeDataset
	b.Inherit("type", "the catalogue lists datasets")
	b.Country()
	b.Identify(m.in.Host(Kind), Kind, "id", string(r.ID))
	b.Names("title", source.Text{Value: string(r.Title)})
	if e.Name == "" {
		return source.Draft{}, &source.Rejection{Place: place, Code: source.CodeMissingName, Reason: "the dataset has no title",
			Remedy: "give it a title", UpstreamRef: e.UpstreamRef}
	}
	if !b.URL(&e.PrimarySourceURL, "primary_source_url", "page", string(r.Page)) {
		return source.Draft{}, &source.Rejection{Place: place, Code: source.CodeMissingURL, Reason: e.Name + " has no page that can be used",
			Remedy: "give its page as an absolute address", UpstreamRef: e.UpstreamRef}
	}
	b.Descriptions("summary", source.Text{Value: string(r.Summary)})
	b.Publisher("publisher", string(r.Publisher), "")
	b.Licence("license", string(r.License))
	b.Tags("tags", r.Tags...)
	b.Dates("", "", "changed", string(r.Changed))
	b.Dataset().LandingPage = e.PrimarySourceURL
	b.Compute("dataset.landing_page", "page", "the page of the dataset", "")
	var files []source.File
	for _, f := range r.Files {
		files = append(files, source.File{DownloadURL: string(f.URL), Formats: []string{string(f.Format)}})
	}
	b.Files(source.FilePaths{List: "files", URL: "files.url", Format: "files.format"}, files)
	return b.Done(), nil
}
