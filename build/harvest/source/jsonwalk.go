package source

import (
	"encoding/json"
	"slices"
)

func (j *JSON) top() *frame { return &j.stack[len(j.stack)-1] }

func (j *JSON) push(path string, list bool) {
	j.scan.pos++
	j.stack = append(j.stack, frame{path: path, list: list, line: j.scan.line})
	if list {
		j.lists++
		for i := range j.stack {
			j.stack[i].listed = true
		}
	}
}

// stop ends the input at a place where no record can be made out any more.
func (j *JSON) stop(reason string) *Rejection {
	j.ended = true
	if j.stream.Problem() != nil {
		return nil
	}
	return j.reject(j.scan.line, CodeBrokenJSON, reason, "correct the JSON there; the records before it were read")
}

// skips is how often broken lines of an object are passed over.
const skips = 10

// skip passes over the rest of a line on which a member broke, as a quote
// inside a text does it, and goes on with the next member.
func (j *JSON) skip() *Rejection {
	line := j.scan.line
	if j.skipped++; j.skipped > skips || !j.scan.endLine() {
		return j.stop("no member begins here")
	}
	return j.reject(line, CodeBrokenJSON, "a member is broken; reading goes on with the next line", "correct the JSON there")
}

// document begins a value at the top of the input.
func (j *JSON) document() (*Item, *Rejection) {
	c, ok := j.scan.peek()
	switch {
	case !ok:
		j.ended = true
	case c == '[' || c == '{':
		j.push("", c == '[')
	default:
		return nil, j.stop("this is no JSON array or object")
	}
	return nil, nil
}

// element reads an element of a list of records.
func (j *JSON) element() (*Item, *Rejection) {
	before := j.scan.line
	c, ok := j.scan.peek()
	for ok && c == ',' {
		j.scan.pos++
		c, ok = j.scan.peek()
	}
	f := j.top()
	switch {
	case !ok:
		return nil, j.stop("the list of records is not closed")
	case c == ']':
		j.scan.pos++
		j.stack = j.stack[:len(j.stack)-1]
		return nil, nil
	case c == '}' || c == ':':
		return nil, j.stop("the list of records breaks off")
	}
	it := Item{Path: f.path, Line: j.scan.line}
	if j.scan.line > before {
		it.indent = slices.Clone(j.scan.space)
	}
	raw, long, cut := j.scan.value(j.item[:0], j.stream.limits.Record)
	j.item, it.Raw = raw, raw
	switch {
	case long:
		return nil, j.reject(it.Line, CodeRecordTooLarge, "the record is longer than the limit", "shorten the record")
	case cut && j.stream.Problem() != nil:
		j.ended = true
		return nil, nil
	case len(raw) == 0:
		return nil, j.stop("no record begins here")
	}
	// A record that the end cuts off is left to Decode, which finds the ones that
	// it swallowed when it lost a quote.
	return &it, nil
}

// member reads a member of an object.
func (j *JSON) member() (*Item, *Rejection) {
	c, ok := j.scan.peek()
	for ok && c == ',' {
		j.scan.pos++
		c, ok = j.scan.peek()
	}
	switch {
	case !ok:
		return nil, j.stop("the object is not closed")
	case c == '}':
		return j.close()
	case c != '"':
		return nil, j.skip()
	}
	raw, _, cut := j.scan.value(nil, headBytes)
	var key string
	if cut || json.Unmarshal(raw, &key) != nil {
		return nil, j.stop("the name of a member is broken")
	}
	if c, ok = j.scan.peek(); !ok || c != ':' {
		return nil, j.stop("a member has no value")
	}
	j.scan.pos++
	return nil, j.enter(key, raw)
}

// enter reads the value of a member, or steps into it on the way to records.
func (j *JSON) enter(key string, name []byte) *Rejection {
	f := j.top()
	path := key
	if f.path != "" {
		path = f.path + "." + key
	}
	c, ok := j.scan.peek()
	switch {
	case !ok:
		return j.stop("a member has no value")
	case c == '[' && j.wanted(path), c == '{' && (j.leads(path) || j.wanted(path)):
		j.push(path, c == '[')
		return nil
	}
	limit := j.stream.limits.Record
	if f.listed {
		limit = headBytes
	}
	raw, long, cut := j.scan.value(nil, limit)
	if cut || len(raw) == 0 && !long {
		return j.stop("a member has no value")
	}
	if !long && len(raw) <= headBytes && j.size < headSize {
		j.size += len(raw) + len(path)
		j.head[path] = raw
	}
	f.keep(name, raw, long, j.stream.limits.Record)
	return nil
}

// keep adds a member to the object as it stands in the input.
func (f *frame) keep(name, raw []byte, long bool, limit int) {
	if f.long = f.long || long || len(f.own)+len(name)+len(raw) > limit; f.long || f.listed {
		f.own = nil
		return
	}
	sep := byte(',')
	if len(f.own) == 0 {
		sep = '{'
	}
	f.own = append(append(append(append(f.own, sep), name...), ':'), raw...)
}

// close ends an object. One without a list of records is a record itself.
func (j *JSON) close() (*Item, *Rejection) {
	j.scan.pos++
	f := *j.top()
	j.stack = j.stack[:len(j.stack)-1]
	if f.listed {
		return nil, nil
	}
	for i := range j.stack {
		j.stack[i].listed = true
	}
	if f.long {
		return nil, j.reject(f.line, CodeRecordTooLarge, "the record is longer than the limit", "shorten the record")
	}
	if f.own == nil {
		f.own = []byte{'{'}
	}
	return &Item{Path: f.path, Line: f.line, Raw: append(slices.Clip(f.own), '}')}, nil
}
