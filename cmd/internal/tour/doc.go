// Package tour is what a newcomer finds in `assay demo` beside the sample
// register: a portal of an office that does not exist, which can be suggested
// because it answers on the loopback address; a receiver of webhooks that shows
// what arrived; and a desk on which something waits.
package tour
