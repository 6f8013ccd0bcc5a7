package lint

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"path"
	"slices"
	"sort"
	"strconv"
	"strings"

	"github.com/assay-register/assay/build/harvest/dcatap"
	"github.com/assay-register/assay/build/harvest/source"
	"github.com/assay-register/assay/render/lint"
)

// pageMax is the longest page of a live source that is looked through, in bytes.
const pageMax = 64 << 20

// fetch looks through every page of a live source before the connector reads it.
func (l *linter) fetch(next source.Fetch) source.Fetch {
	return func(ctx context.Context, r source.Request) (*source.Response, error) {
		resp, err := next(ctx, r)
		if err != nil || l.kind == dcatap.Kind {
			return resp, err
		}
		defer resp.Body.Close()
		data, err := io.ReadAll(io.LimitReader(resp.Body, pageMax+1))
		if err != nil {
			return nil, fmt.Errorf("read %s: %w", r.URL, err)
		}
		if len(data) > pageMax {
			return nil, fmt.Errorf("%s is longer than %d bytes", r.URL, pageMax)
		}
		clear(l.places) // those of the page before
		if err := l.document(r.URL, bytes.NewReader(data)); err != nil {
			return nil, err
		}
		again := *resp
		again.Body = io.NopCloser(bytes.NewReader(data))
		return &again, nil
	}
}

// files looks through the file, or the files of a folder. RDF is looked through as
// its connector reads it, which does not show the encoding.
func (l *linter) files(ctx context.Context) error {
	in := &l.o.Input
	visit := l.document
	if l.kind == dcatap.Kind {
		visit = l.encoded
	}
	if in.Open == nil {
		return eachFile(ctx, in, visit)
	}
	if archive(in.Name) {
		if l.kind == dcatap.Kind {
			return nil
		}
		return l.packed(ctx)
	}
	r, err := in.Open(ctx)
	if err != nil {
		return fmt.Errorf("open %s: %w", in.Name, err)
	}
	defer r.Close()
	return visit(in.Name, r)
}

// readable are the ends of names of documents that can be looked through.
var readable = []string{".json", ".jsonl", ".ndjson", ".yaml", ".yml", ".csv", ".tsv", ".md", ".xml", ".ttl", ".rdf", ".jsonld", ".nt"}

func plainExt(name string) string {
	base, _, _ := strings.Cut(strings.ToLower(path.Base(name)), "@")
	base = strings.TrimSuffix(base, ".gz")
	return path.Ext(base)
}

// eachFile reads the files of a folder in the order of their names.
func eachFile(ctx context.Context, in *source.Input, visit func(name string, r io.Reader) error) error {
	return fs.WalkDir(in.Files, ".", func(name string, d fs.DirEntry, err error) error {
		if err == nil {
			err = ctx.Err()
		}
		if err != nil || d.IsDir() || strings.HasPrefix(path.Base(name), ".") || !slices.Contains(readable, plainExt(name)) {
			return err
		}
		f, err := in.Files.Open(name)
		if err != nil {
			return fmt.Errorf("open %s: %w", name, err)
		}
		defer f.Close()
		return visit(path.Join(in.Name, name), f)
	})
}

// document looks through one document by its syntax.
func (l *linter) document(name string, r io.Reader) error {
	l.documents++
	limits := l.o.Input.Limits
	s, err := source.NewStream(r, name, limits)
	if err != nil {
		return err
	}
	at := lint.Record{Document: name}
	if s.Marked() && plainExt(name) != ".csv" {
		l.add(lint.New("document.byte-order-mark", at, "", "", ""))
	}
	head, rest, err := peek(s)
	if err != nil {
		return fmt.Errorf("read %s: %w", name, err)
	}
	u := &utf8Reader{r: rest}
	switch plainExt(name) {
	case ".yaml", ".yml", ".md":
		err = l.yaml(name, u)
	case ".csv":
		err = l.rows(name, u, ',')
	case ".tsv":
		err = l.rows(name, u, '\t')
	case ".xml", ".rdf":
		err = l.xml(name, u)
	case ".ttl", ".nt":
		_, err = io.Copy(io.Discard, u)
	default:
		err = l.unnamed(name, head, u)
	}
	l.encoding(name, s, u, head)
	if bad := s.Problem(); err == nil && bad != nil {
		l.rejection(bad)
	}
	return err
}

// rows looks through a table.
func (l *linter) rows(name string, r io.Reader, comma byte) error {
	s, err := source.NewStream(r, name, l.o.Input.Limits)
	if err != nil {
		return err
	}
	return l.table(name, source.NewCSV(s, comma), lint.Record{Document: name})
}

// unnamed looks through a document whose name does not tell its syntax.
func (l *linter) unnamed(name string, head []byte, rest io.Reader) error {
	switch trimmed := bytes.TrimLeft(head, " \t\r\n\x1e"); {
	case bytes.HasPrefix(trimmed, []byte("<")):
		return l.xml(name, rest)
	case bytes.HasPrefix(trimmed, []byte("{")), bytes.HasPrefix(trimmed, []byte("[")):
		return l.json(name, rest)
	case len(trimmed) == 0:
		return nil
	}
	return l.yaml(name, rest)
}

// encoded looks at the encoding alone of a document that its connector reads.
func (l *linter) encoded(name string, r io.Reader) error {
	s, err := source.NewStream(r, name, l.o.Input.Limits)
	if err != nil {
		return err
	}
	head, rest, err := peek(s)
	u := &utf8Reader{r: rest}
	if err == nil {
		_, err = io.Copy(io.Discard, u)
	}
	if err != nil {
		return fmt.Errorf("read %s: %w", name, err)
	}
	l.encoding(name, s, u, head)
	return nil
}

func peek(r io.Reader) (head []byte, all io.Reader, err error) {
	head, err = io.ReadAll(io.LimitReader(r, 512))
	return head, io.MultiReader(bytes.NewReader(head), r), err
}

// places finds the records of a document by the line on which they begin: what a
// connector says of one is said of the record that lies there.
type places struct {
	lines []int
	paths []string
	at    []place
	// last is the record that was found last: of several on one line each is found
	// once, as connectors take them in order.
	last  int
	found bool
}

type place struct {
	path uint16
	n    int32
}

// put notes a record: its list, a pointer, and its number there, -1 for none.
func (p *places) put(line int, list string, n int) {
	i := slices.Index(p.paths, list)
	if i < 0 {
		i = len(p.paths)
		p.paths = append(p.paths, list)
	}
	p.lines = append(p.lines, line)
	p.at = append(p.at, place{uint16(i), int32(n)})
}

// pointer is where the record lies that begins on a line.
func (p *places) pointer(line int) string {
	i := sort.SearchInts(p.lines, line)
	if i == len(p.lines) || p.lines[i] != line {
		return ""
	}
	if next := p.last + 1; p.last >= i && next < len(p.lines) && p.lines[p.last] == line && p.lines[next] == line && p.found {
		i = next
	}
	p.last, p.found = i, true
	return p.of(i)
}

// of is the pointer of the i-th record.
func (p *places) of(i int) string {
	at := p.at[i]
	if at.n < 0 {
		return p.paths[at.path]
	}
	return p.paths[at.path] + "/" + strconv.Itoa(int(at.n))
}

// record says where a draft or rejection of a connector is, by its place.
func (l *linter) record(said string) lint.Record {
	said = strings.TrimSpace(said)
	if document, subject, ok := strings.Cut(said, " "); ok && l.kind == dcatap.Kind {
		return lint.Record{Document: document, Subject: subject}
	}
	i := strings.LastIndexByte(said, ':')
	line, err := strconv.Atoi(said[i+1:])
	if i < 0 || err != nil {
		return lint.Record{Document: said}
	}
	r := lint.Record{Document: said[:i], Line: line}
	if p := l.places[r.Document]; p != nil {
		r.Pointer = p.pointer(line)
	}
	return r
}

func sortedKeys[T any](m map[string]T) []string { return slices.Sorted(maps.Keys(m)) }

// archive tells by its name that an input is a folder in one file.
func archive(name string) bool {
	name = strings.ToLower(name)
	return slices.ContainsFunc([]string{".zip", ".tar", ".tar.gz", ".tgz"}, func(ext string) bool { return strings.HasSuffix(name, ext) })
}

// packed looks through the files of an archive.
func (l *linter) packed(ctx context.Context) error {
	tree, err := l.o.Input.Tree(ctx, func(name string) bool { return slices.Contains(readable, plainExt(name)) })
	if err != nil {
		return err
	}
	names, err := tree.Names()
	if err != nil {
		return err
	}
	for _, name := range names {
		data, bad := tree.Read(name)
		if bad != nil {
			l.rejection(bad)
			continue
		}
		if err := l.document(tree.Place(name), bytes.NewReader(data)); err != nil {
			return err
		}
	}
	return nil
}
