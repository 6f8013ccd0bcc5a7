package limit

import (
	"errors"
	"net"
	"os"
	"testing"
	"time"
)

// TestUnreadAnswersAreBounded: of an answer that a client does not read, the kernel
// takes no more than what is on its way and a little besides.
func TestUnreadAnswersAreBounded(t *testing.T) {
	t.Parallel()
	inner, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	listener := NewConnections(inner, 0, nil)
	t.Cleanup(func() { listener.Close() })
	client, err := net.Dial("tcp", inner.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer client.Close()
	if err := client.(*net.TCPConn).SetReadBuffer(2 << 10); err != nil {
		t.Fatal(err)
	}
	server, err := listener.Accept()
	if err != nil {
		t.Fatal(err)
	}
	defer server.Close()
	taken, chunk := 0, make([]byte, 4<<10)
	for err == nil && taken < 8<<20 {
		var n int
		server.SetWriteDeadline(time.Now().Add(100 * time.Millisecond))
		n, err = server.Write(chunk)
		taken += n
	}
	if !errors.Is(err, os.ErrDeadlineExceeded) || taken > 1<<20 {
		t.Errorf("%d bytes were taken, %v", taken, err)
	}
}
