// Package artifact describes one generated file as a value, so that a format
// says what it made and the writer decides how it reaches a disk or a bucket.
package artifact

import (
	"crypto/sha256"
	"io"
	"strings"
)

// Cache is how long a copy of a file stays valid.
type Cache int

// Cache classes.
const (
	// Mutable files change with any build: revalidate each time.
	Mutable Cache = iota
	// Pinned files never change under their name, which holds a snapshot.
	Pinned
	// Hashed files never change under their name, which holds their hash.
	Hashed
)

// Class groups the files of one kind in snapshot.json.
type Class string

// Artefact classes.
const (
	ClassEntry     Class = "entry"
	ClassEntryPart Class = "entry-part"
	ClassList      Class = "list"
	ClassCatalog   Class = "catalog"
	ClassContract  Class = "contract"
)

// File is one generated document.
type File struct {
	// Route is the path under the base URL, beginning with a slash.
	Route string
	// Alias is a second route with the same bytes, or "".
	Alias string
	// Type is the media type with its parameters.
	Type  string
	Class Class
	Cache Cache
	// Body is the whole document, or nil for one that Stream writes.
	Body []byte
	// Pooled tells that Body, or what Make makes, lies in a Buffer of the pool and nobody else has it,
	// so that whoever writes the file may Free it.
	Pooled bool
	// Sums are the hashes of Body where they are known already.
	Sums *Sums
	// Page names the page that the file is in one of several languages, "" for none. Those of a
	// page are emitted one after the other.
	Page string
	// Make makes Body of a page that is not made yet, nil where Body is there. Basis is a hash of
	// all that the page shows in every language, or that Stream writes, 0 for an unknown one: who has
	// the page or document of an equal one need not make it.
	Make  func() ([]byte, error)
	Basis uint64
	// Quotes are what Body has of fragments, in order.
	Quotes []Quote
	// Stream writes a document that is too large to hold. It may be called
	// more than once and writes the same bytes each time.
	Stream func(io.Writer) error
	// Gzip is the route of the gzip copy of what Stream writes, "" for none: for those who
	// keep the compressed form. It names no file and no time.
	Gzip string
}

// Made is the file with its body made.
func (f File) Made() (File, error) {
	if f.Make == nil {
		return f, nil
	}
	body, err := f.Make()
	f.Body, f.Make = body, nil
	return f, err
}

// Sums are the SHA-256 of a document and the one that its manifest names, zero
// for a document without.
type Sums struct{ Body, Manifest [sha256.Size]byte }

// Fragment is what one entry adds to a document that holds every entry.
type Fragment struct {
	// Stream names the document among those of its format.
	Stream string
	Body   []byte
	// Pooled is that of File.
	Pooled bool
	// Own tells that nothing but documents of the entry itself reads it.
	Own bool
	// Quoted tells that documents quote it, and no document of the entry has its bytes.
	Quoted bool
}

// Media types of the register.
const (
	JSON   = "application/json; charset=utf-8"
	NDJSON = "application/x-ndjson; charset=utf-8"
	// JSONFeed is the type of JSON Feed 1.1.
	JSONFeed = "application/feed+json; charset=utf-8"
	// CSV is RFC 4180; every table of the register begins with a header.
	CSV     = "text/csv; charset=utf-8; header=present"
	Text    = "text/plain; charset=utf-8"
	Gzip    = "application/gzip"
	SQLite  = "application/vnd.sqlite3"
	Parquet = "application/vnd.apache.parquet"
	// Calendar is iCalendar (RFC 5545).
	Calendar = "text/calendar; charset=utf-8"
	// Linkset is a set of links (RFC 9264); APICatalog is one of the
	// publisher's own APIs (RFC 9727, section 4.2).
	Linkset    = "application/linkset+json"
	APICatalog = Linkset + `; profile="https://www.rfc-editor.org/info/rfc9727"`
)

// extensions gives the file name extension of an extensionless route by its
// media type.
var extensions = map[string]string{
	"application/json": "json", "text/html": "html", "text/turtle": "ttl", "application/rdf+xml": "rdf", "application/trig": "trig",
	"application/ld+json": "jsonld", "text/markdown": "md", "image/svg+xml": "svg",
	"application/rss+xml": "rss", "application/atom+xml": "atom", "application/feed+json": "json",
	"text/csv": "csv", "text/plain": "txt", "text/calendar": "ics", "application/linkset+json": "json",
	"application/x-ndjson": "ndjson", "application/mcp-server-card+json": "json", "application/ai-catalog+json": "json",
}

// Path is where a tree on disk keeps a route, relative to its root: a last
// segment with an extension is a file of that name, any other route becomes
// `<route>/index.<ext>` (decisions §2).
func Path(route, mediaType string) string {
	trimmed := strings.Trim(route, "/")
	if HasExtension(trimmed) {
		return trimmed
	}
	base, _, _ := strings.Cut(mediaType, ";")
	ext := extensions[base]
	if ext == "" {
		ext = "bin"
	}
	if trimmed == "" {
		return "index." + ext
	}
	return trimmed + "/index." + ext
}

// HasExtension tells whether the last segment of a route ends in one of the
// register's file name extensions.
func HasExtension(route string) bool {
	last := route[strings.LastIndexByte(route, '/')+1:]
	i := strings.LastIndexByte(last, '.')
	if i <= 0 {
		return false
	}
	_, ok := typesByExtension[last[i+1:]]
	return ok
}

// typesByExtension gives the media type of a file by its extension.
var typesByExtension = map[string]string{
	"json": JSON, "ndjson": NDJSON, "html": "text/html; charset=utf-8",
	"txt": Text, "xml": "application/xml; charset=utf-8",
	"md": "text/markdown; charset=utf-8", "ttl": "text/turtle; charset=utf-8",
	"jsonld": "application/ld+json", "svg": "image/svg+xml; charset=utf-8", "csv": CSV,
	"gz":     Gzip,
	"rdf":    "application/rdf+xml",
	"trig":   "application/trig",
	"ics":    Calendar,
	"sqlite": SQLite, "parquet": Parquet, "atom": "application/atom+xml; charset=utf-8", "rss": "application/rss+xml; charset=utf-8", "css": "text/css; charset=utf-8", "png": "image/png", "js": "text/javascript; charset=utf-8",
}

// typesByPath gives the media type of the files whose extension says too
// little.
var typesByPath = map[string]string{
	".well-known/api-catalog/index.json": APICatalog,
	"api/v1/catalog/linkset/index.json":  Linkset,
	"mcp/server-card/index.json":         "application/mcp-server-card+json",
	".well-known/mcp.json":               "application/mcp-server-card+json",
	".well-known/ai-catalog.json":        "application/ai-catalog+json",
}

// TypeOf is the media type of a file on disk by its path below the root of its
// directory, which is in most cases told by the extension.
func TypeOf(path string) string {
	if t, ok := typesByPath[path]; ok {
		return t
	}
	if strings.HasPrefix(path, "api/v1/feeds/") && strings.HasSuffix(path, "json/index.json") && !strings.Contains(path, "/export/") {
		return JSONFeed
	}
	if t, ok := typesByExtension[path[strings.LastIndexByte(path, '.')+1:]]; ok {
		return t
	}
	return "application/octet-stream"
}

// GzipLevel is the level of every gzip form of a document.
const GzipLevel = 2
