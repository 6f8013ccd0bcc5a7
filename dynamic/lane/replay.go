package lane

import (
	"io"
	"net"
)

// replay makes a connection that yields again what was read of it.
func replay(c net.Conn, read []byte) net.Conn {
	r := replayed{c, read}
	if tcp, ok := c.(tcpConn); ok {
		return &tcpReplayed{r, tcp}
	}
	return &r
}

// tcpConn has what net/http uses of TCP.
type tcpConn interface {
	net.Conn
	io.ReaderFrom
	CloseWrite() error
}

// replayed is a connection of which something was read.
type replayed struct {
	net.Conn
	read []byte
}

// Read implements net.Conn.
func (c *replayed) Read(p []byte) (int, error) {
	if len(c.read) == 0 {
		return c.Conn.Read(p)
	}
	n := copy(p, c.read)
	c.read = c.read[n:]
	return n, nil
}

// tcpReplayed is such a connection over TCP.
type tcpReplayed struct {
	replayed
	tcp tcpConn
}

// ReadFrom lets the kernel copy a file to the connection.
func (c *tcpReplayed) ReadFrom(src io.Reader) (int64, error) { return c.tcp.ReadFrom(src) }

// CloseWrite lets the client read the last answer before the connection is closed.
func (c *tcpReplayed) CloseWrite() error { return c.tcp.CloseWrite() }
