package pages

import (
	"bytes"
	"fmt"
	"io/fs"
	"path"
	"strings"
	"sync"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"

	"github.com/assay-register/assay/render/artifact"
	"github.com/assay-register/assay/site"
	"github.com/assay-register/assay/templates/info"
)

// guide is one page of site/docs.
type guide struct {
	name, title, lead string
	body              []byte
}

// Route is where the guide is published.
func (g *guide) Route() string { return "/docs/" + g.name }

// guideGroups order the guides for the page that leads to them; a guide that
// no group names stands in the last one.
var guideGroups = []struct {
	key   string
	names []string
}{
	{"docs.use", site.UseGuides},
	{"docs.understand", []string{"officialness", "verify", "profiles", "contracts", "scores"}},
	{"docs.run", []string{"run-your-own-register", "configuration", "operate", "publish", "verify-a-site", "lint", "fix-it", "releases", "changelog", "harvest", "add-a-connector", "catalog-file", "submit-and-moderate"}},
	{"docs.inside", nil},
}

// guideList reads the guides once, by name.
var guideList = sync.OnceValues(func() ([]*guide, error) {
	names, err := fs.Glob(site.Files, "docs/*.md")
	if err != nil {
		return nil, err
	}
	var list []*guide
	for _, name := range names {
		source, err := fs.ReadFile(site.Files, name)
		if err != nil {
			return nil, err
		}
		g, err := readGuide(strings.TrimSuffix(path.Base(name), ".md"), source)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		list = append(list, g)
	}
	return list, nil
})

// converter turns the guides, which are our own texts, into HTML; raw HTML in
// them is left out.
var converter = goldmark.New(goldmark.WithExtensions(extension.Table, extension.Strikethrough),
	goldmark.WithParserOptions(parser.WithAutoHeadingID(), parser.WithASTTransformers(util.Prioritized(relinker{}, 100))))

func readGuide(name string, source []byte) (*guide, error) {
	g := &guide{name: name, title: name}
	if rest, ok := bytes.CutPrefix(source, []byte("# ")); ok {
		line, _, _ := bytes.Cut(rest, []byte("\n"))
		g.title = strings.TrimSpace(string(line))
	}
	doc := converter.Parser().Parse(text.NewReader(source))
	if p, ok := doc.FirstChild().(*ast.Heading); ok && p.Level == 1 {
		if para, ok := p.NextSibling().(*ast.Paragraph); ok {
			g.lead = string(para.Lines().Value(source))
		}
	}
	var b bytes.Buffer
	if err := converter.Renderer().Render(&b, source, doc); err != nil {
		return nil, err
	}
	g.body = bytes.ReplaceAll(b.Bytes(), []byte("<pre>"), []byte(`<pre tabindex="0">`))
	// A wide table scrolls by itself, so keys must reach it; a corner heads nothing.
	g.body = bytes.ReplaceAll(bytes.ReplaceAll(g.body, []byte("<table>"), []byte(`<table tabindex="0">`)), []byte("<th></th>"), []byte("<td></td>"))
	// The comments that tell tests of a block.
	g.body = bytes.ReplaceAll(g.body, []byte("<!-- raw HTML omitted -->\n"), nil)
	return g, nil
}

// relinker leads from one guide to another by the routes of the site, and
// leaves no link to a file that the site does not have.
type relinker struct{}

// Transform implements parser.ASTTransformer.
func (relinker) Transform(doc *ast.Document, _ text.Reader, _ parser.Context) {
	_ = ast.Walk(doc, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if !entering {
			return ast.WalkContinue, nil
		}
		switch n := n.(type) {
		case *ast.Link:
			n.Destination = []byte(siteLink(string(n.Destination)))
		case *ast.Image:
			n.Destination = []byte(siteLink(string(n.Destination)))
		}
		return ast.WalkContinue, nil
	})
}

// siteLink is the address of a guide's link on the site.
func siteLink(to string) string {
	file, fragment, _ := strings.Cut(to, "#")
	if fragment != "" {
		fragment = "#" + fragment
	}
	switch {
	case strings.Contains(to, "://") || strings.HasPrefix(to, "/") || file == "":
		return to
	case strings.HasSuffix(file, ".md") && exists("docs/"+path.Base(file)):
		return "docs:" + strings.TrimSuffix(path.Base(file), ".md") + fragment
	}
	return "docs:"
}

func exists(name string) bool {
	_, err := fs.Stat(site.Files, name)
	return err == nil
}

// guides renders the guides and the page that leads to them. Their text is English; what
// stands around it speaks the reader's language.
func (b *snapshotView) guides(emit func(artifact.File) error) error {
	list, err := guideList()
	if err != nil {
		return err
	}
	groups := groupGuides(list)
	for _, lang := range languages {
		for _, g := range list {
			body, err := b.guide(g, lang)
			if err == nil {
				err = emit(page(localRoute(lang, g.Route()), body))
			}
			if err != nil {
				return err
			}
		}
		t := locales()[lang]
		body, err := b.component(&Head{Lang: lang, Section: "docs", Title: t.str("docs.heading"), Description: t.str("docs.lead"), Route: "/docs", Translated: true}, groups.Page(b.sites[lang]))
		if err != nil {
			return err
		}
		if err := emit(page(localRoute(lang, "/docs"), body)); err != nil {
			return err
		}
	}
	return nil
}

func groupGuides(list []*guide) info.Guides {
	named := map[string]*guide{}
	for _, g := range list {
		named[g.name] = g
	}
	var out info.Guides
	for _, group := range guideGroups {
		g := info.GuideGroup{Key: group.key}
		for _, name := range group.names {
			if x := named[name]; x != nil {
				g.Guides = append(g.Guides, info.GuideLink{Title: x.title, Route: x.Route()})
				delete(named, name)
			}
		}
		out = append(out, g)
	}
	last := &out[len(out)-1]
	for _, name := range sorted(named) {
		last.Guides = append(last.Guides, info.GuideLink{Title: named[name].title, Route: named[name].Route()})
	}
	return out
}

func (b *snapshotView) guide(g *guide, lang string) ([]byte, error) {
	at := []byte(`"` + b.prefix + localRoute(lang, "/docs") + "/")
	text := bytes.ReplaceAll(bytes.ReplaceAll(g.body, []byte(`"docs:`), at), []byte(`/docs/"`), []byte(`/docs"`))
	h := Head{Lang: lang, Section: "docs", Title: g.title, Description: g.lead, Route: g.Route(), Translated: true}
	x := info.Guide{Title: g.title, Route: g.Route(), HTML: string(text)}
	return b.component(&h, x.Page(b.sites[lang]))
}
