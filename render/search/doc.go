// Package search says what is indexed and how text is folded. The writer of an
// index and the reader of a query both call Fold, so they cannot disagree on
// what equal words are.
package search
