package format

import (
	"bytes"
	"context"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"strings"

	"golang.org/x/net/html/charset"

	"github.com/assay-register/assay/build/profile/table"
)

// readXML finds the element that repeats, the record, and reads its attributes
// (@name) and children as columns. Local names are used. Entities other than
// the five of XML are not expanded.
func readXML(ctx context.Context, data []byte, o *Options) (*table.Table, error) {
	data, name := unwiden(data, o)
	path, cut, err := recordElement(ctx, data, o)
	if err != nil {
		return nil, err
	}
	b := table.NewBuilder(XML, o.Limits, o.Private)
	r := &elements{dec: decoder(data), ctx: ctx}
	for {
		n, err := r.next(path)
		if errors.Is(err, io.EOF) || err != nil && (o.Truncated || cut) {
			break
		}
		if err != nil {
			return nil, err
		}
		b.Record(record(n))
	}
	t := b.Table()
	if t.Count == 0 {
		return nil, errors.New("the XML has no element that could be a record")
	}
	t.Records, t.Encoding = table.Clip(path, o.Limits.Name), name
	return total(t, o.Truncated), nil
}

// unwiden turns UTF-16 into UTF-8, for which the decoder needs no declaration.
func unwiden(data []byte, o *Options) ([]byte, string) {
	_, guess := decode(data[:min(len(data), 1024)], &Options{Truncated: true, Charset: o.Charset})
	if strings.HasPrefix(guess, "utf-16") {
		text, name := decode(data, o)
		if i := bytes.Index(text, []byte("?>")); i >= 0 && bytes.HasPrefix(text, []byte("<?xml")) {
			text = text[i+2:]
		}
		return text, name
	}
	if m := xmlEncoding(data); m != "" {
		return data, m
	}
	return data, "utf-8"
}

func xmlEncoding(data []byte) string {
	head, _, ok := strings.Cut(string(data[:min(len(data), 200)]), "?>")
	_, rest, has := strings.Cut(head, "encoding=")
	if !ok || !has || len(rest) < 3 {
		return ""
	}
	value, _, _ := strings.Cut(rest[1:], rest[:1])
	_, name := charset.Lookup(value)
	return name
}

func decoder(data []byte) *xml.Decoder {
	d := xml.NewDecoder(bytes.NewReader(bytes.TrimPrefix(data, []byte("\xef\xbb\xbf"))))
	d.CharsetReader = charset.NewReaderLabel
	return d
}

// seen is what is known about the elements at one path.
type seen struct {
	path  string
	depth int
	// siblings is the most that one parent had, inner whether one has children
	// or attributes.
	siblings int
	inner    bool
}

// maxPaths bounds how many different paths are looked at.
const maxPaths = 5_000

// recordElement returns the path of the records. Of two candidates the outer
// one wins, unless it has less than a tenth of the elements of one that does
// not stand inside it.
func recordElement(ctx context.Context, data []byte, o *Options) (string, bool, error) {
	s := &survey{dec: decoder(data), paths: map[string]*seen{}}
	err := s.run(ctx)
	cut := false
	switch {
	case err == nil:
	case ctx.Err() != nil:
		return "", false, ctx.Err()
	case o.Truncated || errors.Is(err, errCut):
		cut = true
	default:
		var syntax *xml.SyntaxError
		if errors.As(err, &syntax) {
			return "", false, fmt.Errorf("line %d: the text is no well-formed XML", syntax.Line)
		}
		return "", false, errors.New("the text is no well-formed XML, or its encoding is not known")
	}
	var best *seen
	for _, c := range s.order {
		if !c.inner || c.siblings < 2 {
			continue
		}
		if best == nil || c.depth == best.depth && c.siblings > best.siblings ||
			c.siblings >= 10*best.siblings && !strings.HasPrefix(c.path, best.path+"/") {
			best = c
		}
	}
	if best == nil {
		best = s.fallback()
	}
	if best == nil {
		return "", cut, errors.New("the XML has no element with content")
	}
	return best.path, cut, nil
}

type survey struct {
	dec   *xml.Decoder
	paths map[string]*seen
	order []*seen
}

// fallback is for a document of one record: a leaf that repeats, or the root.
func (s *survey) fallback() *seen {
	for _, c := range s.order {
		if c.siblings >= 2 {
			return c
		}
	}
	if len(s.order) > 0 {
		return s.order[0]
	}
	return nil
}

type frame struct {
	at    *seen
	kids  map[string]int
	depth int
}

func (s *survey) run(ctx context.Context) error {
	stack := []frame{{kids: map[string]int{}}}
	for n := 0; ; n++ {
		if n%4096 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		tok, err := s.dec.Token()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		switch v := tok.(type) {
		case xml.StartElement:
			if len(stack) > maxDepth {
				return fmt.Errorf("elements are nested deeper than %d", maxDepth)
			}
			stack = append(stack, s.start(&stack[len(stack)-1], v))
		case xml.EndElement:
			if len(stack) > 1 {
				stack = stack[:len(stack)-1]
			}
		}
	}
}

func (s *survey) start(parent *frame, e xml.StartElement) frame {
	path := e.Name.Local
	if parent.at != nil {
		parent.at.inner = true
		path = parent.at.path + "/" + path
	}
	at := s.paths[path]
	if at == nil {
		at = &seen{path: path, depth: parent.depth + 1}
		if len(s.order) < maxPaths {
			s.paths[path] = at
			s.order = append(s.order, at)
		}
	}
	parent.kids[path]++
	at.siblings = max(at.siblings, parent.kids[path])
	at.inner = at.inner || len(e.Attr) > 0
	return frame{at, map[string]int{}, parent.depth + 1}
}
