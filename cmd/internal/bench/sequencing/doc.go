// Package sequencing measures what the log of verdicts costs those who do not ask for it: a
// build, which appends to it when it ends, and a moderator who approves meanwhile.
package sequencing
