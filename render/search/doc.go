// Package search says what of an entry is indexed, how text is folded and how a
// query is read. The writer of an index and the reader of a query both call it,
// so they cannot disagree on what equal words are.
package search
