package source

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
)

// Item is one record of a JSON input.
type Item struct {
	// Path names the members that lead to the list which holds the record, with
	// points between them; "" is a record that stands alone.
	Path string
	// Line is the line on which the record begins, from one.
	Line int
	// Raw is the record; it is good until the next call of Next.
	Raw []byte
	// indent is the line break and white space before the record.
	indent []byte
}

// JSON takes the records out of a JSON input one at a time, whatever they are
// wrapped in: an array, an object with lists in it (the paths), one record
// alone, several values one after the other, or JSON lines. Nothing but one
// record is held in memory, and of the rest of the envelope its small members.
type JSON struct {
	stream *Stream
	scan   *jsonScan
	lines  *Lines
	paths  []string
	stack  []frame
	head   map[string]json.RawMessage
	size   int
	item   []byte
	ended  bool
	// lists is how many lists of records were found.
	lists int
	// skipped is how many broken lines of objects were passed over.
	skipped int
}

// frame is an array or object that is being walked.
type frame struct {
	path string
	list bool
	// line is where it begins.
	line int
	// own are the members of an object that were no list, as they stand there.
	own []byte
	// listed says that a list of records was found below; long that own became
	// too large.
	listed, long bool
}

// headBytes bounds a member of the envelope that is kept, and headSize all.
const (
	headBytes = 64 << 10
	headSize  = 1 << 20
)

// NewJSON reads the records of the lists at the paths ("result.results",
// "dataset"). JSON lines are recognised by their first two lines.
func NewJSON(s *Stream, paths ...string) (*JSON, error) {
	j := &JSON{stream: s, paths: paths, head: map[string]json.RawMessage{}}
	lines := NewLines(s, s.limits.Record)
	two, err := lines.PeekLines()
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", s.name, err)
	}
	if jsonLines(two) {
		j.lines = lines
	} else {
		j.scan = newJSONScan(lines.r)
	}
	return j, nil
}

// jsonLines tells by two lines that each line is a record.
func jsonLines(two [2][]byte) bool {
	first, second := bytes.TrimSpace(two[0]), bytes.TrimSpace(two[1])
	if len(first) == 0 || first[0] != '{' || len(second) == 0 || second[0] != '{' {
		return false
	}
	return first[len(first)-1] == '}' || json.Valid(second)
}

// Next returns the next record, or the rejection of one that cannot be read,
// or io.EOF. When the structure around the records breaks, the rejection says
// so and the input ends.
func (j *JSON) Next() (Item, *Rejection, error) {
	if j.lines != nil {
		return j.line()
	}
	for !j.ended {
		var it *Item
		var bad *Rejection
		switch {
		case len(j.stack) == 0:
			it, bad = j.document()
		case j.top().list:
			it, bad = j.element()
		default:
			it, bad = j.member()
		}
		if err := j.scan.failure(); err != nil {
			return Item{}, nil, fmt.Errorf("read %s: %w", j.stream.name, err)
		}
		if it != nil {
			return *it, nil, nil
		}
		if bad != nil {
			return Item{}, bad, nil
		}
	}
	return Item{}, nil, io.EOF
}

// line is the next record of JSON lines.
func (j *JSON) line() (Item, *Rejection, error) {
	for {
		text, err := j.lines.Next()
		switch {
		case errors.Is(err, ErrLineTooLong):
			return Item{}, j.reject(j.lines.Number(), CodeRecordTooLarge, "the record is longer than the limit", "shorten the record"), nil
		case err != nil:
			return Item{}, nil, err
		case len(bytes.Trim(text, " \t\r\x1e")) == 0, j.lines.Unterminated() && j.stream.Problem() != nil:
			continue
		}
		return Item{Line: j.lines.Number(), Raw: bytes.Trim(text, " \t\r\x1e")}, nil, nil
	}
}

// Head decodes a member of the envelope that has been read so far into v; a
// path leads into it as to a list. False is a member that is not there, is too
// large or is of another type.
func (j *JSON) Head(path string, v any) bool {
	raw, ok := j.head[path]
	return ok && json.Unmarshal(raw, v) == nil
}

// Decode reads a record into v. A record that is not JSON, or not what v
// takes, gives a rejection; after one that is not JSON reading goes on with
// what looks like the record after it.
func (j *JSON) Decode(it Item, v any) *Rejection {
	err := json.Unmarshal(it.Raw, v)
	if err == nil {
		return nil
	}
	var syntax *json.SyntaxError
	if errors.As(err, &syntax) {
		j.recover(it, int(syntax.Offset))
		return j.reject(it.Line, CodeBrokenJSON, "the record is not JSON: "+err.Error(), "correct the JSON of this record")
	}
	reason, remedy := WrongType(err)
	return j.reject(it.Line, CodeInvalidField, reason, remedy)
}

// WrongType says what is wrong with a record whose JSON does not fit its format,
// in the words of the format and not of the program.
func WrongType(err error) (reason, remedy string) {
	var kind *json.UnmarshalTypeError
	switch {
	case !errors.As(err, &kind):
		return err.Error(), "correct the record"
	case kind.Field == "":
		return "the record is " + kind.Value, "make the record an object"
	}
	return fmt.Sprintf("the member %s is %s", kind.Field, kind.Value), "give the member the type that its format has"
}

// recover puts back what a record swallowed because a quote or bracket was
// lost in it: from the next line that begins like it on.
func (j *JSON) recover(it Item, offset int) {
	if j.scan == nil || len(it.indent) == 0 || len(it.Raw) == 0 {
		return
	}
	mark := append(slices.Clone(it.indent), it.Raw[0])
	from := min(max(offset-len(mark), 0), len(it.Raw))
	if i := bytes.Index(it.Raw[from:], mark); i >= 0 {
		tail := it.Raw[from+i:]
		j.scan.unread(slices.Clone(tail))
		j.ended = false
	}
}

// Lists is how many lists of records were found so far; an input can have an
// empty one, or none.
func (j *JSON) Lists() int { return j.lists }

// Problem says why the input ended before its end, or nil.
func (j *JSON) Problem() *Rejection { return j.stream.Problem() }

func (j *JSON) reject(line int, code Code, reason, remedy string) *Rejection {
	return &Rejection{Place: fmt.Sprintf("%s:%d", j.stream.name, line), Code: code, Reason: reason, Remedy: remedy}
}

// Place names the record for messages.
func (j *JSON) Place(it Item) string { return fmt.Sprintf("%s:%d", j.stream.name, it.Line) }

func (j *JSON) wanted(path string) bool { return slices.Contains(j.paths, path) }

// leads tells that a list of records lies below the path.
func (j *JSON) leads(path string) bool {
	return slices.ContainsFunc(j.paths, func(p string) bool { return strings.HasPrefix(p, path+".") })
}
