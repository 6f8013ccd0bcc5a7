package web

import "strings"

// secretRoutes are the beginnings of routes that end in a token; of watches, one
// more segment stands before it.
var secretRoutes = []struct {
	begin string
	kind  bool
}{{"/webhooks/watches/", true}, {"/submissions/status/", false}, {"/submission/status/", false}}

// withoutToken leaves the token out of a path that ends in one, for the log:
// who reads a log must not be able to end or change a watch, or see what
// somebody proposed.
func withoutToken(path string) string {
	for _, route := range secretRoutes {
		i := strings.Index(path, route.begin)
		if i < 0 {
			continue
		}
		head, rest := path[:i+len(route.begin)], path[i+len(route.begin):]
		if route.kind {
			kind, token, ok := strings.Cut(rest, "/")
			if !ok {
				return path
			}
			head, rest = head+kind+"/", token
		}
		if rest != "" {
			return head + "…"
		}
	}
	return path
}
