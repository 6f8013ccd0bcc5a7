// Package reference is the knowledge that ships with the product: public
// institutions and the domains they own, licences and the rights they grant,
// government domain suffixes, countries. Each is a table of tab-separated
// values, embedded, and checked as a whole when it is first read, so that a bad
// row fails the tests and never reaches a reader.
//
// To add a fact, add a row; to add institutions of another part of the world,
// add a file institutions_<name>.tsv; other names of one are rows of
// institution_aliases.tsv.
package reference
