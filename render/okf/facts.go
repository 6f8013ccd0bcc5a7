package okf

import (
	"bufio"
	"cmp"
	"encoding/json"
	"fmt"
	"time"

	"github.com/assay-register/assay/render/catalog"
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
	f := facts{Title: title(e), Description: summaryOf(s), Published: unix(e.PublishedAt),
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

// title is the name on one line.
func title(e *catalog.Entry) string { return cmp.Or(oneLine(e.Name), e.Slug) }

// summaryOf is the one sentence that describes an entry, in English where the
// register has it, else in the source's language, else made from its facts.
func summaryOf(s *snapshot.Scored) string {
	e := s.Entry()
	if text := sentence(cmp.Or(oneLine(e.DescriptionEn), e.Description)); text != "" {
		return text
	}
	text := kindOf(e.Type)
	if by := publisher(s); by != "" {
		text += " of " + by
	}
	return text + "."
}

func publisher(s *snapshot.Scored) string {
	if i := s.Institution; i != nil {
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

func readFacts(c *snapshot.Catalog, ordinal int) (facts, error) {
	var f facts
	b, err := readPiece(c, factsStream, ordinal)
	if err == nil {
		err = json.Unmarshal(b, &f)
	}
	if err != nil {
		return f, fmt.Errorf("facts of entry %s: %w", c.Lines[ordinal].ID, err)
	}
	return f, nil
}

// eachFacts reads the facts of all entries in id order.
func eachFacts(c *snapshot.Catalog, fn func(ordinal int, f *facts)) error {
	dec := json.NewDecoder(bufio.NewReaderSize(c.Streams[factsStream].Pieces(0, len(c.Lines)), 1<<16))
	for i := range c.Lines {
		var f facts
		if err := dec.Decode(&f); err != nil {
			return fmt.Errorf("facts of entry %s: %w", c.Lines[i].ID, err)
		}
		fn(i, &f)
	}
	return nil
}
