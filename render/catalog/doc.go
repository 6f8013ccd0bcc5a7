// Package catalog is the domain of the register: what an entry, an
// institution, a licence, a check, an event and a job are, which words are
// allowed in their fields, how they get their identity, and what a store must
// promise. It imports the standard library only, so that every other part can
// stand on it. Addresses are read by net/url; only those in which nothing is in
// doubt are not, because a build looks at each of them many times.
//
// An empty string, a zero time and a nil pointer mean "not known"; on the wire
// they become null.
package catalog
