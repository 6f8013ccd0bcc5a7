package limit

import (
	"fmt"
	"io"
	"net"
	"net/netip"
	"os"
	"sync"
	"time"

	"github.com/assay-register/assay/dynamic/web"
)

// Connections is a listener that bounds how many connections are open at the
// same time: those of one client, and those of all. One too many is told so
// (429, 503) and closed, and so are all while descriptors are short.
type Connections struct {
	net.Listener
	// each and all are the bounds; 0 for any number.
	each, all int
	// exempt are addresses whose connections are those of many clients.
	exempt func(netip.Addr) bool

	mu    sync.Mutex
	open  map[string]int
	total int
	// spare is a descriptor that is given up to accept a connection, and to
	// refuse it, when there is none left.
	spare *os.File
	// parting bounds the refused connections that are still being closed.
	parting chan struct{}
}

// connectionsMax is how many connections all clients together may have open:
// each costs some 20 KiB. reserved are the descriptors that a service has open
// when nobody asks it anything.
const (
	connectionsMax = 4096
	reserved       = 32
)

// NewConnections bounds the connections of a listener: each is how many one
// client may have, 0 for any number; all of them together leave half of the
// descriptors of the process to files and stores. Connections of exempt
// addresses, proxies, count among all only.
func NewConnections(inner net.Listener, each int, exempt func(netip.Addr) bool) *Connections {
	all := min(connectionsMax, max(descriptors()-reserved, reserved)/2)
	c := &Connections{Listener: inner, each: each, all: all, exempt: exempt, open: map[string]int{}, parting: make(chan struct{}, min(64, all/4))}
	c.keepSpare()
	return c
}

// unsent is how many bytes of answers the kernel keeps for one client besides those
// that are on their way. Without a bound it is some megabytes for each that reads
// slowly, and of a thousand of them the kernel runs out of memory for connections and
// cuts those of others.
const unsent = 64 << 10

// keepSpare opens the spare descriptor and tells whether there is one.
func (c *Connections) keepSpare() bool {
	if c.spare == nil {
		c.spare, _ = os.Open(os.DevNull)
	}
	return c.spare != nil
}

// Accept implements net.Listener.
func (c *Connections) Accept() (net.Conn, error) {
	for {
		c.keepSpare()
		conn, err := c.Listener.Accept()
		if err != nil && isExhausted(err) && c.spare != nil {
			c.spare.Close()
			c.spare = nil
			conn, err = c.Listener.Accept()
		}
		if err != nil {
			return nil, err
		}
		if !c.keepSpare() {
			// The next one waits for this descriptor.
			part(conn, overAll, hurry)
			continue
		}
		client := c.clientOf(conn)
		if status := c.enter(client); status != 0 {
			c.refuse(conn, status)
			continue
		}
		return c.count(conn, client), nil
	}
}

// clientOf names the client of a connection, "" for one that is not counted.
func (c *Connections) clientOf(conn net.Conn) string {
	at, err := netip.ParseAddrPort(conn.RemoteAddr().String())
	if err != nil || c.exempt != nil && c.exempt(at.Addr()) {
		return ""
	}
	return web.Holder(at.Addr())
}

// What a connection too many is told.
const (
	overEach = 429
	overAll  = 503
)

// enter counts a connection, or tells why it may not come in.
func (c *Connections) enter(client string) (refusal int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	switch {
	case client != "" && c.each > 0 && c.open[client] >= c.each:
		return overEach
	case c.all > 0 && c.total >= c.all:
		return overAll
	}
	c.total++
	if client != "" {
		c.open[client]++
	}
	return 0
}

func (c *Connections) leave(client string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.total--
	if client == "" {
		return
	}
	if c.open[client]--; c.open[client] == 0 {
		delete(c.open, client)
	}
}

// refusals are what is told, by status.
var refusals = map[int]string{
	overEach: refusal("429 Too Many Requests", "This client has as many connections open as it may; close some."),
	overAll:  refusal("503 Service Unavailable", "The service has as many connections open as it can; try again shortly."),
}

func refusal(status, detail string) string {
	body := fmt.Sprintf(`{"type":"about:blank","title":%q,"status":%s,"detail":%q}`, status[4:], status[:3], detail)
	return fmt.Sprintf("HTTP/1.1 %s\r\nContent-Type: application/problem+json\r\nContent-Length: %d\r\nCache-Control: no-store\r\nRetry-After: 5\r\nConnection: close\r\n\r\n%s", status, len(body), body)
}

// How long a refused client may take to read why, and how long when its
// descriptor is needed.
const (
	partingTime = time.Second
	hurry       = 20 * time.Millisecond
)

// refuse tells a client why it cannot come in and closes the connection: with
// patience, unless many are refused.
func (c *Connections) refuse(conn net.Conn, status int) {
	select {
	case c.parting <- struct{}{}:
		go func() {
			defer func() { <-c.parting }()
			part(conn, status, partingTime)
		}()
	default:
		part(conn, status, hurry)
	}
}

// part tells a client why it cannot come in, and closes the connection when the
// client has or the patience ends. A client that gets an answer before it asked
// takes the connection for broken, so that it may ask for half of the patience;
// and what it has sent is read, for closing before that would take the answer back.
func part(conn net.Conn, status int, patience time.Duration) {
	defer conn.Close()
	end := time.Now().Add(patience)
	conn.SetDeadline(end.Add(-patience / 2)) //nolint:errcheck // it is closed soon
	conn.Read(make([]byte, 512))             //nolint:errcheck // who asks nothing is told all the same
	conn.SetDeadline(end)                    //nolint:errcheck // it is closed soon
	if _, err := io.WriteString(conn, refusals[status]); err != nil {
		return
	}
	if half, ok := conn.(interface{ CloseWrite() error }); ok && half.CloseWrite() == nil {
		io.Copy(io.Discard, io.LimitReader(conn, 64<<10)) //nolint:errcheck // nobody reads it
	}
}

// count makes a connection that leaves when it is closed.
func (c *Connections) count(conn net.Conn, client string) net.Conn {
	leave := sync.OnceFunc(func() { c.leave(client) })
	if tcp, ok := conn.(*net.TCPConn); ok {
		boundUnsent(tcp)
		return &tcpCounted{tcp, leave}
	}
	return &counted{conn, leave}
}

// counted is a connection that is counted until it is closed.
type counted struct {
	net.Conn
	leave func()
}

// Close implements net.Conn.
func (c *counted) Close() error {
	defer c.leave()
	return c.Conn.Close()
}

// tcpCounted keeps all that a TCP connection can besides.
type tcpCounted struct {
	*net.TCPConn
	leave func()
}

// Close implements net.Conn.
func (c *tcpCounted) Close() error {
	defer c.leave()
	return c.TCPConn.Close()
}
