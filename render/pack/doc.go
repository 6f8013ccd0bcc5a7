// Package pack is the form of a snapshot in one file: every document compressed
// by itself, found by its route or by its hash, on an io.ReaderAt and without a
// lock, since the file never changes.
//
// The file holds, with big-endian numbers: the magic word; the groups; the places
// of the groups; the index of routes; the index of hashes; the sections; the
// directory (JSON); the place of the directory and the magic word again. It is
// written from front to back, so any io.Writer will do.
//
// A group holds what changes together, mostly the documents of one entry: first
// its frames, then its table, which names the documents and where in the frames
// they lie. Nothing in a group says where in the file it is, so one that did not
// change is copied as it is. A frame is one Zstandard frame (RFC 8878) of at most
// FrameMax bytes, compressed with the dictionary of its Kind, or the bytes
// themselves where that is not larger. The documents of a group that are of one kind
// share frames of at most sharedMax bytes, because they repeat each other; equal
// documents of a group are one. A page in several languages is a group, with
// frames of at most languagesMax. A document that is put together from others, such as an export
// of the lines of all entries, is there as a list of places in them (Delta), as are pages in RDF/XML, which is made
// of the JSON-LD of their entries when it is read, and the list of all documents, which the tables of the groups say already; and the gzip copy of a document is made from it
// when it is read (Gzip). Groups with such places cannot be copied into another file.
//
// A table is the length of its compressed part; that part, whose names are abbreviated by
// the words that all routes of an entry share, so that most of it is in the dictionary;
// and the hashes, which nothing makes smaller.
//
// An index finds the places that a hash may have by two reads, however large it is
// (Index): neither reading nor writing needs all of it in memory. The table tells whether
// it is the document that was meant, so two hashes that begin alike cost a look only.
//
// The dictionaries belong to the version of the form: they are made once, from
// the sample register and the captures with which connectors are tested
// (cmd/internal/dictionaries), and never from the catalogue
// that is packed. So the same documents in the same groups are the same bytes on
// every machine: one goroutine makes a frame, and neither the clock nor the order
// of a map is asked. A frame made with a dictionary is no answer to an HTTP client, which does
// not have the dictionary: who serves documents decodes them.
//
// Sections hold what stands outside of that promise, such as a search index. They
// follow everything else, so that Directory.Content does not depend on them. That hash
// covers the tables and indexes but not the frames: the tables have the hash of every
// document, so who reads one can prove it (Reader.Verify) without reading the file.
//
// An existing container was the other choice: SQLite, bbolt or Pebble, with the same
// groups (cmd/internal/containers). Writing them takes three to five times as long, they
// are larger, their bytes depend on the version of a library, and they need a file's
// name. site/docs/design.md has the figures.
package pack

//go:generate go run ../../cmd/internal/dictionaries dictionaries
