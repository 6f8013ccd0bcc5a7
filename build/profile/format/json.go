package format

import (
	"bytes"
	"context"
	"errors"
	"fmt"

	"github.com/assay-register/assay/build/profile/table"
)

// readJSON reads a document and finds its records: a list of objects anywhere
// in it, a list of lists, a map of objects, or else the document itself.
func readJSON(ctx context.Context, data []byte, o *Options) (*table.Table, error) {
	text, name := decode(data, o)
	p := newParser(ctx, bytes.TrimLeft(text, "\x1e \t\r\n"))
	root, err := p.value(0)
	cut := errors.Is(err, errCut)
	switch {
	case err != nil && !cut:
		return nil, err
	case cut && !o.Truncated && !p.full:
		return nil, errors.New("the JSON ends before it is complete; check the download")
	case root == nil:
		return nil, errors.New("the JSON has no value within the sample")
	}
	if p.full {
		o.Truncated = true
	}
	var t *table.Table
	if kind := root.get("type"); kind != nil && kind.cell.Text == "FeatureCollection" && root.get("features") != nil {
		t = features(root, o)
	} else {
		t = documents(root, o)
	}
	t.Encoding = name
	return total(t, o.Truncated), nil
}

func documents(root *node, o *Options) *table.Table {
	found := findRecords(root)
	b := table.NewBuilder(JSON, o.Limits, o.Private)
	switch {
	case found.keyed:
		for i, kid := range found.list.kids {
			b.Record(append([]table.Field{{Name: "key", Cell: table.Cell{Kind: table.String, Text: found.list.keys[i]}}}, record(kid)...))
		}
	case found.list == nil:
		b.Record(record(root))
		b.Note("the document has no list of records; it is taken as one record")
	case found.rows:
		t := matrix(found.list, o)
		t.Records = found.path
		return t
	default:
		for _, kid := range whole(found.list) {
			b.Record(record(kid))
		}
	}
	t := b.Table()
	t.Records = safePath(found.path, o)
	return t
}

// whole leaves out the last member if the end of the sample cut it.
func whole(list *node) []*node {
	kids := list.kids
	if n := len(kids); n > 0 && kids[n-1].cut {
		return kids[:n-1]
	}
	return kids
}

// found is where the records are. keyed: they are the members of an object;
// rows: they are lists.
type found struct {
	list        *node
	path        string
	keyed, rows bool
}

// findRecords takes the longest list of objects; of equally long ones that
// which is least deep, then the first.
func findRecords(root *node) found {
	var best found
	var queue []found
	queue = append(queue, found{list: root})
	for depth := 0; depth < 6 && len(queue) > 0; depth++ {
		var next []found
		for _, at := range queue {
			if rows, ok := listed(at.list); ok && (best.list == nil || len(at.list.kids) > len(best.list.kids)) {
				best = found{list: at.list, path: at.path, rows: rows}
			}
			if at.list.shape == object {
				for i, kid := range at.list.kids {
					next = append(next, found{list: kid, path: join(at.path, at.list.keys[i])})
				}
			}
		}
		queue = next
	}
	if root.shape == object && (best.list == nil || len(best.list.kids) < len(root.kids)) && isMap(root) {
		return found{list: root, keyed: true}
	}
	return best
}

// listed tells whether n is a list of objects or of lists, which are rows. A
// list of scalars counts only as a whole document.
func listed(n *node) (rows, ok bool) {
	if n.shape != array || len(n.kids) == 0 {
		return false, false
	}
	objects, arrays := 0, 0
	for _, k := range n.kids {
		switch k.shape {
		case object:
			objects++
		case array:
			arrays++
		}
	}
	switch {
	case objects*2 > len(n.kids):
		return false, true
	case arrays*2 > len(n.kids) && flat(n.kids[0]):
		return true, true
	}
	return false, false
}

func flat(n *node) bool {
	for _, k := range n.kids {
		if k.shape != leaf {
			return false
		}
	}
	return len(n.kids) > 1
}

// isMap tells that the members of an object are records of one form, keyed by
// an identifier.
func isMap(n *node) bool {
	if len(n.kids) < 3 {
		return false
	}
	for _, k := range n.kids {
		if k.shape != object || len(k.keys) == 0 || len(n.kids[0].keys) == 0 || k.get(n.kids[0].keys[0]) == nil {
			return false
		}
	}
	return true
}

// matrix reads a list of lists as rows of a table, the first perhaps a header.
func matrix(list *node, o *Options) *table.Table {
	s := &scanned{}
	cells := 0
	typed := map[string]table.Cell{}
	for _, row := range whole(list) {
		text := make([]string, len(row.kids))
		for i, k := range row.kids {
			text[i] = k.cell.Text
			if k.cell.Kind != table.Null {
				typed[k.cell.Text] = k.cell
			}
		}
		s.add(clipped(text, o), len(s.rows)+1, &cells, o)
	}
	t := assemble(JSON, s, o)
	for _, row := range t.Rows {
		for i := range row {
			if c, ok := typed[row[i].Text]; ok && row[i].Kind == table.Text {
				row[i].Kind = c.Kind
			}
		}
	}
	return t
}

// safePath hides steps of a path that are personal data themselves.
func safePath(path string, o *Options) string {
	if o.private(path) {
		return "*"
	}
	return table.Clip(path, o.Limits.Name)
}

// readNDJSON reads one value a line. A line that is no JSON is counted, not
// shown; the last line of a cut sample is left out.
func readNDJSON(ctx context.Context, data []byte, o *Options) (*table.Table, error) {
	text, name := decode(data, o)
	b := table.NewBuilder(NDJSON, o.Limits, o.Private)
	bad, good, geo := 0, 0, bounds{}
	for len(text) > 0 {
		line, rest, ended := bytes.Cut(text, []byte("\n"))
		text = rest
		line = bytes.TrimLeft(bytes.TrimSpace(line), "\x1e")
		if len(line) == 0 || !ended && o.Truncated {
			continue
		}
		p := newParser(ctx, line)
		n, err := p.value(0)
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if err != nil || n.shape != object {
			bad++
			continue
		}
		good++
		b.Record(feature(n, &geo))
	}
	if good == 0 {
		return nil, fmt.Errorf("none of %d lines is a JSON object", bad)
	}
	if bad > 0 {
		b.Note("%d lines are no JSON objects and were left out", bad)
	}
	t := b.Table()
	t.Encoding, t.BBox = name, geo.box()
	return total(t, o.Truncated), nil
}
