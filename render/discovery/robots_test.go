package discovery

import (
	"bytes"
	"regexp"
	"strings"
	"testing"

	"github.com/assay-register/assay/render/snapshot"
	"github.com/assay-register/assay/render/wire"
)

// blocked applies rules as RFC 9309, section 2.2.2, says, for a file that only
// disallows.
func blocked(t *testing.T, robots []byte, path string) bool {
	t.Helper()
	for line := range strings.Lines(string(robots)) {
		rule, ok := strings.CutPrefix(strings.TrimSpace(line), "Disallow: ")
		if !ok {
			continue
		}
		expr := "^" + strings.ReplaceAll(strings.TrimSuffix(regexp.QuoteMeta(rule), `\$`), `\*`, ".*")
		if strings.HasSuffix(rule, "$") {
			expr += "$"
		}
		if regexp.MustCompile(expr).MatchString(path) {
			return true
		}
	}
	return false
}

func TestRobotsMayFetchWhatIsStatic(t *testing.T) {
	body := render(t, &snapshot.Catalog{Site: snapshot.Site{BaseURL: "https://register.example/sub"}})["/robots.txt"]
	for _, op := range wire.Operations() {
		if op.Method != "GET" || op.Role != "" {
			continue
		}
		path := "/sub" + regexp.MustCompile(`\{[^}]*\}`).ReplaceAllString(op.Path, "health-search-x")
		if got := blocked(t, body, path); got == (op.Static || op.Derived) {
			t.Errorf("%s: blocked is %v", path, got)
		}
	}
	for path, want := range map[string]bool{"/sub/api/v1/entries?page=2": true, "/sub/health": true, "/sub/healthy": false, "/sub/": false, "/sub/entry/x": false} {
		if blocked(t, body, path) != want {
			t.Errorf("%s: blocked is %v", path, !want)
		}
	}
	if got := braces("/badges/{idOrSlug}/{kind}.json"); got != "/badges/*/*.json" {
		t.Errorf("got %s", got)
	}
	if !bytes.Contains(body, []byte("\nSitemap: https://register.example/sub/sitemap.xml\n")) {
		t.Errorf("no sitemap in %s", body)
	}
}
