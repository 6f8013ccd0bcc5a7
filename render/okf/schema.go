package okf

import (
	"cmp"
	"strconv"

	"github.com/assay-register/assay/render/catalog"
)

// partsMax bounds each list of a concept; what is left out is counted.
const partsMax = 200

// schema shows the fields, operations, tools, files and parts of the source;
// it is left out when none are known.
func (d *doc) schema() {
	var parts []func()
	if p := d.s.Row.Profile; p != nil && len(p.Fields) > 0 {
		parts = append(parts, func() { d.fields(p) })
	}
	if a := d.e.API; a != nil && (len(a.Endpoints) > 0 || a.OpenAPIURL != "") {
		parts = append(parts, func() { d.operations(a) })
	}
	if m := d.e.MCP; m != nil && len(m.Tools) > 0 {
		parts = append(parts, func() { d.tools(m) })
	}
	if s := d.e.Dataset; s != nil && len(s.Distributions) > 0 {
		parts = append(parts, func() { d.files(s) })
	}
	if len(d.e.Members) > 0 {
		parts = append(parts, d.members)
	}
	if len(parts) == 0 {
		return
	}
	d.heading("Schema")
	for i, p := range parts {
		if i > 0 {
			d.line()
		}
		p()
	}
}

func (d *doc) left(all int) {
	if all > partsMax {
		d.line("\nand ", strconv.Itoa(all-partsMax), " more.")
	}
}

func (d *doc) fields(p *catalog.Profile) {
	d.b.WriteString(table("Field", "Type", "Description"))
	for _, f := range p.Fields[:min(len(p.Fields), partsMax)] {
		text := inline(cmp.Or(f.DescriptionEn, f.Description, f.Label))
		if f.Concept != "" {
			text += " (" + inline(f.Concept) + ")"
		}
		d.b.WriteString(row(code(f.Name), inline(f.Type), text))
	}
	d.left(len(p.Fields))
}

func (d *doc) operations(a *catalog.APIDetails) {
	if a.OpenAPIURL != "" {
		d.line("Described by ", link("its OpenAPI document", a.OpenAPIURL), ".")
		d.cite("OpenAPI description", a.OpenAPIURL)
	}
	if len(a.Endpoints) == 0 {
		return
	}
	if a.OpenAPIURL != "" {
		d.line()
	}
	d.b.WriteString(table("Method", "Path", "Purpose"))
	for _, p := range a.Endpoints[:min(len(a.Endpoints), partsMax)] {
		d.b.WriteString(row(code(p.Method), code(p.Path), inline(p.Summary)))
	}
	d.left(len(a.Endpoints))
}

func (d *doc) tools(m *catalog.MCPDetails) {
	d.b.WriteString(table("Tool", "Purpose"))
	for _, t := range m.Tools[:min(len(m.Tools), partsMax)] {
		d.b.WriteString(row(code(t.Name), inline(cmp.Or(t.Description, t.Title))))
	}
	d.left(len(m.Tools))
}

func (d *doc) files(s *catalog.DatasetDetails) {
	d.b.WriteString(table("File", "Format", "Bytes"))
	for i := range s.Distributions[:min(len(s.Distributions), partsMax)] {
		x := &s.Distributions[i]
		address, size := cmp.Or(x.DownloadURL, x.AccessURL), ""
		if x.ByteSize > 0 {
			size = strconv.FormatInt(x.ByteSize, 10)
		}
		name := inline(x.Title)
		if address != "" {
			name = link(cmp.Or(x.Title, x.Format, "File"), address)
		}
		d.b.WriteString(row(name, inline(cmp.Or(x.Format, x.MediaType)), size))
	}
	d.left(len(s.Distributions))
}

func (d *doc) members() {
	d.b.WriteString(table("Part", "Title"))
	for i := range d.e.Members[:min(len(d.e.Members), partsMax)] {
		m := &d.e.Members[i]
		name := code(m.Name)
		if m.EntryID != "" {
			name = "[" + inline(m.Name) + "](" + base + "/api/v1/entries/" + target(m.EntryID) + ")"
		}
		d.b.WriteString(row(name, inline(m.Title)))
	}
	d.left(len(d.e.Members))
}

// examplesMax bounds the examples of a concept.
const examplesMax = 10

// examples shows the profile's requests, else the primary action as a command.
func (d *doc) examples() {
	var blocks []string
	if p := d.s.Row.Profile; p != nil {
		for i := range p.QueryExamples[:min(len(p.QueryExamples), examplesMax)] {
			q := &p.QueryExamples[i]
			command := q.Curl
			if command == "" && q.URL != "" {
				command = "curl -sSL " + shell(q.URL)
			}
			if command != "" {
				blocks = append(blocks, paragraph(cmp.Or(q.Label, q.Description, q.URL))+"\n\n"+fence("sh", command))
			}
		}
	}
	actions := d.s.Result.Access.Actions
	if len(blocks) == 0 && len(actions) > 0 {
		if command := curlOf(&actions[0]); command != "" {
			blocks = append(blocks, fence("sh", command))
		}
	}
	if len(blocks) == 0 {
		return
	}
	d.heading("Examples")
	for i, b := range blocks {
		if i > 0 {
			d.line()
		}
		d.b.WriteString(b)
	}
}
