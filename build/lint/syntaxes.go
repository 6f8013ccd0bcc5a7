package lint

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"regexp"
	"strconv"
	"strings"

	"golang.org/x/net/html/charset"
	"gopkg.in/yaml.v3"

	"github.com/assay-register/assay/build/harvest/source"
	"github.com/assay-register/assay/render/lint"
)

var yamlLine = regexp.MustCompile(`line (\d+)`)

// yaml looks through a YAML document, or the front matter of a page.
func (l *linter) yaml(name string, r io.Reader) error {
	limit := l.o.Input.Limits.OrDefault().Record
	data, err := io.ReadAll(io.LimitReader(r, int64(limit)+1))
	if err != nil {
		return fmt.Errorf("read %s: %w", name, err)
	}
	at, first := lint.Record{Document: name, Line: 1}, 0
	if plainExt(name) == ".md" {
		parts := bytes.SplitN(data, []byte("---\n"), 3)
		if len(parts) < 3 || len(bytes.TrimSpace(parts[0])) > 0 {
			return nil // a page, not a record
		}
		data, first = parts[1], 1
	}
	if len(data) > limit {
		l.add(lint.New("document.unreadable", at, "", "", fmt.Sprintf("the document is longer than %d bytes", limit)))
		return nil
	}
	var root yaml.Node
	if err := yaml.Unmarshal(data, &root); err != nil {
		if m := yamlLine.FindStringSubmatch(err.Error()); m != nil {
			at.Line, _ = strconv.Atoi(m[1])
			if strings.Contains(err.Error(), "did not find expected") {
				at.Line++ // the library counts these from zero
			}
		}
		at.Line += first
		l.told[fmt.Sprintf("%s:%d", name, at.Line)] = true
		l.told[name] = true
		l.add(lint.New("document.yaml", at, "", "", yamlLine.ReplaceAllString(strings.TrimPrefix(err.Error(), "yaml: "), "line "+strconv.Itoa(at.Line))))
		return l.err
	}
	if len(root.Content) == 0 {
		return nil
	}
	node := root.Content[0]
	if node.Kind == yaml.SequenceNode {
		for i, c := range node.Content {
			l.yamlRecord(lint.Record{Document: name, Line: c.Line + first, Pointer: "/" + strconv.Itoa(i)}, c, first)
		}
		return l.err
	}
	l.yamlRecord(at, node, first)
	return l.err
}

func (l *linter) yamlRecord(at lint.Record, n *yaml.Node, first int) {
	y := yamlWalk{first: first}
	if err := y.value(n, at.Pointer, "", "", 0); errors.Is(err, errDepth) {
		l.err = fmt.Errorf("%s, record at line %d: %w", at.Document, at.Line, err)
		return
	}
	l.look(at, y.list)
}

// yamlWalk goes through YAML as far as JSON would: aliases are not followed, so
// that nothing unfolds.
type yamlWalk struct {
	members
	first int
}

func (y *yamlWalk) value(n *yaml.Node, pointer, name, parent string, depth int) error {
	if depth > depthMax {
		return errDepth
	}
	m := member{pointer: pointer, name: name, parent: parent, line: n.Line + y.first, size: len(n.Content)}
	switch n.Kind {
	case yaml.MappingNode:
		m.kind = "object"
		for i := 0; i+1 < len(n.Content); i += 2 {
			key := n.Content[i].Value
			if err := y.value(n.Content[i+1], pointer+"/"+escape(key), key, name, depth+1); err != nil {
				return err
			}
		}
	case yaml.SequenceNode:
		m.kind = "array"
		for i, c := range n.Content {
			if err := y.value(c, pointer+"/"+strconv.Itoa(i), name, parent, depth+1); err != nil {
				return err
			}
		}
	case yaml.ScalarNode:
		m.kind, m.value = yamlKind(n.Tag), n.Value
	default:
		return nil
	}
	return y.add(m)
}

func yamlKind(tag string) string {
	switch tag {
	case "!!null":
		return "null"
	case "!!int", "!!float":
		return "number"
	case "!!bool":
		return "boolean"
	}
	return "string"
}

// table looks through the rows of a table with a header.
func (l *linter) table(name string, rows *source.CSV, at lint.Record) error {
	var header []string
	p := &places{}
	l.places[name] = p
	for n := 0; ; n++ {
		row, bad, err := rows.Next()
		switch {
		case errors.Is(err, io.EOF):
			if n == 1 {
				l.empty(at)
			}
			return l.err
		case err != nil:
			return err
		case bad != nil:
			l.told[bad.Place] = true
			l.add(lint.New("document.csv", lint.Record{Document: name, Line: lineOf(bad.Place)}, "", "", bad.Reason))
			continue
		case header == nil:
			header = row.Fields
			continue
		}
		list := make([]member, 0, len(header))
		for i, v := range row.Fields[:min(len(row.Fields), len(header))] {
			list = append(list, member{pointer: header[i], name: strings.TrimPrefix(header[i], "\ufeff"), value: v, kind: "string", line: row.Line})
		}
		l.look(lint.Record{Document: name, Line: row.Line}, list)
		if l.err != nil {
			return l.err
		}
	}
}

// declared reads XML in the encoding that it declares. UTF-16 has been turned into UTF-8 by its mark.
func declared(label string, in io.Reader) (io.Reader, error) {
	if e, name := charset.Lookup(label); e != nil && !strings.HasPrefix(name, "utf-") {
		return e.NewDecoder().Reader(in), nil
	}
	return in, nil
}

// xml looks at the texts of an XML document.
func (l *linter) xml(name string, r io.Reader) error {
	d := xml.NewDecoder(r)
	d.Strict = false
	d.CharsetReader = declared
	at := lint.Record{Document: name}
	var path []string
	var all members
	elements := 0
	for {
		t, err := d.Token()
		if err != nil {
			if !errors.Is(err, io.EOF) {
				at.Line, _ = d.InputPos()
				l.broken(at, err.Error())
			}
			break
		}
		switch t := t.(type) {
		case xml.StartElement:
			elements++
			if path = append(path, t.Name.Local); len(path) > depthMax {
				at.Line, _ = d.InputPos()
				return fmt.Errorf("%s, line %d: %w", name, at.Line, errDepth)
			}
		case xml.EndElement:
			path = path[:max(0, len(path)-1)]
		case xml.CharData:
			if text := string(t); strings.TrimSpace(text) != "" && len(path) > 0 {
				line, _ := d.InputPos()
				// What is too much is not looked at.
				_ = all.add(member{pointer: "/" + strings.Join(path, "/"), name: "#text", value: strings.TrimSpace(text), kind: "string", line: line})
			}
		}
	}
	if elements > 0 {
		l.look(at, all.list)
	}
	return l.err
}
