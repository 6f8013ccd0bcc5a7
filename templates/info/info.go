// Package info holds the pages about the register itself: how it judges, how well it
// works, its documentation, and what stands where nothing is.
package info
