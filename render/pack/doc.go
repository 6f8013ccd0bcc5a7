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
// themselves where that is not larger. The documents of a group that are shorter
// than tinyMax share frames, because a frame for each costs more than they hold;
// equal documents of a group are one.
//
// An index is a sorted list of records: the first 8 bytes of a SHA-256, the number
// of a group, the number of a document in its table. The table tells whether it is
// the document that was meant, so two hashes that begin alike cost a look only.
// Hashes are spread evenly, so a search begins where a key should be.
//
// The dictionaries belong to the version of the form: they are made once, from
// the sample register (cmd/internal/dictionaries), and never from the catalogue
// that is packed. So the same documents in the same groups are the same bytes on
// every machine: one goroutine makes a frame, and neither the clock nor the order
// of a map is asked. A frame made with a dictionary is no answer to an HTTP client, which does
// not have the dictionary: who serves documents decodes them.
//
// Sections hold what stands outside of that promise, such as a search index. They
// follow everything else, so that Directory.Content, the hash of what lies before
// them, does not depend on them.
//
// An existing database was the other choice. BenchmarkContainer compares this form
// with SQLite, both with the same frames: writing into SQLite takes over three times
// as long, and its bytes depend on the version of its library. site/docs/design.md
// has the figures.
package pack
