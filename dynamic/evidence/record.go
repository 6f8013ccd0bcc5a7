package evidence

import (
	"cmp"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/assay-register/assay/dynamic/web"
	"github.com/assay-register/assay/render/catalog"
	"github.com/assay-register/assay/render/snapshot"
	"github.com/assay-register/assay/render/wire"
)

// cited is what a record says of the answer, read from its own bytes.
type cited struct {
	Name, Publisher, Source, Slug, Type string
	wire.Citation
	Register string
	// Year, Month and Day are when the answer was kept, in UTC.
	Year, Month, Day int
}

func read(site snapshot.Site, e *catalog.Evidence) (*cited, error) {
	var body struct {
		Name          string                 `json:"name"`
		Slug          string                 `json:"slug"`
		Type          string                 `json:"type"`
		Source        string                 `json:"primary_source_url"`
		PublisherName string                 `json:"publisher_name"`
		Institution   *struct{ Name string } `json:"institution"`
	}
	if err := json.Unmarshal(e.Body, &body); err != nil {
		return nil, fmt.Errorf("citation %s: %w", e.ID, err)
	}
	at := e.CreatedAt.UTC()
	c := &cited{Name: cmp.Or(body.Name, e.EntryID), Publisher: body.PublisherName, Source: body.Source, Slug: body.Slug, Type: body.Type,
		Citation: wire.NewCitation(site, e), Register: site.Name, Year: at.Year(), Month: int(at.Month()), Day: at.Day()}
	if body.Institution != nil {
		c.Publisher = body.Institution.Name
	}
	return c, nil
}

// Note says what the record stands for.
func (c *cited) Note() string {
	note := "Entry of the register as answered; SHA-256 " + c.SHA256
	if c.Route == nil {
		note = "Manifest of what the register found at the source; SHA-256 " + c.SHA256
	}
	if c.Snapshot != nil {
		note += ", snapshot " + *c.Snapshot
	}
	return note
}

// escapes are the characters with a meaning of their own in BibTeX and TeX.
var escapes = strings.NewReplacer(`\`, `\textbackslash{}`, `{`, `\{`, `}`, `\}`, `%`, `\%`, `&`, `\&`, `$`, `\$`, `#`, `\#`,
	`_`, `\_`, `~`, `\textasciitilde{}`, `^`, `\textasciicircum{}`, "\n", " ", "\r", " ", "\t", " ")

func bibtex(at *snapshot.Catalog, e *catalog.Evidence) ([]byte, error) {
	c, err := read(at.Site, e)
	if err != nil {
		return nil, err
	}
	var b strings.Builder
	fmt.Fprintf(&b, "@misc{assay-%s,\n", e.SHA256[:min(len(e.SHA256), 12)])
	line := func(name, value string) {
		if value != "" {
			fmt.Fprintf(&b, "  %-12s = {%s},\n", name, value)
		}
	}
	line("title", "{"+escapes.Replace(c.Name)+"}")
	line("author", "{"+escapes.Replace(cmp.Or(c.Publisher, c.Register))+"}")
	line("howpublished", escapes.Replace(c.Register))
	line("year", fmt.Sprint(c.Year))
	line("month", fmt.Sprint(c.Month))
	line("url", c.URL)
	line("urldate", e.CreatedAt.UTC().Format("2006-01-02"))
	line("note", escapes.Replace(c.Note()))
	b.WriteString("}\n")
	return []byte(b.String()), nil
}

// cslItem is an item of CSL-JSON (citeproc-js, csl-data schema).
type cslItem struct {
	ID       string    `json:"id"`
	Type     string    `json:"type"`
	Title    string    `json:"title"`
	Author   []cslName `json:"author,omitempty"`
	Archive  string    `json:"archive"`
	Location string    `json:"archive_location"`
	URL      string    `json:"URL"`
	Issued   cslDate   `json:"issued"`
	Accessed cslDate   `json:"accessed"`
	Note     string    `json:"note"`
}

type cslName struct {
	Literal string `json:"literal"`
}

type cslDate struct {
	Parts [][]int `json:"date-parts"`
}

func csl(at *snapshot.Catalog, e *catalog.Evidence) ([]byte, error) {
	c, err := read(at.Site, e)
	if err != nil {
		return nil, err
	}
	kind := "webpage"
	if c.Type == string(catalog.TypeDataset) {
		kind = "dataset"
	}
	on := cslDate{[][]int{{c.Year, c.Month, c.Day}}}
	return web.JSON(cslItem{ID: c.ID, Type: kind, Title: c.Name, Author: []cslName{{cmp.Or(c.Publisher, c.Register)}}, Archive: c.Register,
		Location: c.SHA256, URL: c.URL, Issued: on, Accessed: on, Note: c.Note()})
}
