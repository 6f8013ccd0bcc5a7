// Package rendertest holds a small register for the tests of the formats: a
// dozen entries of all types, states and oddities, frozen at one instant, and
// the comparer of golden files (-update writes them again).
package rendertest
