package web

import "strings"

// withoutToken leaves the token out of a path that ends in one, for the log:
// who reads a log must not be able to end or change a watch.
func withoutToken(path string) string {
	const watches = "/webhooks/watches/"
	i := strings.Index(path, watches)
	if i < 0 {
		return path
	}
	head, rest := path[:i+len(watches)], path[i+len(watches):]
	if kind, token, ok := strings.Cut(rest, "/"); ok && token != "" {
		return head + kind + "/…"
	}
	return path
}
