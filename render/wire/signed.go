package wire

import "strings"

// SignedRoutes are the documents whose sums a register signs by themselves: the two that
// bind all others, and every export.
func SignedRoutes() []string {
	list := []string{"/snapshot.json", "/routes.ndjson"}
	for _, op := range Operations() {
		if op.Static && (strings.HasPrefix(op.Path, "/api/v1/export/") || strings.HasPrefix(op.Path, "/api/v1/feeds/export/")) {
			list = append(list, op.Path)
		}
	}
	return list
}
