package frictionless

import (
	"encoding/json"
	"path"
	"strings"

	"github.com/assay-register/assay/render/catalog"
	"github.com/assay-register/assay/render/wire"
)

// croissantContext is that of Croissant 1.0 (specification, appendix 1).
var croissantContext = json.RawMessage(`{"@language":"en","@vocab":"https://schema.org/","citeAs":"cr:citeAs","column":"cr:column","conformsTo":"dct:conformsTo","cr":"http://mlcommons.org/croissant/",` +
	`"rai":"http://mlcommons.org/croissant/RAI/","data":{"@id":"cr:data","@type":"@json"},"dataType":{"@id":"cr:dataType","@type":"@vocab"},"dct":"http://purl.org/dc/terms/",` +
	`"examples":{"@id":"cr:examples","@type":"@json"},"extract":"cr:extract","field":"cr:field","fileProperty":"cr:fileProperty","fileObject":"cr:fileObject","fileSet":"cr:fileSet","format":"cr:format",` +
	`"includes":"cr:includes","isLiveDataset":"cr:isLiveDataset","jsonPath":"cr:jsonPath","key":"cr:key","md5":"cr:md5","parentField":"cr:parentField","path":"cr:path","recordSet":"cr:recordSet",` +
	`"references":"cr:references","regex":"cr:regex","repeated":"cr:repeated","replace":"cr:replace","sc":"https://schema.org/","separator":"cr:separator","source":"cr:source","subField":"cr:subField","transform":"cr:transform"}`)

type croissant struct {
	Context       json.RawMessage `json:"@context"`
	Type          string          `json:"@type"`
	ID            string          `json:"@id"`
	ConformsTo    string          `json:"conformsTo"`
	Name          string          `json:"name"`
	Description   string          `json:"description"`
	URL           string          `json:"url"`
	SameAs        string          `json:"sameAs,omitempty"`
	License       string          `json:"license,omitempty"`
	Keywords      []string        `json:"keywords,omitempty"`
	InLanguage    string          `json:"inLanguage,omitempty"`
	Version       string          `json:"version,omitempty"`
	DatePublished string          `json:"datePublished,omitempty"`
	DateModified  string          `json:"dateModified,omitempty"`
	Creator       *organization   `json:"creator,omitempty"`
	Publisher     *organization   `json:"publisher,omitempty"`
	// Live tells that the files change, so that no hash of theirs is stated.
	Live         bool         `json:"isLiveDataset"`
	Distribution []fileObject `json:"distribution"`
	RecordSet    []recordSet  `json:"recordSet,omitempty"`
}

type organization struct {
	Type string `json:"@type"`
	Name string `json:"name"`
}

type fileObject struct {
	Type        string `json:"@type"`
	ID          string `json:"@id"`
	Name        string `json:"name"`
	Description string `json:"description,omitempty"`
	ContentURL  string `json:"contentUrl"`
	// EncodingFormat is a media type, or those of a packing and of what is packed.
	EncodingFormat any `json:"encodingFormat"`
}

type recordSet struct {
	Type  string           `json:"@type"`
	ID    string           `json:"@id"`
	Name  string           `json:"name"`
	Field []croissantField `json:"field"`
}

type croissantField struct {
	Type        string         `json:"@type"`
	ID          string         `json:"@id"`
	Name        string         `json:"name"`
	Description string         `json:"description,omitempty"`
	DataType    []string       `json:"dataType"`
	Repeated    bool           `json:"repeated,omitempty"`
	Source      map[string]any `json:"source"`
}

// croissantTypes are those of fields (Croissant 1.0, "DataType") for the types of profiles.
var croissantTypes = map[string]string{"integer": "sc:Integer", "decimal": "sc:Float", "number": "sc:Float", "boolean": "sc:Boolean", "date": "sc:Date", "datetime": "sc:DateTime"}

// sampled is the file that was sampled, and its media type.
func sampled(e *wire.Entry) (d *wire.Distribution, media string, ok bool) {
	if e.Type != catalog.TypeDataset || e.DatasetDetails == nil || e.Description == nil || e.License == nil {
		return nil, "", false // both are mandatory
	}
	for i := range e.DatasetDetails.Distributions {
		d := &e.DatasetDetails.Distributions[i]
		at := first(text(d.DownloadURL), text(d.AccessURL))
		if media = wire.CroissantFormats[strings.ToLower(first(text(d.Format), strings.TrimPrefix(path.Ext(at), ".")))]; media != "" && profiled(e, at) {
			return d, media, true
		}
	}
	return nil, "", false
}

// Croissant describes the dataset of a page, nil for one that has none.
func Croissant(page []byte, base string) ([]byte, error) {
	var e wire.Entry
	if err := json.Unmarshal(page, &e); err != nil {
		return nil, err
	}
	file, media, ok := sampled(&e)
	if !ok {
		return nil, nil
	}
	own := strings.TrimRight(base, "/") + "/id/" + e.ID
	c := croissant{Context: croissantContext, Type: "sc:Dataset", ID: own, ConformsTo: "http://mlcommons.org/croissant/1.0", Name: e.Name, Description: text(e.Description),
		URL: first(text(e.DatasetDetails.LandingPage), text(e.HomepageURL), own), SameAs: own, License: first(text(e.License.URL), e.License.Title), Keywords: e.Tags,
		InLanguage: text(e.NativeLang), Version: text(e.DatasetDetails.Version), DatePublished: first(text(e.SourceIssuedAt), text(e.PublishedAt)), DateModified: text(e.SourceModifiedAt), Live: true}
	if e.Publisher != nil {
		c.Publisher = &organization{"sc:Organization", e.Publisher.Name}
		c.Creator = c.Publisher
	}
	at := first(text(file.DownloadURL), text(file.AccessURL))
	name := nameOf(at, map[string]bool{})
	media, readable := readers(e.DataProfile, media)
	object := fileObject{"cr:FileObject", name, first(text(file.Title), name), text(file.Description), at, media}
	switch packing := packed(at, text(file.MediaType)); packing {
	case "":
	case gzipped: // loaders unpack it by the end of its name
		object.EncodingFormat = []string{packing, media}
	default: // nobody knows what its members are called
		object.EncodingFormat, readable = packing, false
	}
	c.Distribution = []fileObject{object}
	if readable {
		c.RecordSet = []recordSet{recordsOf(e.DataProfile.Fields, name, media)}
	}
	return json.MarshalIndent(&c, "", "  ")
}

// readers is the media type of a sampled file, and whether a loader finds its columns: Croissant 1.0
// and 1.1 have no word for how a table is written, so loaders expect UTF-8, the comma or the tab
// of its media type, and the names in the first line.
func readers(p *wire.DataProfile, media string) (string, bool) {
	d, ok := catalog.DialectOf(text(p.Separator), text(p.Encoding), p.Notes)
	if !ok {
		return media, true
	}
	separator := ","
	if d.Separator == "\t" {
		separator, media = d.Separator, wire.CroissantFormats["tsv"]
	}
	return media, d.Separator == separator && (d.Encoding == "" || d.Encoding == "utf-8") && d.HeaderRow == 1
}

const gzipped = "application/gzip"

// packed is the media type of the packing of a file, "" for one that is not packed.
func packed(at, media string) string {
	at, _, _ = strings.Cut(at, "?")
	for _, p := range [...]struct{ ext, media string }{{".gz", gzipped}, {".zip", "application/zip"}} {
		if strings.HasSuffix(strings.ToLower(at), p.ext) || strings.EqualFold(media, p.media) {
			return p.media
		}
	}
	return ""
}

func recordsOf(fields []wire.ProfileField, file, media string) recordSet {
	set := recordSet{Type: "cr:RecordSet", ID: file + "-records", Name: file + "-records", Field: []croissantField{}}
	ids := map[string]bool{}
	for i := range fields {
		set.Field = append(set.Field, fieldOf(&fields[i], file, set.ID, media, ids))
	}
	return set
}

func fieldOf(p *wire.ProfileField, file, set, media string, ids map[string]bool) croissantField {
	f := croissantField{Type: "cr:Field", ID: set + "/" + nameOf(p.Name, ids), Name: p.Name, Description: first(text(p.Description), text(p.Label)),
		DataType: []string{first(croissantTypes[p.Type], "sc:Text")}, Repeated: p.Type == "array"}
	if concept := text(p.Concept); strings.Contains(concept, "://") {
		f.DataType = append(f.DataType, concept)
	}
	extract := map[string]any{"column": p.Name}
	if strings.Contains(media, "json") {
		extract = map[string]any{"jsonPath": "$[*]." + p.Name}
	}
	f.Source = map[string]any{"fileObject": map[string]string{"@id": file}, "extract": extract}
	return f
}
