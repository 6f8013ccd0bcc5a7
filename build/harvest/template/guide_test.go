package template

import (
	"flag"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "rewrite the code in the guide")

// TestGuide: site/docs/add-a-connector.md shows the files of this folder as they
// are.
func TestGuide(t *testing.T) {
	t.Parallel()
	path := filepath.Join("..", "..", "..", "site", "docs", "add-a-connector.md")
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	shown := 0
	guide := regexp.MustCompile("(?s)<!-- file: (\\S+) -->\n```(\\w+)\n.*?\n```\n").ReplaceAllStringFunc(string(b), func(block string) string {
		head := strings.SplitN(block, "\n", 3)
		name := strings.Fields(head[0])[2]
		text, err := os.ReadFile(filepath.FromSlash(name))
		if err != nil {
			t.Fatal(err)
		}
		shown++
		return head[0] + "\n" + head[1] + "\n" + string(text) + "```\n"
	})
	if shown != 3 {
		t.Errorf("the guide shows %d files", shown)
	}
	if *update {
		if err := os.WriteFile(path, []byte(guide), 0o644); err != nil {
			t.Fatal(err)
		}
	} else if guide != string(b) {
		t.Errorf("%s differs from the files; run go test ./build/harvest/template -update", path)
	}
}
