//go:build unix && !linux

package month

import "testing"

// disk is a file system that can be full; here none is made.
type disk struct{}

func newDisk(*testing.T) *disk         { return nil }
func (*disk) mount(*testing.T, string) {}
func (*disk) leave(*testing.T, int64)  {}
