package limit

import (
	"net"

	"golang.org/x/sys/unix"
)

// boundUnsent bounds what the kernel keeps of answers that a client does not read
// (tcp(7), TCP_NOTSENT_LOWAT); where it cannot, the kernel's own bound stays. The
// option of a listener is not that of its connections while it takes Multipath TCP.
func boundUnsent(conn *net.TCPConn) {
	raw, err := conn.SyscallConn()
	if err != nil {
		return
	}
	_ = raw.Control(func(fd uintptr) { _ = unix.SetsockoptInt(int(fd), unix.IPPROTO_TCP, unix.TCP_NOTSENT_LOWAT, unsent) })
}
