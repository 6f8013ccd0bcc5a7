package discovery

import (
	"bytes"
	"fmt"
	"io/fs"
	"regexp"
	"strings"

	"github.com/assay-register/assay/render/artifact"
	"github.com/assay-register/assay/render/snapshot"
	guides "github.com/assay-register/assay/site"
)

// llmsFull renders /llms-full.txt: the list of /llms.txt and behind it the guides for those
// who use the register, so that an agent has them in one document and with addresses that
// work from anywhere.
func llmsFull(c *snapshot.Catalog) ([]artifact.File, error) {
	list, err := llms(c)
	if err != nil {
		return nil, err
	}
	b := bytes.NewBuffer(bytes.Clone(list[0].Body))
	fmt.Fprint(b, "\n## Guides\n")
	for _, name := range guides.UseGuides {
		text, err := fs.ReadFile(guides.Files, "docs/"+name+".md")
		if err != nil {
			return nil, err
		}
		fmt.Fprintf(b, "\n%s\n", bytes.TrimSpace(within(c.Site, string(text))))
	}
	return []artifact.File{{Route: "/llms-full.txt", Type: list[0].Type, Class: ClassDiscovery, Body: b.Bytes()}}, nil
}

var (
	guideRemark = regexp.MustCompile(`(?m)^[ \t]*<!-- .* -->\n`)
	guideLink   = regexp.MustCompile(`\]\(([a-z0-9-]+)\.md(#[^)]*)?\)`)
	rootLink    = regexp.MustCompile(`\]\((/[^)]*)\)`)
	picture     = regexp.MustCompile(`(?m)^!\[[^\]]*\]\([^)]*\)\n`)
)

// within is a guide as a part of a larger document about the register: below its heading, without remarks
// to tests and pictures, with whole addresses, those of this register.
func within(s snapshot.Site, text string) []byte {
	text = picture.ReplaceAllString(guideRemark.ReplaceAllString(text, ""), "")
	text = guideLink.ReplaceAllString(text, "]("+address(s, "/docs/")+"$1$2)")
	text = rootLink.ReplaceAllString(text, "]("+address(s, "")+"$1)")
	text = strings.ReplaceAll(text, "https://register.example", strings.TrimRight(address(s, ""), "/"))
	var b bytes.Buffer
	code := false
	for line := range strings.Lines(text) {
		if strings.HasPrefix(strings.TrimSpace(line), "```") {
			code = !code
		}
		if !code && strings.HasPrefix(line, "#") {
			b.WriteString("##")
		}
		b.WriteString(line)
	}
	return b.Bytes()
}
