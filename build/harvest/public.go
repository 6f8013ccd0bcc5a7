package harvest

import (
	"path"
	"regexp"
	"strings"

	"github.com/assay-register/assay/build/harvest/fetch"
	"github.com/assay-register/assay/build/harvest/source"
	"github.com/assay-register/assay/render/catalog"
)

// publicListed is how many rejections of a run are published, publicText how
// long a text of one may be, in bytes.
const (
	publicListed = 100
	publicText   = 500
)

var (
	mails = regexp.MustCompile(`[^\s@"'<>()\[\]:;,]+@[^\s@"'<>()\[\]:;,]+`)
	links = regexp.MustCompile(`https?://[^\s"'<>]+`)
)

// publicWords makes a message fit for the public log: no folder of this
// machine, no mail address, no user, password or query of an address.
func publicWords(name, text string) string {
	if name != "" && !strings.Contains(name, "://") {
		text = strings.ReplaceAll(text, name, path.Base(strings.ReplaceAll(name, `\`, "/")))
	}
	text = links.ReplaceAllStringFunc(text, fetch.Public)
	text = mails.ReplaceAllString(text, "[mail address]")
	text = source.Token(text)
	if len(text) > publicText {
		text, _ = source.Cut(text, publicText)
	}
	return text
}

func publicRejection(name string, x *source.Rejection) catalog.RunRejection {
	return catalog.RunRejection{Place: publicWords(name, x.Place), Record: publicWords(name, x.UpstreamRef), Code: string(x.Code),
		Reason: publicWords(name, x.Reason), Remedy: publicWords(name, x.Remedy)}
}
