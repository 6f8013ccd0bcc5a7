// Package check verifies a published site, wherever it is: its hashes, its links, the
// rules of its formats, and the promises of the site that was there before.
package check
