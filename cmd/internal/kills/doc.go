// Package kills ends the program with SIGKILL at random moments of its work and
// counts what a check of the site finds afterwards, for each kind of work: a
// build, a service that rebuilds, a publish into a directory and into an object
// store, an import, a service under requests. No run completes between two
// kills, as in a crash loop.
package kills
