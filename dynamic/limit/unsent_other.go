//go:build !linux

package limit

import "net"

// boundUnsent leaves the bound to the kernel.
func boundUnsent(*net.TCPConn) {}
