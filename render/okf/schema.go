package okf

import (
	"cmp"

	"github.com/assay-register/assay/render/catalog"
)

// partsMax bounds each list of a concept; what is left out is counted.
const partsMax = 200

// schema shows the fields, operations, tools, files and parts of the source;
// it is left out when none are known.
func (d *doc) schema() {
	parts := parts{doc: d, heading: "Schema"}
	if p := d.s.Row.Profile; p != nil && len(p.Fields) > 0 {
		parts.next()
		d.fields(p)
	}
	if a := d.e.API; a != nil && (len(a.Endpoints) > 0 || a.OpenAPIURL != "") {
		parts.next()
		d.operations(a)
	}
	if m := d.e.MCP; m != nil && len(m.Tools) > 0 {
		parts.next()
		d.tools(m)
	}
	if s := d.e.Dataset; s != nil && len(s.Distributions) > 0 {
		parts.next()
		d.files(s)
	}
	if len(d.e.Members) > 0 {
		parts.next()
		d.members()
	}
}

// parts are those of a section that is left out when it has none.
type parts struct {
	doc     *doc
	heading string
	began   bool
}

// next begins a part: the first one below the heading, the others behind a
// blank line.
func (p *parts) next() {
	if p.began {
		p.doc.raw("\n")
		return
	}
	p.doc.heading(p.heading)
	p.began = true
}

func (d *doc) left(all int) {
	if all > partsMax {
		d.raw("\nand ").number(all - partsMax).raw(" more.\n")
	}
}

func (d *doc) fields(p *catalog.Profile) {
	d.table("Field", "Type", "Description")
	for i := range p.Fields[:min(len(p.Fields), partsMax)] {
		f := &p.Fields[i]
		d.raw("| ").code(f.Name).raw(" | ").inline(f.Type).raw(" | ").inline(cmp.Or(f.DescriptionEn, f.Description, f.Label))
		if f.Concept != "" {
			d.raw(" (").inline(f.Concept).raw(")")
		}
		d.raw(" |\n")
	}
	d.left(len(p.Fields))
}

func (d *doc) operations(a *catalog.APIDetails) {
	if a.OpenAPIURL != "" {
		d.raw("Described by ").link("its OpenAPI document", a.OpenAPIURL).raw(".\n")
	}
	if len(a.Endpoints) == 0 {
		return
	}
	if a.OpenAPIURL != "" {
		d.raw("\n")
	}
	d.table("Method", "Path", "Purpose")
	for i := range a.Endpoints[:min(len(a.Endpoints), partsMax)] {
		p := &a.Endpoints[i]
		d.raw("| ").code(p.Method).raw(" | ").code(p.Path).raw(" | ").inline(p.Summary).raw(" |\n")
	}
	d.left(len(a.Endpoints))
}

func (d *doc) tools(m *catalog.MCPDetails) {
	d.table("Tool", "Purpose")
	for i := range m.Tools[:min(len(m.Tools), partsMax)] {
		t := &m.Tools[i]
		d.raw("| ").code(t.Name).raw(" | ").inline(cmp.Or(t.Description, t.Title)).raw(" |\n")
	}
	d.left(len(m.Tools))
}

func (d *doc) files(s *catalog.DatasetDetails) {
	d.table("File", "Format", "Bytes")
	for i := range s.Distributions[:min(len(s.Distributions), partsMax)] {
		x := &s.Distributions[i]
		d.raw("| ")
		if address := cmp.Or(x.DownloadURL, x.AccessURL); address != "" {
			d.link(cmp.Or(x.Title, x.Format, "File"), address)
		} else {
			d.inline(x.Title)
		}
		d.raw(" | ").inline(cmp.Or(x.Format, x.MediaType)).raw(" | ")
		if x.ByteSize > 0 {
			d.number(int(x.ByteSize))
		}
		d.raw(" |\n")
	}
	d.left(len(s.Distributions))
}

func (d *doc) members() {
	d.table("Part", "Title")
	for i := range d.e.Members[:min(len(d.e.Members), partsMax)] {
		m := &d.e.Members[i]
		d.raw("| ")
		if m.EntryID != "" {
			d.raw("[").inline(m.Name).raw("](").live(m.EntryID).raw(")")
		} else {
			d.code(m.Name)
		}
		d.raw(" | ").inline(m.Title).raw(" |\n")
	}
	d.left(len(d.e.Members))
}

// examplesMax bounds the examples of a concept.
const examplesMax = 10

// examples shows the profile's requests, else the primary action as a command.
func (d *doc) examples() {
	parts := parts{doc: d, heading: "Examples"}
	if p := d.s.Row.Profile; p != nil {
		for i := range p.QueryExamples[:min(len(p.QueryExamples), examplesMax)] {
			q := &p.QueryExamples[i]
			command := q.Curl
			if command == "" && q.URL != "" {
				command = "curl -sSL " + shell(q.URL)
			}
			if command != "" {
				parts.next()
				d.paragraph(cmp.Or(q.Label, q.Description, q.URL)).raw("\n\n").fence("sh", command)
			}
		}
	}
	if actions := d.s.Result.Access.Actions; !parts.began && len(actions) > 0 {
		if command := curlOf(&actions[0]); command != "" {
			parts.next()
			d.fence("sh", command)
		}
	}
}
