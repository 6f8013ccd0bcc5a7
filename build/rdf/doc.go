// Package rdf reads foreign RDF: N-Triples, Turtle, TriG, RDF/XML and JSON-LD, as
// RDF 1.1 defines them. The first three are read as a stream, in memory that
// the limits bound; JSON-LD is read node by node of a graph where the document
// allows it.
//
// The readers are our own, because the decoders of knakk/rdf panic in a
// goroutine of theirs, where nobody can recover, and lose text and types
// without a word. JSON-LD is expanded by json-gold, which gets no loader that
// could reach the network or the disk. The W3C test suites judge the readers.
//
// A reader is strict, and stops at the first fault, or lenient: then it repairs
// or skips what is wrong and reports every such place.
package rdf
