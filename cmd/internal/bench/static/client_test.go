package static

import (
	"bufio"
	"bytes"
	"io"
	"math/rand/v2"
	"net"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// load asks over kept connections for as long as it lasts and returns the
// answers a second. The client is as small as can be, because it shares the
// processor with the server.
func load(b *testing.B, address string, routes []string, lasts time.Duration) float64 {
	b.Helper()
	var answers atomic.Int64
	var wg sync.WaitGroup
	begin := time.Now()
	end := begin.Add(lasts)
	for c := range conns {
		wg.Go(func() {
			n, err := ask(address, routes, rand.New(rand.NewPCG(uint64(c), 7)), end)
			if err != nil {
				b.Error(err)
			}
			answers.Add(n)
		})
	}
	wg.Wait()
	return float64(answers.Load()) / time.Since(begin).Seconds()
}

var (
	statusOK = []byte("HTTP/1.1 200 ")
	length   = []byte("Content-Length: ")
)

// ask asks one after the other on one connection and checks each answer's
// status and length.
func ask(address string, routes []string, r *rand.Rand, end time.Time) (n int64, err error) {
	conn, err := net.Dial("tcp", address)
	if err != nil {
		return 0, err
	}
	defer conn.Close()
	in := bufio.NewReaderSize(conn, 16<<10)
	request := make([]byte, 0, 256)
	for ; n%64 != 0 || time.Now().Before(end); n++ {
		request = append(append(append(request[:0], "GET "...), routes[r.IntN(len(routes))]...), " HTTP/1.1\r\nHost: x\r\n\r\n"...)
		if _, err := conn.Write(request); err != nil {
			return n, err
		}
		if err := read(in); err != nil {
			return n, err
		}
	}
	return n, nil
}

func read(in *bufio.Reader) error {
	size := -1
	for first := true; ; first = false {
		line, err := in.ReadSlice('\n')
		switch {
		case err != nil:
			return err
		case first && !bytes.HasPrefix(line, statusOK):
			return &net.ParseError{Type: "answer", Text: string(line)}
		case bytes.HasPrefix(line, length):
			if size, err = strconv.Atoi(string(bytes.TrimSpace(line[len(length):]))); err != nil {
				return err
			}
		case len(line) <= 2:
			if size != fileSize {
				return &net.ParseError{Type: "length", Text: strconv.Itoa(size)}
			}
			_, err := in.Discard(size)
			if err == io.EOF {
				err = io.ErrUnexpectedEOF
			}
			return err
		}
	}
}
