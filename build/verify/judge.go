package verify

import (
	"bytes"
	"fmt"
	"mime"
	"net/http"
	"net/url"
	"strings"

	"github.com/assay-register/assay/render/catalog"
)

// answer is what came back at the end of all redirects.
type answer struct {
	status int
	header http.Header
	// head is the beginning of the body.
	head []byte
	// asked and final are the addresses before and after the redirects.
	asked, final *url.URL
}

// verdict is what an answer says about a source.
type verdict struct {
	up, auth bool
	class    catalog.ErrorClass
	text     string
}

// judge looks at status and content type only (decisions §5, "Verification").
func judge(data bool, a *answer) verdict {
	switch s := a.status; {
	case s == http.StatusUnavailableForLegalReasons:
		return verdict{class: catalog.ErrorGeoBlocked, text: "status 451"}
	case s == http.StatusTooManyRequests:
		return verdict{class: catalog.ErrorRateLimited, text: "status 429"}
	case s == http.StatusUnauthorized || s == http.StatusForbidden:
		if wall(a.head) {
			return verdict{class: catalog.ErrorGeoBlocked, text: fmt.Sprintf("status %d: readers from here are shut out", s)}
		}
		return verdict{up: true, auth: true}
	case s < 200 || s > 299:
		return verdict{class: catalog.ErrorHTTP, text: fmt.Sprintf("status %d", s)}
	case ledToLogin(a) && a.page():
		return verdict{class: catalog.ErrorAuthWall, text: "the request was led to a login page"}
	case data && a.page():
		return verdict{class: catalog.ErrorContentType, text: "an HTML page where data was promised"}
	}
	return verdict{up: true}
}

// page tells whether the answer is a web page: by its content type, or, where
// none is named, by how it begins.
func (a *answer) page() bool {
	if named := a.header.Get("Content-Type"); named != "" {
		return isHTML(named)
	}
	return isHTML(http.DetectContentType(a.head))
}

func isHTML(contentType string) bool {
	media, _, err := mime.ParseMediaType(contentType)
	if err != nil {
		media, _, _ = strings.Cut(contentType, ";")
	}
	media = strings.ToLower(strings.TrimSpace(media))
	return media == "text/html" || media == "application/xhtml+xml"
}

// loginWords are path segments of login pages and of the first steps of OAuth
// and SAML.
var loginWords = map[string]bool{"login": true, "log-in": true, "signin": true, "sign-in": true, "sign_in": true, "sso": true,
	"authorize": true, "auth": true, "oauth": true, "oauth2": true, "saml": true, "saml2": true, "cas": true, "adfs": true}

// ledToLogin tells whether redirects led to a login page.
func ledToLogin(a *answer) bool {
	if a.final == nil || a.asked == nil || a.final.String() == a.asked.String() {
		return false
	}
	for _, part := range strings.Split(strings.ToLower(a.final.Path), "/") {
		name, _, _ := strings.Cut(part, ".")
		if loginWords[name] {
			return true
		}
	}
	return false
}

// wallWords are the phrases with which widely used shields turn away whole
// countries.
var wallWords = [][]byte{[]byte("configured to block access from your country"), []byte("not available in your country"),
	[]byte("not available in your region"), []byte("error code: 1009"), []byte("has banned the country or region")}

// wall finds a shield that turns away readers by where they are.
func wall(head []byte) bool {
	head = bytes.ToLower(head)
	for _, w := range wallWords {
		if bytes.Contains(head, w) {
			return true
		}
	}
	return false
}
