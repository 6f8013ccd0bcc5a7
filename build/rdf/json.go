package rdf

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/piprate/json-gold/ld"
)

// jsonReader reads JSON-LD 1.1. The nodes of a graph that comes after its
// context, or of a plain array, are read some at a time; any other document is
// kept whole.
type jsonReader struct {
	statements
	d       *json.Decoder
	in      *capped
	context any
	// batch are nodes that wait to be expanded, size the bytes they took.
	batch  []any
	size   int64
	faults int
}

// jsonBatch is how many bytes of nodes are expanded at once.
const jsonBatch = 256 << 10

// capped ends with errTooLong once more than max bytes were read since the
// last reset.
type capped struct {
	r      io.Reader
	n, max int
}

// Read implements io.Reader.
func (c *capped) Read(p []byte) (int, error) {
	if c.n > c.max {
		return 0, errTooLong
	}
	n, err := c.r.Read(p)
	c.n += n
	return n, err
}

func readJSON(r io.Reader, o *Options, emit func(Triple) error) error {
	j := jsonReader{in: &capped{r: r, max: o.Limits.Document}}
	j.o, j.give = o, emit
	j.d = json.NewDecoder(j.in)
	token, err := j.d.Token()
	switch {
	case err != nil:
		return j.syntax(err)
	case token == json.Delim('['):
		err = j.nodes()
	case token == json.Delim('{'):
		err = j.object()
	default:
		return j.fault("JSON-LD is an object or an array")
	}
	if err != nil {
		return err
	}
	if _, err := j.d.Token(); err != io.EOF {
		return j.fault("text follows the end of the document")
	}
	return nil
}

func (j *jsonReader) fault(format string, args ...any) error { return j.problem(format, args...) }

func (j *jsonReader) problem(format string, args ...any) *Problem {
	return &Problem{Reason: fmt.Sprintf(format, args...) + fmt.Sprintf(" (before byte %d)", j.d.InputOffset()), Lost: true}
}

// syntax turns an error of the decoder into a fault of the document.
func (j *jsonReader) syntax(err error) error {
	var syntax *json.SyntaxError
	switch {
	case errors.Is(err, errTooLong):
		return j.fault("a value is longer than %d bytes; write the nodes into @graph behind the context, in pages, or in N-Triples", j.in.max)
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		return j.fault("the JSON ends before its end")
	case errors.As(err, &syntax):
		return j.fault("the JSON is broken: %v", err)
	}
	return fmt.Errorf("read RDF: %w", err)
}

// decode reads the next value.
func (j *jsonReader) decode(limit int) (any, error) {
	j.in.n, j.in.max = 0, limit
	var v any
	if err := j.d.Decode(&v); err != nil {
		return nil, j.syntax(err)
	}
	if !shallow(v, j.o.Limits.Depth) {
		return nil, j.fault("a value nests deeper than %d", j.o.Limits.Depth)
	}
	return v, nil
}

func shallow(v any, depth int) bool {
	if depth < 0 {
		return false
	}
	switch v := v.(type) {
	case []any:
		for _, item := range v {
			if !shallow(item, depth-1) {
				return false
			}
		}
	case map[string]any:
		for _, item := range v {
			if !shallow(item, depth-1) {
				return false
			}
		}
	}
	return true
}

// object reads the members of the outermost object.
func (j *jsonReader) object() error {
	rest := map[string]any{}
	for j.d.More() {
		key, err := j.d.Token()
		if err != nil {
			return j.syntax(err)
		}
		name, _ := key.(string)
		if name == "@graph" && j.context != nil {
			if err := j.graph(); err != nil {
				return err
			}
			continue
		}
		v, err := j.decode(j.o.Limits.Document)
		if err != nil {
			return err
		}
		if name == "@context" {
			j.context = v
			continue
		}
		rest[name] = v
	}
	if _, err := j.d.Token(); err != nil {
		return j.syntax(err)
	}
	if len(rest) == 0 {
		return nil
	}
	return j.expand([]any{rest})
}

// graph reads the nodes of @graph as they come; it may also be a single one.
func (j *jsonReader) graph() error {
	token, err := j.d.Token()
	switch {
	case err != nil:
		return j.syntax(err)
	case token == json.Delim('['):
		return j.nodes()
	case token != json.Delim('{'):
		return j.fault("@graph holds nodes")
	}
	node := map[string]any{}
	for j.d.More() {
		key, err := j.d.Token()
		if err != nil {
			return j.syntax(err)
		}
		name, _ := key.(string)
		if node[name], err = j.decode(j.o.Limits.Token); err != nil {
			return err
		}
	}
	if _, err := j.d.Token(); err != nil {
		return j.syntax(err)
	}
	return j.expand([]any{node})
}

// nodes reads an array of nodes to its end.
func (j *jsonReader) nodes() error {
	for j.d.More() {
		from := j.d.InputOffset()
		v, err := j.decode(j.o.Limits.Token)
		if err != nil {
			return err
		}
		j.batch = append(j.batch, v)
		if j.size += j.d.InputOffset() - from; j.size >= jsonBatch {
			if err := j.flush(); err != nil {
				return err
			}
		}
	}
	if _, err := j.d.Token(); err != nil {
		return j.syntax(err)
	}
	return j.flush()
}

func (j *jsonReader) flush() error {
	nodes := j.batch
	j.batch, j.size = nil, 0
	if len(nodes) == 0 {
		return nil
	}
	return j.expand(nodes)
}

// expand emits the statements of some nodes. When they cannot be expanded
// together, a lenient reader leaves out those to blame.
func (j *jsonReader) expand(nodes []any) error {
	expanded, err := j.expanded(nodes)
	switch {
	case err == nil:
		return j.all(expanded)
	case j.o.Lenient == nil || j.badContext():
		return j.fault("%v", err)
	case len(nodes) > 1:
		for _, node := range nodes {
			if err := j.expand([]any{node}); err != nil {
				return err
			}
		}
		return nil
	}
	if j.faults++; j.faults > j.o.Limits.Faults {
		return j.fault("more than %d nodes cannot be read: %v", j.o.Limits.Faults, err)
	}
	p := j.problem("%v", err)
	if node, ok := nodes[0].(map[string]any); ok {
		if id, ok := node["@id"].(string); ok {
			p.Subject = iriTerm(id)
		}
	}
	return j.o.Lenient(*p)
}

// expanded applies the context. The library is kept from taking the process
// with it, should a document make it panic.
func (j *jsonReader) expanded(nodes []any) (out []any, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("the JSON-LD cannot be expanded: %v", p)
		}
	}()
	opts := ld.NewJsonLdOptions(j.o.Base)
	opts.DocumentLoader = offline{j.o.Context}
	if j.o.Lenient != nil {
		worded(nodes, 0)
	}
	document := map[string]any{"@graph": nodes}
	if j.context != nil {
		document["@context"] = j.context
	}
	return ld.NewJsonLdProcessor().Expand(document, opts)
}

// worded makes references to what is no IRI but words, such as {"@id": "Licence 2.0: the source"}, the
// texts that they are: no IRI has a space in it, and the library cannot resolve them.
func worded(v any, depth int) {
	switch v := v.(type) {
	case []any:
		for _, item := range v {
			worded(item, depth+1)
		}
	case map[string]any:
		if id, ok := v["@id"].(string); ok && len(v) == 1 && depth > 1 && strings.ContainsAny(strings.TrimSpace(id), " \n\t") && schemeEnd(id) <= 0 {
			delete(v, "@id")
			v["@value"] = id
		}
		for _, item := range v {
			worded(item, depth+1)
		}
	}
}

// offline is the loader that reads nothing: it has the contexts that the caller knows.
type offline struct{ known func(address string) any }

// LoadDocument implements ld.DocumentLoader.
func (o offline) LoadDocument(u string) (*ld.RemoteDocument, error) {
	if o.known != nil {
		if document := o.known(u); document != nil {
			return &ld.RemoteDocument{DocumentURL: u, Document: document}, nil
		}
	}
	return nil, ld.NewJsonLdError(ld.LoadingRemoteContextFailed,
		fmt.Sprintf("the document refers to %s, and nothing outside it is read; write the context into the document", clip(u)))
}

// badContext tells that no node at all can be expanded.
func (j *jsonReader) badContext() bool {
	_, err := j.expanded(nil)
	return err != nil
}
