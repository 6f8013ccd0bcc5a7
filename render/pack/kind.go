package pack

import (
	"embed"
	"fmt"
	"strings"
	"sync"

	"github.com/klauspost/compress/zstd"
)

// Kind is a class of documents that resemble each other or repeat what the others of
// their entry say; each has a dictionary.
type Kind uint8

// Kinds. Their numbers are part of the form.
const (
	// Stored bytes are not compressed.
	Stored Kind = iota
	// Record documents are JSON of an entry or of a list, and what tells how it is known and how good it
	// is: provenance, scores, checks, previews, badges.
	Record
	// Page documents say what the record says in another form, as HTML, Turtle, JSON-LD, Markdown and
	// feeds, or set the entry beside others.
	Page
	// Three were kinds of the form before.
	_
	_
	_
	// Table is that of a group.
	Table
	// Plain documents resemble no others and have no dictionary.
	Plain
	// Delta frames tell what they hold by references to other documents of the file.
	Delta
	// Gzip frames are what another frame of the group becomes by DEFLATE.
	Gzip
	kinds
)

var kindNames = [kinds]string{Stored: "stored", Record: "record", Page: "page", Table: "table", Plain: "plain", Delta: "delta", Gzip: "gzip"}

// String is the name of a kind, which is also that of its dictionary's file.
func (k Kind) String() string {
	if k < kinds && kindNames[k] != "" {
		return kindNames[k]
	}
	return fmt.Sprintf("kind %d", uint8(k))
}

// besides are the last segments of the routes of JSON documents that set entries beside each other.
var besides = map[string]bool{"related": true, "relations": true, "alternatives": true}

// KindOf is the kind of a document by its route and media type.
func KindOf(route, mediaType string) Kind {
	base, _, _ := strings.Cut(mediaType, ";")
	switch base {
	case "application/json":
		if besides[route[strings.LastIndexByte(route, '/')+1:]] {
			return Page
		}
		return Record
	case "image/svg+xml":
		return Record
	case "text/html", "text/turtle", "application/ld+json", "text/markdown",
		"application/atom+xml", "application/rss+xml", "application/feed+json":
		return Page
	}
	return Plain
}

//go:embed dictionaries/*.dict dictionaries/before/*.dict
var dictionaries embed.FS

// HasDictionary tells whether frames of this kind are made with a dictionary.
func (k Kind) HasDictionary() bool { return k == Record || k == Page || k == Table }

// dictionary is the content of a kind's dictionary. Its identifier in a frame is
// the kind's number. Kinds without one have nil.
func dictionary(k Kind) []byte {
	if !k.HasDictionary() {
		return nil
	}
	return embedded("dictionaries/" + k.String() + ".dict")
}

func embedded(name string) []byte {
	b, err := dictionaries.ReadFile(name)
	if err != nil {
		panic("pack: " + err.Error())
	}
	return b
}

// Dictionary is the content of the dictionary of a kind that has one, for those who compress the
// like elsewhere.
func Dictionary(k Kind) []byte { return dictionary(k) }

// level is that of Zstandard, chosen by measurement (site/docs/design.md). The one above the default
// copies 4 MiB of its dictionary's tables for each frame, which pays where a frame holds all that a
// group has to say, and nothing where there is none; tables are too short for more than the fastest.
func (k Kind) level() zstd.EncoderLevel {
	if k == Table {
		return zstd.SpeedFastest
	}
	return zstd.SpeedBetterCompression
}

// decoder knows all dictionaries and refuses frames above FrameMax; tables
// refuses tables above tableMax.
var (
	decoder = sync.OnceValue(func() *zstd.Decoder { return newDecoder(FrameMax) })
	tables  = sync.OnceValue(func() *zstd.Decoder { return newDecoder(tableMax) })
)

func newDecoder(bound uint64) *zstd.Decoder {
	known := map[Kind][]byte{}
	for k := Stored; k < kinds; k++ {
		if k.HasDictionary() {
			known[k] = dictionary(k)
		}
	}
	return decoderOf(bound, known)
}

func decoderOf(bound uint64, dictionaries map[Kind][]byte) *zstd.Decoder {
	options := []zstd.DOption{zstd.WithDecoderConcurrency(0), zstd.WithDecoderMaxMemory(bound), zstd.WithDecoderMaxWindow(tableMax)}
	for k, content := range dictionaries {
		options = append(options, zstd.WithDecoderDictRaw(uint32(k), content))
	}
	d, err := zstd.NewReader(nil, options...)
	if err != nil {
		panic("pack: " + err.Error())
	}
	return d
}

// decode returns the size bytes that a frame holds.
func decode(k Kind, packed []byte, size int) ([]byte, error) {
	if k == Stored {
		if len(packed) != size {
			return nil, fmt.Errorf("a stored frame has %d bytes, not %d", len(packed), size)
		}
		return packed, nil
	}
	if k == Delta || k == Gzip {
		return nil, fmt.Errorf("a frame of the kind %s, where one has the bytes themselves", k)
	}
	raw, err := decoder().DecodeAll(packed, make([]byte, 0, size))
	if err != nil {
		return nil, err
	}
	if len(raw) != size {
		return nil, fmt.Errorf("a frame holds %d bytes, not %d", len(raw), size)
	}
	return raw, nil
}
