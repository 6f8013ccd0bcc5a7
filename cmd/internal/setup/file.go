package setup

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"regexp"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"gopkg.in/yaml.v3"
)

// sourcesKey is the one key of the configuration file that is no flag.
const sourcesKey = "sources"

// file is a configuration file that was read.
type file struct {
	path    string
	values  map[string]given
	sources *yaml.Node
}

// given is the value of a key as text, and its line.
type given struct {
	text string
	line int
}

// at is a place of the file, for messages.
func (f *file) at(line int) string { return fmt.Sprintf("%s:%d", f.path, line) }

// readFile reads the configuration file of a command; one that nobody named may
// be missing. Keys for which no command has a flag are refused.
func readFile(cmd *cobra.Command) (*file, error) {
	path, named := configPath(cmd)
	if _, own := cmd.Annotations[OwnRegister]; own && !named {
		return &file{path: path}, nil
	}
	b, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) && !named {
		return &file{path: path}, nil
	}
	if err != nil {
		return nil, fmt.Errorf("configuration: %w", err)
	}
	return parse(path, b, Keys(cmd.Root()))
}

func configPath(cmd *cobra.Command) (path string, named bool) {
	if f := cmd.Flags().Lookup("config"); f != nil && f.Changed {
		return f.Value.String(), true
	}
	if v, ok := os.LookupEnv("ASSAY_CONFIG"); ok {
		return v, true
	}
	return DefaultConfig, false
}

// parse reads the text of a file whose keys are known; every fault is reported.
func parse(path string, b []byte, known []string) (*file, error) {
	f := &file{path: path, values: map[string]given{}}
	root, err := f.document(b)
	if err != nil || root == nil {
		return f, err
	}
	if root.Kind != yaml.MappingNode {
		return nil, fmt.Errorf("%s: write keys and values, such as name: My register", f.at(root.Line))
	}
	var faults []error
	err = pairs(f, root, func(k, v *yaml.Node) {
		switch {
		case k.Value == sourcesKey:
			f.sources = v
		case !has(known, k.Value):
			faults = append(faults, fmt.Errorf("%s: unknown key %q%s", f.at(k.Line), k.Value, meant(k.Value, append(known, sourcesKey))))
		case !empty(v):
			text, err := f.text(k.Value, v)
			faults = append(faults, err)
			f.values[k.Value] = given{text, k.Line}
		}
	})
	return f, errors.Join(append(faults, err)...)
}

// document reads the one document of a file; nil is an empty one.
func (f *file) document(b []byte) (*yaml.Node, error) {
	dec := yaml.NewDecoder(bytes.NewReader(b))
	var doc, more yaml.Node
	switch err := dec.Decode(&doc); {
	case errors.Is(err, io.EOF):
		return nil, nil
	case err != nil:
		return nil, f.syntax(err)
	}
	if err := dec.Decode(&more); !errors.Is(err, io.EOF) {
		return nil, fmt.Errorf("%s: the file has a second document, which would not be read: remove the line ---", f.at(max(1, more.Line)))
	}
	if len(doc.Content) == 0 || empty(doc.Content[0]) {
		return nil, nil
	}
	return doc.Content[0], nil
}

var yamlError = regexp.MustCompile(`^yaml: (?:line (\d+): )?(.*)$`)

// syntax puts the place before an error of the YAML reader, which counts the
// lines of some from 0 and leaves out the first.
func (f *file) syntax(err error) error {
	m := yamlError.FindStringSubmatch(err.Error())
	if m == nil {
		return fmt.Errorf("%s: %w", f.path, err)
	}
	line, _ := strconv.Atoi(m[1]) // none is 0
	if strings.HasPrefix(m[2], "did not find expected") {
		line++
	}
	return fmt.Errorf("%s: this is no YAML: %s; look at the indentation and the quotes from here on", f.at(max(1, line)), m[2])
}

// pairs calls do for each key of a mapping; a key that stands there twice is an
// error.
func pairs(f *file, n *yaml.Node, do func(k, v *yaml.Node)) error {
	lines := map[string]int{}
	for i := 0; i+1 < len(n.Content); i += 2 {
		k, v := n.Content[i], resolve(n.Content[i+1])
		if first, twice := lines[k.Value]; twice {
			return fmt.Errorf("%s: the key %s stands at line %d already: keep one", f.at(k.Line), k.Value, first)
		}
		lines[k.Value] = k.Line
		do(k, v)
	}
	return nil
}

// resolve is what an alias stands for.
func resolve(n *yaml.Node) *yaml.Node {
	if n.Kind == yaml.AliasNode {
		return n.Alias
	}
	return n
}

// empty tells that a key has no value, which leaves its setting as it is.
func empty(n *yaml.Node) bool { return n.Kind == yaml.ScalarNode && n.Tag == "!!null" }

// text is the value of a setting as a flag takes it: lists are joined by commas.
func (f *file) text(key string, n *yaml.Node) (string, error) {
	switch n.Kind {
	case yaml.ScalarNode:
		return n.Value, nil
	case yaml.SequenceNode:
		var list []string
		for _, item := range n.Content {
			if item = resolve(item); item.Kind != yaml.ScalarNode {
				return "", fmt.Errorf("%s: %s: write a list of plain values", f.at(item.Line), key)
			}
			list = append(list, item.Value)
		}
		return strings.Join(list, ","), nil
	}
	return "", fmt.Errorf("%s: %s takes a value or a list of values, no keys of its own", f.at(n.Line), key)
}
