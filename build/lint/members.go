package lint

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/assay-register/assay/build/harvest/source"
	"github.com/assay-register/assay/render/lint"
)

// member is one value of a record.
type member struct {
	// pointer leads to it from the root of the document (RFC 6901), or names the
	// column; name is its own, parent that of the object around it.
	pointer, name, parent string
	value                 string
	// kind is string, number, boolean, null, object or array; size counts the
	// elements of the two last.
	kind string
	size int
	line int
}

// membersMax is how many values of one record are looked at.
const membersMax = 200_000

// pointersMax is how long the pointers of a record may be together, in bytes: each repeats
// the names above it.
const pointersMax = 64 << 20

// depthMax is how deep values may nest, in each syntax: deeper ones are of no catalogue,
// and each level lengthens the pointers below it.
const depthMax = 200

var (
	errMembers = errors.New("too many members")
	errDepth   = fmt.Errorf("values are nested deeper than %d; flatten them", depthMax)
)

// members are those of one record, as many as are looked at.
type members struct {
	list     []member
	pointers int
}

// add takes a member, or refuses it once there are too many.
func (a *members) add(m member) error {
	if len(a.list) >= membersMax || a.pointers > pointersMax {
		return errMembers
	}
	a.pointers += len(m.pointer)
	a.list = append(a.list, m)
	return nil
}

// lists are where records lie in the JSON of catalogues.
var lists = []string{"result.results", "result.packages", "results", "packages", "result", "dataset", "service", "datasetSeries", "catalog",
	"data", "datasets", "servers", "features", "records", "items"}

// single are kinds of which a document is one record.
func (l *linter) single() bool { return l.kind == "openapi" || l.kind == "apisguru" }

// json looks through the records of a JSON document.
func (l *linter) json(name string, r io.Reader) error {
	if l.single() {
		return l.whole(name, r)
	}
	s, err := source.NewStream(r, name, l.o.Input.Limits)
	if err != nil {
		return err
	}
	j, err := source.NewJSON(s, lists...)
	if err != nil {
		return err
	}
	p := &places{}
	l.places[name] = p
	count := map[string]int{}
	for {
		it, bad, err := j.Next()
		switch {
		case errors.Is(err, io.EOF):
			l.envelope(name, j, count)
			return nil
		case err != nil:
			return err
		case bad != nil && bad.Code == source.CodeRecordTooLarge:
			l.oversized(name, bad)
			continue
		case bad != nil:
			l.broken(lint.Record{Document: name, Line: lineOf(bad.Place)}, bad.Reason)
			continue
		}
		list, n := "", -1
		if it.Path != "" {
			list = "/" + strings.ReplaceAll(it.Path, ".", "/")
		}
		if j.Lists() > 0 {
			n = count[it.Path]
		}
		count[it.Path]++
		p.put(it.Line, list, n)
		at := lint.Record{Document: name, Line: it.Line, Pointer: p.of(len(p.at) - 1)}
		l.jsonRecord(at, it.Raw)
		var discard json.RawMessage
		if bad := j.Decode(it, &discard); bad != nil { // finds its way back after a lost quote
			l.told[bad.Place] = true
		}
		if l.err != nil {
			return l.err
		}
	}
}

func lineOf(place string) int {
	n, _ := strconv.Atoi(place[strings.LastIndexByte(place, ':')+1:])
	return n
}

// whole looks through a document that is one record.
func (l *linter) whole(name string, r io.Reader) error {
	limit := l.o.Input.Limits.OrDefault().Record
	data, err := io.ReadAll(io.LimitReader(r, int64(limit)+1))
	if err != nil {
		return fmt.Errorf("read %s: %w", name, err)
	}
	if len(data) > limit {
		l.add(lint.New("document.unreadable", lint.Record{Document: name}, "", "", fmt.Sprintf("the document is longer than %d bytes", limit)))
		return nil
	}
	l.jsonRecord(lint.Record{Document: name, Line: 1}, data)
	return l.err
}

// jsonRecord takes the members out of a record and looks at them.
func (l *linter) jsonRecord(at lint.Record, raw []byte) {
	w := walker{dec: json.NewDecoder(bytes.NewReader(raw))}
	w.dec.UseNumber()
	err := w.value(at.Pointer, "", "")
	var syntax *json.SyntaxError
	switch {
	case errors.Is(err, errDepth):
		l.err = fmt.Errorf("%s, record at line %d: %w", at.Document, at.Line, err)
		return
	case errors.As(err, &syntax):
		at.Line += bytes.Count(raw[:min(int(syntax.Offset), len(raw))], []byte("\n"))
		l.broken(at, "this is no JSON: "+err.Error())
		return
	case err != nil && !errors.Is(err, errMembers):
		l.broken(at, "the JSON breaks off")
		return
	}
	l.look(at, w.list)
}

// oversized tells of a record that nobody reads because of its length.
func (l *linter) oversized(name string, bad *source.Rejection) {
	l.records++
	l.told[bad.Place] = true
	f := lint.New("record.refused", lint.Record{Document: name, Line: lineOf(bad.Place)}, "", "", fmt.Sprintf("the record is longer than %d bytes", l.o.Input.Limits.OrDefault().Record))
	f.Remedy = bad.Remedy
	l.add(f)
}

func (l *linter) broken(at lint.Record, reason string) {
	key := fmt.Sprintf("%s:%d", at.Document, at.Line)
	if l.told[key] {
		return
	}
	l.told[key] = true
	l.add(lint.New("document.syntax", at, "", "", fmt.Sprintf("line %d: %s", at.Line, reason)))
}

// walker goes through a JSON value member by member.
type walker struct {
	members
	dec   *json.Decoder
	depth int
}

// escape writes a name as a part of a pointer (RFC 6901, section 3).
func escape(name string) string {
	return strings.ReplaceAll(strings.ReplaceAll(name, "~", "~0"), "/", "~1")
}

func (w *walker) value(pointer, name, parent string) error {
	t, err := w.dec.Token()
	if err != nil {
		return err
	}
	m := member{pointer: pointer, name: name, parent: parent}
	switch v := t.(type) {
	case json.Delim:
		if w.depth++; w.depth > depthMax {
			return errDepth
		}
		defer func() { w.depth-- }()
		if v == '{' {
			m.kind = "object"
			m.size, err = w.object(pointer, name)
		} else {
			m.kind = "array"
			m.size, err = w.array(pointer, name, parent)
		}
		if err != nil {
			return err
		}
		return w.add(m)
	case string:
		m.kind, m.value = "string", v
	case json.Number:
		m.kind, m.value = "number", v.String()
	case bool:
		m.kind, m.value = "boolean", strconv.FormatBool(v)
	default:
		m.kind = "null"
	}
	return w.add(m)
}

func (w *walker) object(pointer, name string) (n int, err error) {
	for ; w.dec.More(); n++ {
		t, err := w.dec.Token()
		if err != nil {
			return n, err
		}
		key, _ := t.(string)
		if err := w.value(pointer+"/"+escape(key), key, name); err != nil {
			return n, err
		}
	}
	_, err = w.dec.Token()
	return n, err
}

func (w *walker) array(pointer, name, parent string) (n int, err error) {
	for ; w.dec.More(); n++ {
		if err := w.value(pointer+"/"+strconv.Itoa(n), name, parent); err != nil {
			return n, err
		}
	}
	_, err = w.dec.Token()
	return n, err
}
