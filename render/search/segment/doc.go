// Package segment is the form of a search index: an inverted file with
// impacts and positions, the other spellings of its terms, the hashes of the
// titles, and completions. A Builder collects documents, a Writer lays terms
// out in their order, and a Segment reads the bytes in place, so that a file
// can be mapped into memory.
//
// All numbers are little-endian. The parts lie in this order:
//
//	lists        of each term: postings (document delta, impact), positions
//	terms        of the dictionary in byte order, and where their lists lie
//	keys         other spellings (stems, parts of compounds) and their terms
//	titles       the hashes of each document's titles, and where they end
//	completions  texts, and the places in them where one may begin
//	footer       lengths and checksums
package segment

// File is the name of a snapshot's index in its directory. The number is that
// of the form, so that a release with another form writes another file.
const File = "search-2.idx"
