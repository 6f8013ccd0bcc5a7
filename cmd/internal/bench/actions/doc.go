// Package actions holds the first thing that a page offers to what a person who read the record wanted to do first.
//
// labels.tsv names 100 entries of captured catalogues. They are the first ones of each catalogue by
// SHA-256 of "first action " and the id of the record, at most four of one publisher, so nobody chose them. A label
// is the address of what one wants first, or of any of several that serve as well: the file that most can open, the
// newest one of a series, the service that gives data before the one that draws pictures, the only page there is.
//
// belgium.tsv names 100 entries of the register of Belgium, the first ones by SHA-256 of "belgium " and the id of the
// record, whoever publishes them. Where a report is there in two languages, either is right there; a page begins
// with that in its own language, if there is one.
package actions
