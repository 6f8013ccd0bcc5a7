package arcgis

import (
	"cmp"
	"fmt"
	"net/url"
	"slices"
	"strings"

	"github.com/assay-register/assay/build/harvest/source"
	"github.com/assay-register/assay/render/catalog"
)

// service is what a FeatureServer, MapServer or ImageServer says of itself.
type service struct {
	Version            source.Loose `json:"currentVersion"`
	ServiceDescription source.Loose `json:"serviceDescription"`
	Description        source.Loose `json:"description"`
	MapName            source.Loose `json:"mapName"`
	Name               source.Loose `json:"name"`
	Copyright          source.Loose `json:"copyrightText"`
	Layers             []layer      `json:"layers"`
	Tables             []layer      `json:"tables"`
	QueryFormats       source.Loose `json:"supportedQueryFormats"`
	ImageFormats       source.Loose `json:"supportedImageFormatTypes"`
	Info               struct {
		Title    source.Loose `json:"Title"`
		Subject  source.Loose `json:"Subject"`
		Comments source.Loose `json:"Comments"`
		Keywords source.Loose `json:"Keywords"`
	} `json:"documentInfo"`
	Error *fault `json:"error"`
}

type layer struct {
	ID   source.Loose `json:"id"`
	Name source.Loose `json:"name"`
}

// ref is the upstream reference of a service: its path, as a host may have
// several servers.
func (s *server) ref(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return ""
	}
	return s.in.Host(Kind) + ":" + Kind + ":" + strings.Trim(u.Path, "/")
}

// draft maps a service.
func (s *server) draft(d *service, address string) (source.Draft, *source.Rejection) {
	b := source.NewBuilder(s.in, address, address, address)
	e := &b.Draft.Entry
	e.Type, e.API = catalog.TypeAPI, &catalog.APIDetails{SpecFormat: "arcgis-rest"}
	b.Inherit("type", "a service of a server is an API")
	b.Compute("api.spec_format", "", "the kind of the document", "")
	b.Country()
	b.DefaultLang = s.in.Language()
	e.UpstreamRef = s.ref(address)
	b.Compute("upstream_ref", "", "host, kind and the path of the service", "")
	title, from := d.title(address)
	if source.TestName(title) {
		return source.Draft{}, &source.Rejection{Place: address, Code: source.CodeTest, Reason: title + " is there to try something out", Remedy: "delete the service"}
	}
	b.Names(from, source.Text{Value: title})
	if !b.URL(&e.API.BaseURL, "api.base_url", "", address) {
		return source.Draft{}, &source.Rejection{Place: address, Code: source.CodeBadURL, Reason: "the address of the service cannot be used", Remedy: "publish it at an address that the public reaches"}
	}
	e.PrimarySourceURL, e.API.PingURL = e.API.BaseURL, e.API.BaseURL+"?f=json"
	b.Compute("primary_source_url", "", "the address of the service", "")
	b.Compute("api.ping_url", "", "the address of the service, in JSON", "")
	b.Line(&e.API.Version, "api.version", "currentVersion", string(d.Version), catalog.TagMax)
	b.Descriptions("serviceDescription, description, documentInfo", source.Text{Value: d.text()})
	b.Tags("documentInfo.Keywords", strings.Split(string(d.Info.Keywords), ",")...)
	if strings.Contains(strings.ToLower(string(d.Copyright)), "licen") || strings.Contains(string(d.Copyright), "CC") {
		b.Licence("copyrightText", string(d.Copyright))
	}
	members(b, d)
	return b.Done(), nil
}

// title is what the service is called: by its author, by its map unless that
// has the name every map begins with, else by its address.
func (d *service) title(address string) (title, from string) {
	for _, c := range []struct{ value, from string }{
		{string(d.Info.Title), "documentInfo.Title"}, {string(d.Name), "name"}, {string(d.MapName), "mapName"},
	} {
		line, _ := source.Line(c.value)
		if line != "" && !slices.Contains([]string{"layers", "map", "untitled"}, strings.ToLower(line)) {
			return name(line), c.from
		}
	}
	parts := strings.Split(address, "/")
	raw, err := url.PathUnescape(parts[len(parts)-2])
	if err != nil {
		raw = parts[len(parts)-2]
	}
	return name(raw), "the name of the service"
}

// name is the readable form of a name: without folder, words apart.
func name(raw string) string {
	if !strings.ContainsAny(raw, " ") {
		raw = strings.ReplaceAll(raw[strings.LastIndexByte(raw, '/')+1:], "_", " ")
	}
	return raw
}

// text is the longest of the descriptions.
func (d *service) text() string {
	best := ""
	for _, raw := range []source.Loose{d.ServiceDescription, d.Description, d.Info.Comments, d.Info.Subject} {
		if len(raw) > len(best) {
			best = string(raw)
		}
	}
	return best
}

// members files the layers, tables and formats of a service.
func members(b *source.Builder, d *service) {
	e := &b.Draft.Entry
	all := append(slices.Clone(d.Layers), d.Tables...)
	for _, l := range all[:min(len(all), catalog.ListMax)] {
		m := catalog.Member{}
		m.Name, _ = source.Line(string(l.ID))
		m.Title, _ = source.Line(string(l.Name))
		m.Title, _ = source.Cut(m.Title, catalog.NameMax)
		if m.Name = cmp.Or(m.Name, m.Title); m.Name == "" {
			continue
		}
		if l.ID != "" {
			m.URL = e.API.BaseURL + "/" + url.PathEscape(string(l.ID))
		}
		e.Members = append(e.Members, m)
	}
	if len(e.Members) > 0 {
		note := ""
		if len(all) > catalog.ListMax {
			note = fmt.Sprintf("the first %d of %d", catalog.ListMax, len(all))
		}
		b.Remark("members", "layers, tables", "", note)
	}
	for raw := range strings.SplitSeq(string(d.QueryFormats)+","+string(d.ImageFormats), ",") {
		raw = strings.TrimRight(strings.TrimSpace(raw), "0123456789") // PNG32
		if code, ok := source.Format(raw); ok && !slices.Contains(e.Formats, code) {
			e.Formats = append(e.Formats, code)
		}
	}
	if slices.Sort(e.Formats); len(e.Formats) > 0 {
		b.Remark("formats", "supportedQueryFormats, supportedImageFormatTypes", "mapped to the EU file-type table", "")
	}
}
