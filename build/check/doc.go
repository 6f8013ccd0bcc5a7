// Package check verifies a published site, wherever it is: its hashes, its links, the
// rules of its formats, its scores, its log of verdicts, and the promises of the site that
// was there before. It is one package because one reading of each document serves all of them.
package check
