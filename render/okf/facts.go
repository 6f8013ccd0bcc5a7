package okf

import (
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
	summary, _ := summaryOf(s)
	f := facts{Title: title(e.Name, e.Slug), Description: summary, Published: unix(e.PublishedAt),
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

// summaryOf is the one sentence that describes an entry, in the language of its title if there is
// one, else in English, else made from its facts; and the language, "" where nobody states it.
func summaryOf(s *snapshot.Scored) (text, lang string) {
	e := s.Entry()
	if text = sentence(e.Description); text != "" {
		return text, languageOf(e)
	}
	if text = sentence(e.DescriptionEn); text != "" {
		return text, "en"
	}
	text = kindOf(e.Type)
	if by, _ := publisher(s); by != "" {
		text += " of " + by
	}
	return text + ".", "en"
}

// languageOf is the language of the description: one that the source states for this text, the
// title's before others, else the title's.
func languageOf(e *catalog.Entry) string {
	if len(e.Descriptions) == 0 || e.Descriptions[e.NativeLang] == e.Description {
		return e.NativeLang
	}
	for _, tag := range e.Descriptions.Tags() {
		if e.Descriptions[tag] == e.Description {
			return stated(tag)
		}
	}
	return e.NativeLang
}

// stated is a tag of a language, "" for the one that says nothing.
func stated(tag string) string {
	if tag == catalog.Undetermined {
		return ""
	}
	return tag
}

// publisher is the publisher as the source names it, else the institution, in the language of
// the title where there is such a name; and the language of the name where it is known.
func publisher(s *snapshot.Scored) (name, lang string) {
	e, i := s.Entry(), s.Institution
	var names catalog.Texts
	switch {
	case e.PublisherName != "":
		if name = e.PublisherName; e.Publisher != nil {
			names = e.Publisher.Names
		}
	case i != nil:
		name, lang, names = cmp.Or(i.Name, i.NameEn), i.NativeLang, i.Names
		if i.Name == "" {
			lang = "en"
		}
	}
	if text, tag := names.In(e.NativeLang); e.NativeLang != "" && oneLine(text) != "" && !catalog.MachineTag(tag) {
		return oneLine(text), tag
	}
	for _, tag := range names.Tags() {
		if names[tag] == name {
			lang = tag
		}
	}
	return oneLine(name), stated(lang)
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

// eachFacts reads the facts of all entries in id order; each are a line.
func eachFacts(c *snapshot.Catalog, fn func(ordinal int, f *facts)) error {
	var f facts
	next := 0
	err := c.Streams[factsStream].Each(0, len(c.Lines), func(i int, b []byte) error {
		if i != next {
			return nil // that before has none
		}
		next++
		err := f.decode(c, i, string(b))
		if err == nil {
			fn(i, &f)
		}
		return err
	})
	if err == nil && next < len(c.Lines) {
		err = fmt.Errorf("facts of entry %s: %w", c.Lines[next].ID, io.ErrUnexpectedEOF)
	}
	return err
}
