package submission

import (
	"bytes"
	"context"
	"encoding/json"
	"net/url"
	"strings"

	"golang.org/x/net/html"

	"github.com/assay-register/assay/build/harvest/dcatap"
	"github.com/assay-register/assay/build/harvest/openapidoc"
	"github.com/assay-register/assay/build/harvest/source"
	"github.com/assay-register/assay/render/catalog"
)

// page is what a web page says about the source that it presents.
type page struct {
	title, description, lang, licence string
	publisher, publisherURL           string
	// described are addresses of machine-readable descriptions, with the word
	// for their reader, those that the page declares first.
	described []described
	files     []source.File
	// dataset tells that the page presents a dataset (schema.org).
	dataset bool
}

type described struct{ kind, url string }

// Bounds of what is taken from a page.
const (
	describedMax = 3
	filesMax     = 200
	scriptMax    = 1 << 20
)

// page makes a draft of a web page: of the description that it leads to, if
// there is one, else of what it says itself.
func (l *look) page(ctx context.Context, a *answer) (source.Draft, error) {
	p := readPage(a)
	for _, d := range p.described[:min(len(p.described), describedMax)] {
		found, err := l.get(ctx, d.url, "")
		if err != nil {
			l.find("%s, to which the page leads, could not be read", d.url)
			continue
		}
		if detect(found) != d.kind {
			continue
		}
		draft, ok, err := l.read(ctx, d.kind, found)
		if err != nil && ctx.Err() != nil {
			return source.Draft{}, err
		}
		if ok {
			if e := &draft.Entry; e.DocsURL == "" {
				e.DocsURL = a.url
				draft.Rows = append(draft.Rows, l.row("docs_url", catalog.BasisObserved, "the page that leads to the description"))
			}
			return draft, nil
		}
	}
	other := catalog.TypeAPI
	if p.dataset || len(p.files) > 0 {
		other = catalog.TypeDataset
	} else if l.submission.Type == "" {
		l.find("the type was guessed: the page has no machine-readable description")
	}
	return l.fromPage(a, &p, kindOf(l.submission, other)), nil
}

func (l *look) fromPage(a *answer, p *page, t catalog.EntryType) source.Draft {
	b := source.NewBuilder(&l.in, a.url, a.url, a.url)
	b.DefaultLang = p.lang
	e := &b.Draft.Entry
	e.Type, e.PrimarySourceURL, e.HomepageURL = t, l.submission.URL, a.url
	b.Names("title", source.Text{Value: source.HTMLText(p.title), Lang: p.lang})
	b.Descriptions("meta description", source.Text{Value: p.description, Lang: p.lang})
	b.Licence("licence", p.licence)
	b.Publisher("publisher", p.publisher, p.publisherURL)
	if t == catalog.TypeDataset {
		b.Dataset().LandingPage = a.url
		b.Files(source.FilePaths{List: "distribution", URL: "distribution.contentUrl", Format: "distribution.encodingFormat"}, p.files)
	}
	if t == catalog.TypeAPI {
		e.API = &catalog.APIDetails{BaseURL: l.submission.URL}
	}
	d := b.Done()
	d.Rows = append(d.Rows, l.row("primary_source_url", catalog.BasisInherited, "the address that was proposed"),
		l.row("homepage_url", catalog.BasisObserved, "the page at the address"))
	l.complete(&d)
	return d
}

// readPage collects what a page says in its head, its links and its blocks of
// schema.org, all of it as foreign text that the builder cleans.
func readPage(a *answer) page {
	var p page
	base, err := url.Parse(a.url)
	if err != nil {
		return p
	}
	z := html.NewTokenizer(bytes.NewReader(a.body))
	z.SetMaxBuf(scriptMax)
	inTitle, script := false, ""
	for {
		switch z.Next() {
		case html.ErrorToken:
			return p
		case html.TextToken:
			switch {
			case inTitle && p.title == "":
				p.title = string(z.Text())
			case script == "application/ld+json":
				p.schemaOrg(z.Raw(), base)
			}
		case html.EndTagToken:
			inTitle, script = false, ""
		case html.StartTagToken, html.SelfClosingTagToken:
			tag, attrs := tagOf(z)
			inTitle = tag == "title"
			script = ""
			if tag == "script" {
				script = mediaType(attrs["type"])
			}
			p.tag(tag, attrs, base)
		}
	}
}

func tagOf(z *html.Tokenizer) (string, map[string]string) {
	name, more := z.TagName()
	tag, attrs := string(name), map[string]string{}
	for more && len(attrs) < 30 {
		var key, value []byte
		key, value, more = z.TagAttr()
		attrs[string(key)] = string(value)
	}
	return tag, attrs
}

func (p *page) tag(tag string, attrs map[string]string, base *url.URL) {
	switch tag {
	case "html":
		p.lang = attrs["lang"]
	case "meta":
		name := strings.ToLower(attrs["name"] + attrs["property"])
		if text := attrs["content"]; text != "" {
			switch name {
			case "description", "og:description", "dcterms.description", "dc.description":
				p.description = firstText(p.description, text)
			case "og:title", "dcterms.title":
				p.title = firstText(p.title, text)
			}
		}
	case "link", "a":
		p.link(attrs, base)
	}
}

// link notes what a link leads to: the description that a page declares (RFC
// 8631, RFC 9727), its licence, or an address that looks like a description.
func (p *page) link(attrs map[string]string, base *url.URL) {
	u, err := base.Parse(strings.TrimSpace(attrs["href"]))
	if err != nil || attrs["href"] == "" || u.Scheme != "http" && u.Scheme != "https" {
		return
	}
	to, media := u.String(), mediaType(attrs["type"])
	for _, rel := range strings.Fields(strings.ToLower(attrs["rel"])) {
		switch {
		case rel == "license":
			p.licence = firstText(p.licence, to)
		case rel == "service-desc", rel == "alternate" && strings.Contains(media, "openapi"):
			p.described = append([]described{{openapidoc.Kind, to}}, p.described...)
			return
		case rel == "alternate" && (media == "text/turtle" || media == "application/rdf+xml" || media == "application/ld+json"):
			p.described = append(p.described, described{dcatap.Kind, to})
			return
		}
	}
	if source.SpecFormat(to) == "openapi" && strings.EqualFold(u.Hostname(), base.Hostname()) {
		p.described = append(p.described, described{openapidoc.Kind, to})
	}
}

// schemaOrg reads a block of JSON-LD for a schema.org Dataset or WebAPI.
func (p *page) schemaOrg(raw []byte, base *url.URL) {
	var value any
	if json.Unmarshal(raw, &value) != nil {
		return
	}
	p.nodes(value, base, 0)
}

func (p *page) nodes(value any, base *url.URL, depth int) {
	if depth > 4 {
		return
	}
	switch v := value.(type) {
	case []any:
		for _, item := range v[:min(len(v), filesMax)] {
			p.nodes(item, base, depth+1)
		}
	case map[string]any:
		if kind := text(v["@type"]); kind == "Dataset" || kind == "WebAPI" {
			p.node(v, base, kind == "Dataset")
			return
		}
		p.nodes(v["@graph"], base, depth+1)
	}
}

func (p *page) node(v map[string]any, base *url.URL, dataset bool) {
	p.dataset = p.dataset || dataset
	p.title, p.description = firstText(text(v["name"]), p.title), firstText(text(v["description"]), p.description)
	p.licence = firstText(text(v["license"]), p.licence)
	for _, key := range []string{"publisher", "creator", "provider"} {
		if who, ok := v[key].(map[string]any); ok {
			p.publisher = firstText(p.publisher, text(who["name"]))
			p.publisherURL = firstText(p.publisherURL, text(who["url"]))
		}
	}
	list, ok := v["distribution"].([]any)
	if !ok && v["distribution"] != nil {
		list = []any{v["distribution"]}
	}
	for _, item := range list[:min(len(list), filesMax)] {
		file, ok := item.(map[string]any)
		if !ok {
			continue
		}
		u, err := base.Parse(firstText(text(file["contentUrl"]), text(file["url"])))
		if err != nil {
			continue
		}
		p.files = append(p.files, source.File{Title: text(file["name"]), AccessURL: u.String(), DownloadURL: u.String(),
			Formats: []string{text(file["encodingFormat"]), text(file["fileFormat"])}, MediaType: text(file["encodingFormat"])})
	}
}

// text is a value that is a text, or the id or the first of several.
func text(v any) string {
	switch v := v.(type) {
	case string:
		return v
	case map[string]any:
		return firstText(text(v["@value"]), firstText(text(v["@id"]), text(v["url"])))
	case []any:
		if len(v) > 0 {
			return text(v[0])
		}
	}
	return ""
}

func firstText(a, b string) string {
	if strings.TrimSpace(a) != "" {
		return a
	}
	return b
}
