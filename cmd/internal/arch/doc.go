// Package arch holds the test that keeps the import arrows of the house: a
// pure core, two wings that do not know each other, and a roof that wires
// them.
package arch
