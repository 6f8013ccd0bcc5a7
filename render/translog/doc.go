// Package translog is the form of the log of verdicts: an append-only Merkle tree
// (RFC 6962) whose leaves say each change of a verdict and each snapshot, in the layout
// of C2SP tlog-tiles with checkpoints of C2SP tlog-checkpoint, so that any client of that
// form can prove that a leaf is in the log and that the log was only appended to.
//
// Below the log's folder, /log on a site:
//
//	checkpoint               the signed note with the size and root of the tree
//	tile/L/N[.p/W]           256 hashes of level L, or the first W of them
//	tile/entries/N[.p/W]     256 leaves, each behind its length in two bytes, big-endian
//
// and, only where the log is written, checkpoints.ndjson (every checkpoint that was
// signed) and topics/ (for each leaf, 24 bytes: what it is about and its number, sorted).
//
// The trees and notes are those of golang.org/x/mod/sumdb. Its own tiles have another
// path and no bundles of leaves; those are made here, for no maintained library reads
// and writes C2SP tiles without a writer, a server and a cloud around it.
package translog
