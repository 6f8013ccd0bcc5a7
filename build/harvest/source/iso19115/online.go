package iso19115

import (
	"cmp"
	"net/url"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/assay-register/assay/build/harvest/source"
	"github.com/assay-register/assay/build/harvest/source/xmltree"
)

// online is one CI_OnlineResource.
type online struct {
	url, protocol, function string
	// others are its addresses in further languages.
	others            []string
	name, description value
	// media is the type of a gmx:MimeFileType, size that of the transfer in bytes.
	media string
	size  int64
}

// onlines are the online resources at which the resource is distributed.
func (r *record) onlines() []online {
	var out []online
	for _, path := range [][]string{{"transferOptions"}, {"distributor", "MD_Distributor", "distributorTransferOptions"}} {
		for _, t := range r.root.All(append([]string{"distributionInfo", "MD_Distribution"}, append(path, "MD_DigitalTransferOptions")...)...) {
			list := t.All("onLine", "CI_OnlineResource")
			for _, e := range list {
				o := r.online(e)
				if len(list) == 1 {
					o.size = megabytes(r.first(t, "transferSize").text())
				}
				if o.url != "" {
					out = append(out, o)
				}
			}
		}
	}
	return out
}

// megabytes is a size in bytes of one in megabytes; 0 for none.
func megabytes(raw string) int64 {
	v, err := strconv.ParseFloat(raw, 64)
	if err != nil || !(v > 0 && v < 1e12) {
		return 0
	}
	return int64(v * (1 << 20))
}

func (r *record) online(e *xmltree.Node) online {
	o := online{protocol: r.first(e, "protocol").text(), function: codeOf(e.First("function")), name: r.first(e, "name"), description: r.first(e, "description")}
	v := r.first(e, "linkage")
	o.url = cmp.Or(v.text(), v.iri)
	for _, t := range v.texts {
		if t.Value != o.url && !slices.Contains(o.others, t.Value) {
			o.others = append(o.others, t.Value)
		}
	}
	for _, path := range []string{"name", "protocol"} {
		o.media = cmp.Or(o.media, e.First(path, "MimeFileType").Attr("type"))
	}
	return o
}

// use is what an online resource is for.
type use int

const (
	// useAccess leads to the resource, useDownload to its file.
	useAccess use = iota
	useDownload
	// useService is an endpoint that serves it.
	useService
	// usePage tells about it, useLanding is its own page.
	usePage
	useLanding
	// useRecord is this record in another form.
	useRecord
)

// use tells what it is for: by its function, else by its protocol, else by the
// file that its address ends with.
func (o *online) use() use {
	protocol := strings.ToLower(o.protocol)
	switch {
	case o.function == "completeMetadata":
		return useRecord
	case strings.Contains(protocol, "landing_page"):
		return useLanding
	case o.spec() != "":
		return useService
	case o.function == "download", o.outputFormat() != "", strings.Contains(protocol, "download-") && !strings.Contains(protocol, "download-app"),
		strings.HasPrefix(protocol, "www:download"), strings.HasPrefix(protocol, "ftp"), strings.HasPrefix(protocol, "file"), protocol == "atom":
		return useDownload
	case o.function == "information", o.function == "browseGraphic", strings.HasPrefix(protocol, "legend"):
		return usePage
	}
	if u, err := url.Parse(o.url); err == nil && path.Ext(u.Path) != "" {
		if format, known := source.Format(o.url); known && format != "HTML" && format != "PDF" {
			return useDownload
		}
	}
	return useAccess
}

// specs are the beginnings of protocols, letters only, with the words of the
// register for what describes the service (catalog.APIDetails.SpecFormat) and
// those of the EU table of file types.
var specs = []struct{ protocol, spec, format string }{
	{"ogcwmts", "ogc-wmts", "WMTS_SRVC"}, {"wmts", "ogc-wmts", "WMTS_SRVC"}, {"ogcwebmaptileservice", "ogc-wmts", "WMTS_SRVC"},
	{"ogcwms", "ogc-wms", "WMS_SRVC"}, {"wms", "ogc-wms", "WMS_SRVC"}, {"ogcwebmapservice", "ogc-wms", "WMS_SRVC"},
	{"ogcwfs", "ogc-wfs", "WFS_SRVC"}, {"wfs", "ogc-wfs", "WFS_SRVC"}, {"ogcwebfeatureservice", "ogc-wfs", "WFS_SRVC"},
	{"ogcwcs", "ogc-wcs", ""}, {"wcs", "ogc-wcs", ""}, {"ogcwebcoverageservice", "ogc-wcs", ""},
	{"ogccsw", "ogc-csw", ""}, {"csw", "ogc-csw", ""}, {"ogccatalogueservice", "ogc-csw", ""},
	{"ogcapi", "ogc-api", ""}, {"ogcfeat", "ogc-api", ""}, {"ogcsos", "ogc-sos", ""}, {"ogcsensor", "ogc-sos", ""},
	{"esrirest", "arcgis-rest", ""}, {"arcgis", "arcgis-rest", ""}, {"esriarcgis", "arcgis-rest", ""}, {"esrimapserver", "arcgis-rest", ""},
	{"sparql", "sparql", "SPARQLQ"}, {"odata", "odata", ""},
}

// spec is what describes the service behind it, "" when it is none.
func (o *online) spec() string { return o.service(func(i int) string { return specs[i].spec }) }

// serviceFormat is the file type of a service as a distribution.
func (o *online) serviceFormat() string {
	return o.service(func(i int) string { return specs[i].format })
}

func (o *online) service(of func(int) string) string {
	word := strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' {
			return r
		}
		return -1
	}, strings.ToLower(protocolName(o.protocol)))
	for i := range specs {
		if strings.HasPrefix(word, specs[i].protocol) {
			return of(i)
		}
	}
	// The protocol says nothing of a service; its address may, unless it asks
	// for data.
	asks := strings.Contains(strings.ToLower(o.url), "request=getfeature") || strings.Contains(strings.ToLower(o.url), "request=getcoverage")
	if spec := source.SpecFormat(o.url); spec != "" && spec != "openapi" && !asks && !strings.HasPrefix(strings.ToLower(o.protocol), "www:download") {
		for i := range specs {
			if specs[i].spec == spec {
				return of(i)
			}
		}
	}
	return ""
}

// protocolName is a protocol without the path of an IRI
// (http://www.opengis.net/def/serviceType/ogc/wms); of others the prefix counts
// (OGC:WMS).
func protocolName(s string) string {
	if strings.Contains(s, "://") {
		return source.LastSegment(s)
	}
	return s
}

// formats are what says the format, the most trusted first.
func (o *online) formats() []string {
	if f := o.serviceFormat(); f != "" {
		return []string{f}
	}
	var out []string
	if _, format, ok := o.described(); ok {
		out = append(out, format)
	}
	out = append(out, o.media, o.outputFormat())
	// WWW:DOWNLOAD:ESRI Shapefile; the address of a portal says nothing.
	if i := strings.LastIndexByte(o.protocol, ':'); i >= 0 && strings.HasPrefix(strings.ToUpper(o.protocol), "WWW:") {
		name := o.protocol[i+1:]
		out = append(out, name)
		if _, short, ok := strings.Cut(name, "("); ok { // Comma Separated Values (CSV)
			out = append(out, strings.TrimRight(short, ") "))
		}
	} else if strings.Contains(o.protocol, "/") && !strings.Contains(o.protocol, "://") {
		out = append(out, o.protocol)
	}
	return slices.DeleteFunc(out, func(raw string) bool { _, known := source.Format(raw); return !known })
}

// outputFormat is the format in which an address asks a service for data.
func (o *online) outputFormat() string {
	u, err := url.Parse(o.url)
	if err != nil {
		return ""
	}
	for key, values := range u.Query() {
		if strings.EqualFold(key, "outputFormat") {
			return values[0]
		}
	}
	return ""
}

// described reads a description of the North American profile: what it is, its
// format and its languages ("Dataset;CSV;eng,fra").
func (o *online) described() (languages []string, format string, ok bool) {
	parts := strings.Split(o.description.text(), ";")
	if len(parts) != 3 {
		return nil, "", false
	}
	for part := range strings.SplitSeq(parts[2], ",") {
		tag, ok := source.Language(part)
		if !ok {
			return nil, "", false
		}
		languages = append(languages, tag)
	}
	return languages, strings.TrimSpace(parts[1]), true
}

// formats are the formats in which the resource is distributed.
func (r *record) formats() []string {
	var out []string
	add := func(n *xmltree.Node, path ...string) {
		for _, f := range n.All(append(path, "MD_Format")...) {
			name := cmp.Or(r.first(f, "name").text(), r.first(f, "formatSpecificationCitation", "CI_Citation", "title").text())
			if name != "" && !slices.Contains(out, name) {
				out = append(out, name)
			}
		}
	}
	add(r.root, "distributionInfo", "MD_Distribution", "distributionFormat")
	add(r.root, "distributionInfo", "MD_Distribution", "distributor", "MD_Distributor", "distributorFormat")
	add(r.ident, "resourceFormat")
	return out
}
