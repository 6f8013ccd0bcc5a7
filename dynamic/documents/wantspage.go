package documents

import (
	"net/http"
	"path"
	"strings"

	"github.com/assay-register/assay/render/wire"
)

// programs are the first segments of the routes of operations below which no page lies. The names
// of entries are people's, too.
var programs = func() map[string]bool {
	list := map[string]bool{}
	for _, op := range wire.Operations() {
		if first, rest, _ := strings.Cut(op.Path[1:], "/"); rest != "" {
			list[first] = true
		}
	}
	delete(list, strings.Trim(namePrefix, "/"))
	return list
}()

// forPrograms tells of a route that it is no page's, whether it exists or not: it lies where
// operations do, or has the extension of a file.
func forPrograms(route string) bool {
	first, _, _ := strings.Cut(strings.TrimPrefix(route, "/"), "/")
	ext := path.Ext(route)
	return programs[first] || ext != "" && ext != ".html"
}

// WantsPage tells a browser that asks for a page, as it names text/html, from a program, and from
// what asks for no page.
func WantsPage(r *http.Request) bool {
	return strings.Contains(r.Header.Get("Accept"), "text/html") && !forPrograms(r.URL.Path)
}
