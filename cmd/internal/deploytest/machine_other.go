//go:build unix && !linux

package deploytest

import "testing"

// FreshMachine is there on Linux only.
func FreshMachine(*testing.T, func(dir string)) (inside, ok bool) { return false, false }

// Path is where the programs of a machine lie.
const Path = "/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin"

// Public is an address of a fresh machine.
const Public = "45.0.0.1"
