package lane

import (
	"bufio"
	"bytes"
	"io"
	"net"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"time"
)

// exchange is one request and its answer; for the handler it is the
// http.ResponseWriter. The head of the answer goes out together with the first
// piece of its content.
type exchange struct {
	state
	header http.Header
	// head is what is to be sent of the head; the others spare memory.
	head   bytes.Buffer
	pieces net.Buffers
	both   [2][]byte
	raw    bytes.Reader
	lines  *bufio.Reader
}

// state is how far an exchange is.
type state struct {
	conn   *conn
	status int
	// bare tells that the request was HEAD.
	bare bool
	// begun tells that the head is made; left is what is to follow of the declared
	// length, -1 when none was declared.
	begun bool
	left  int64
	// last tells that the connection ends with this answer.
	last bool
	err  error
}

// exchanges are those that are not in use.
var exchanges = sync.Pool{New: func() any {
	return &exchange{header: make(http.Header, 16), lines: bufio.NewReaderSize(nil, headMax)}
}}

func (x *exchange) free() {
	x.state, x.both = state{}, [2][]byte{}
	clear(x.header)
	x.head.Reset()
	x.raw.Reset(nil)
	exchanges.Put(x)
}

// request reads the request as net/http does. It is nil if the parser was wrong.
func (x *exchange) request(read []byte, q *Request) *http.Request {
	x.raw.Reset(read)
	x.lines.Reset(&x.raw)
	r, err := http.ReadRequest(x.lines)
	if err != nil || r.URL.Path != q.Path || r.ContentLength != 0 || x.lines.Buffered() > 0 {
		return nil
	}
	r.RemoteAddr = x.conn.remote
	return r
}

// Header implements http.ResponseWriter.
func (x *exchange) Header() http.Header { return x.header }

// WriteHeader implements http.ResponseWriter.
func (x *exchange) WriteHeader(status int) {
	if x.status == 0 && status >= http.StatusOK {
		x.status = status
	}
}

// Write implements http.ResponseWriter. What goes beyond the declared length is
// refused.
func (x *exchange) Write(p []byte) (int, error) {
	x.begin()
	switch {
	case x.err != nil:
		return 0, x.err
	case !x.full():
		return len(p), nil
	case x.left >= 0 && int64(len(p)) > x.left:
		x.err = http.ErrContentLength
		return 0, x.err
	}
	if x.left >= 0 {
		x.left -= int64(len(p))
	}
	return len(p), x.send(p)
}

// ReadFrom lets the kernel copy a part of a file to the connection.
func (x *exchange) ReadFrom(src io.Reader) (int64, error) {
	x.begin()
	kernel, ok := x.conn.Conn.(io.ReaderFrom)
	part, limited := src.(*io.LimitedReader)
	if !ok || !limited || part.N > x.left || !x.full() || x.send(nil) != nil {
		return io.Copy(struct{ io.Writer }{x}, src)
	}
	n, err := kernel.ReadFrom(src)
	x.left -= n
	x.err = err
	return n, err
}

// SetWriteDeadline is for http.ResponseController.
func (x *exchange) SetWriteDeadline(t time.Time) error {
	x.conn.timed = time.Time{}
	return x.conn.SetWriteDeadline(t)
}

// full tells whether the answer has content (RFC 9110, section 6.4.1).
func (x *exchange) full() bool {
	return !x.bare && x.status != http.StatusNoContent && x.status != http.StatusNotModified
}

// begin makes the head, unless it is made. An answer that declares no length ends
// with the connection.
func (x *exchange) begin() {
	if x.begun {
		return
	}
	if x.status == 0 {
		x.status = http.StatusOK
	}
	x.begun, x.left = true, -1
	if v := x.header["Content-Length"]; len(v) > 0 {
		if x.left, x.err = strconv.ParseInt(v[0], 10, 64); x.err != nil {
			return
		}
	}
	x.open(x.left < 0 && x.full())
	x.fields()
	x.head.WriteString("\r\n")
}

// fields writes the header fields; sorting them, as http.Header does, would cost
// more than all the rest of the head.
func (x *exchange) fields() {
	before := x.head.Len()
	for name, values := range x.header {
		for _, v := range values {
			if strings.IndexByte(v, '\r') >= 0 || strings.IndexByte(v, '\n') >= 0 {
				x.head.Truncate(before)
				x.header.Write(&x.head) //nolint:errcheck // it makes a line break harmless; a buffer takes everything
				return
			}
			x.head.WriteString(name)
			x.head.WriteString(": ")
			x.head.WriteString(v)
			x.head.WriteString("\r\n")
		}
	}
}

// open begins the head; last tells that the connection has to end with the answer.
func (x *exchange) open(last bool) {
	x.head.WriteString("HTTP/1.1 ")
	x.head.WriteString(strconv.Itoa(x.status))
	x.head.WriteByte(' ')
	x.head.WriteString(http.StatusText(x.status))
	x.head.WriteString("\r\nDate: ")
	x.head.WriteString(x.conn.lane.date(x.conn.now))
	if x.last = last || x.conn.lane.draining.Load(); x.last {
		x.head.WriteString("\r\nConnection: close")
	}
	x.head.WriteString("\r\n")
}

// send sends the head, unless it is out, and a piece of the content.
func (x *exchange) send(p []byte) error {
	if x.err != nil || x.head.Len() == 0 && len(p) == 0 {
		return x.err
	}
	x.both = [2][]byte{x.head.Bytes(), p}
	x.pieces = x.both[:]
	_, x.err = x.pieces.WriteTo(x.conn.Conn)
	x.head.Reset()
	return x.err
}

// finish sends what is left of an answer and tells whether the connection goes
// on.
func (x *exchange) finish() bool {
	if !x.begun && x.full() && x.header["Content-Length"] == nil {
		x.header["Content-Length"] = []string{"0"}
	}
	x.begin()
	return x.send(nil) == nil && !x.last && (x.left <= 0 || !x.full())
}

// repeat sends an answer that was given before and tells whether the connection
// goes on.
func (x *exchange) repeat(a *Answer) bool {
	x.status = http.StatusOK
	x.open(false)
	x.head.Write(a.Fields)
	x.head.WriteString("X-Request-Id: ")
	x.head.WriteString(a.ID)
	x.head.WriteString("\r\n\r\n")
	var body []byte
	if x.full() {
		body = a.Body
	}
	err := x.send(body)
	a.Done(int64(len(body)))
	return err == nil && !x.last
}
