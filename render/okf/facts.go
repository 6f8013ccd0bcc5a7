package okf

import (
	"bufio"
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"time"

	"github.com/assay-register/assay/render/catalog"
	"github.com/assay-register/assay/render/jsonx/plain"
	"github.com/assay-register/assay/render/snapshot"
)

// facts are what indexes and the log show of an entry, besides its line. Times
// are Unix seconds, 0 when unknown.
type facts struct {
	Title       string `json:"title"`
	Description string `json:"description"`
	Published   int64  `json:"published"`
	Content     int64  `json:"content,omitempty"`
	Deprecated  int64  `json:"deprecated,omitempty"`
	Changed     int64  `json:"changed"`
}

func factsOf(s *snapshot.Scored) facts {
	e := s.Entry()
	f := facts{Title: title(e.Name, e.Slug), Description: summaryOf(s), Published: unix(e.PublishedAt),
		Content: unix(e.ContentChangedAt), Changed: unix(sourceChanged(s))}
	if e.Status == catalog.StatusDeprecated {
		f.Deprecated = unix(e.DeprecatedAt)
	}
	return f
}

func unix(t time.Time) int64 {
	if t.IsZero() {
		return 0
	}
	return t.Unix()
}

// title is the name on one line, the slug where there is none.
func title(name, slug string) string { return cmp.Or(oneLine(name), slug) }

// summaryOf is the one sentence that describes an entry, in English where the
// register has it, else in the source's language, else made from its facts.
func summaryOf(s *snapshot.Scored) string {
	e := s.Entry()
	for _, text := range [...]string{e.DescriptionEn, e.Description} {
		if text = sentence(text); text != "" {
			return text
		}
	}
	text := kindOf(e.Type)
	if by := publisher(s); by != "" {
		text += " of " + by
	}
	return text + "."
}

func publisher(s *snapshot.Scored) string {
	if i := s.Institution; i != nil && s.Entry().PublisherName == "" {
		return oneLine(cmp.Or(i.NameEn, i.Name))
	}
	return oneLine(s.Entry().PublisherName)
}

// kindOf is the concept's type in words; it is the value of the type key.
func kindOf(t catalog.EntryType) string {
	switch t {
	case catalog.TypeAPI:
		return "API"
	case catalog.TypeDataset:
		return "Dataset"
	case catalog.TypeMCPServer:
		return "MCP server"
	}
	return "Source"
}

// facts reads those of one entry.
func (r *reader) facts(c *snapshot.Catalog, ordinal int) (*facts, error) {
	fragment, err := r.fragment(c, factsStream, ordinal)
	if err != nil {
		return nil, err
	}
	return &r.last, r.last.decode(c, ordinal, string(fragment[:len(fragment)-1]))
}

func (f *facts) decode(c *snapshot.Catalog, ordinal int, line string) error {
	*f = facts{}
	if plain.Read(line, f) {
		return nil
	}
	*f = facts{}
	if err := json.Unmarshal([]byte(line), f); err != nil {
		return fmt.Errorf("facts of entry %s: %w", c.Lines[ordinal].ID, err)
	}
	return nil
}

// lineMax bounds the facts of one entry, in bytes.
const lineMax = 1 << 20

// eachFacts reads the facts of all entries in id order; each are a line.
func eachFacts(c *snapshot.Catalog, fn func(ordinal int, f *facts)) error {
	lines := bufio.NewScanner(c.Streams[factsStream].Fragments(0, len(c.Lines)))
	lines.Buffer(make([]byte, 0, 1<<16), lineMax)
	var f facts
	for i := range c.Lines {
		if !lines.Scan() {
			return fmt.Errorf("facts of entry %s: %w", c.Lines[i].ID, cmp.Or(lines.Err(), io.ErrUnexpectedEOF))
		}
		if err := f.decode(c, i, lines.Text()); err != nil {
			return err
		}
		fn(i, &f)
	}
	return nil
}
