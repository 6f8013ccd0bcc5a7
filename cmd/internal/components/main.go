// Command components compiles the components of templates/ to Go, and formats them: what
// "templ generate" and "templ fmt" do, by the version of templ in go.mod and without
// what else that program needs. Run it in the root of the repository:
//
//	go run ./cmd/internal/components
package main

import (
	"bytes"
	"errors"
	"fmt"
	"go/format"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/a-h/templ"
	"github.com/a-h/templ/generator"
	"github.com/a-h/templ/parser/v2"
)

func main() {
	if err := write("."); err != nil {
		fmt.Fprintln(os.Stderr, "components:", err)
		os.Exit(1)
	}
}

// Ends of the names of a component and of its Go.
const (
	source   = ".templ"
	compiled = "_templ.go"
)

// write brings the components below a root, and their Go, up to date.
func write(root string) error {
	want, err := made(root)
	if err != nil {
		return err
	}
	for name, text := range want {
		file := filepath.Join(root, filepath.FromSlash(name))
		if text == nil {
			err = os.Remove(file)
		} else if got, failed := os.ReadFile(file); failed != nil || !bytes.Equal(got, text) {
			err = os.WriteFile(file, text, 0o644)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// made are the files as they should be, by their paths from the root; nil is a file that no
// component is the source of.
func made(root string) (map[string][]byte, error) {
	files := map[string][]byte{}
	err := fs.WalkDir(os.DirFS(root), "templates", func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil || d.IsDir():
			return err
		case strings.HasSuffix(name, compiled):
			if _, known := files[name]; !known {
				files[name] = nil
			}
		case path.Ext(name) == source:
			text, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(name)))
			if err != nil {
				return err
			}
			formatted, code, err := compile(name, string(text))
			if err != nil {
				return fmt.Errorf("%s: %w", name, err)
			}
			files[name], files[strings.TrimSuffix(name, source)+compiled] = formatted, code
		}
		return nil
	})
	if err == nil && len(files) == 0 {
		err = errors.New("no components below templates: run it in the root of the repository")
	}
	return files, err
}

// compile formats a component and makes its Go, which names lines of the formatted one.
func compile(name, text string) (formatted, code []byte, err error) {
	tree, err := parser.ParseString(text)
	if err != nil {
		return nil, nil, err
	}
	was := ""
	for rounds := 0; was != text && rounds < 10; rounds++ {
		var f bytes.Buffer
		if err := tree.Write(&f); err != nil {
			return nil, nil, err
		}
		// Formatting breaks lines, after which it breaks more of them.
		was, text = text, f.String()
		if tree, err = parser.ParseString(text); err != nil {
			return nil, nil, err
		}
	}
	var b bytes.Buffer
	if _, err := generator.Generate(tree, &b, generator.WithVersion(templ.Version()), generator.WithFileName(name)); err != nil {
		return nil, nil, err
	}
	code, err = format.Source(markup.ReplaceAllFunc(bytes.ReplaceAll(b.Bytes(), []byte("templ.JoinStringErrs("), []byte(value(name))), shorter))
	return []byte(text), code, err
}

// What HTML lets one leave out of markup: the end of an element that its parent or its next sibling ends, and quotes
// around a plain value (HTML, 13.1.2.4 and 13.1.2.3).
var (
	markup    = regexp.MustCompile(`templruntime\.WriteString\([^\n]*`)
	endTags   = regexp.MustCompile(`</(?:li|dt|dd|tr|td|th|tbody|thead|option)>`)
	attribute = regexp.MustCompile(`( (?:class|translate|scope|role|tabindex)=)\\"([A-Za-z0-9_-]+)\\"([ >])`)
)

// shorter leaves that out of the writing of a piece of markup.
func shorter(line []byte) []byte {
	line = endTags.ReplaceAll(line, nil)
	for was := 0; was != len(line); {
		// The space behind a value is the one before the next attribute.
		was, line = len(line), attribute.ReplaceAll(line, []byte("$1$2$3"))
	}
	return line
}

// value is how a component calls templates.Value.
func value(name string) string {
	if path.Dir(name) == "templates" {
		return "Value("
	}
	return "templates.Value("
}
