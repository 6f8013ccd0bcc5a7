package lane

import (
	"bytes"
	"errors"
	"net"
	"net/http"
	"runtime/debug"
	"time"
)

// conn is a connection while the lane serves it.
type conn struct {
	net.Conn
	lane   *Lane
	remote string
	// in holds what was read of the next request.
	in [headMax]byte
	// now is when the request was read, timed when the deadlines were set.
	now, timed time.Time
	// handed tells that the connection is the server's.
	handed bool
}

// serve answers plain requests until the connection ends or is the server's.
func (c *conn) serve() {
	defer c.leave()
	// As with net/http, who has just connected must show a request soon.
	c.SetDeadline(time.Now().Add(c.lane.config.HeaderTimeout)) //nolint:errcheck // reading fails if this does
	for !c.lane.draining.Load() {
		n, err := c.Read(c.in[:])
		if err != nil {
			return
		}
		c.now = time.Now()
		if !c.next(c.in[:n]) {
			return
		}
	}
}

// next answers the request that was read, or leaves it to the server. It tells
// whether the lane goes on with the connection.
func (c *conn) next(read []byte) bool {
	q, ok := parse(read)
	if !ok || !c.lane.config.Takes(q.Path) {
		c.release(read)
		return false
	}
	c.patience()
	x := exchanges.Get().(*exchange)
	defer x.free()
	x.conn, x.bare = c, q.Head
	if a := c.lane.config.Recall(&q); a != nil {
		return x.repeat(a)
	}
	r := x.request(read, &q)
	if r == nil {
		c.release(read)
		return false
	}
	c.lane.config.Handler.ServeHTTP(x, r)
	return x.finish()
}

// leave ends the connection, unless it goes on with the server. A panic of the
// handler ends nothing else.
func (c *conn) leave() {
	if v := recover(); v != nil {
		if err, ok := v.(error); !ok || !errors.Is(err, http.ErrAbortHandler) {
			c.lane.config.Log.Error("panic", "panic", v, "stack", string(debug.Stack()))
		}
	}
	if !c.handed {
		c.Close()
	}
	c.lane.forget(c)
}

// release gives the connection to the server, with what was read of it.
func (c *conn) release(read []byte) {
	c.lane.forget(c)
	c.SetDeadline(time.Time{}) //nolint:errcheck // the server sets its own
	c.handed = c.lane.hand(accepted{conn: replay(c.Conn, bytes.Clone(read))})
}

// patience is how long the client may take to read this answer and to send the
// next request. Deadlines are set once a second only: they cost a good part of
// what an answer does.
func (c *conn) patience() {
	if c.now.Sub(c.timed) < time.Second {
		return
	}
	c.timed = c.now
	c.SetWriteDeadline(c.now.Add(c.lane.config.WriteTimeout)) //nolint:errcheck // writing fails if this does
	c.SetReadDeadline(c.now.Add(c.lane.config.IdleTimeout))   //nolint:errcheck // reading fails if this does
}
