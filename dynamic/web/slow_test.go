package web

import (
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"testing"
	"time"
)

// zeros never end.
type zeros struct{}

func (zeros) Read(b []byte) (int, error) { return len(b), nil }

// TestASlowReaderIsCutOff: who takes a byte now and then of a large answer, as it is,
// in parts of it or compressed, keeps neither its handler nor its file.
func TestASlowReaderIsCutOff(t *testing.T) {
	t.Parallel()
	const whole, within = 1 << 40, 100 * time.Millisecond
	for name, send := range map[string]func(w http.ResponseWriter, c *http.ResponseController) error{
		"whole": func(w http.ResponseWriter, c *http.ResponseController) error {
			_, err := copyInTime(w, c, zeros{}, whole, within)
			return err
		},
		"as it is made": func(w http.ResponseWriter, c *http.ResponseController) error {
			_, err := io.Copy(&timely{w: w, control: c, within: within}, zeros{})
			return err
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			ended := make(chan error, 1)
			server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { ended <- send(w, http.NewResponseController(w)) }))
			defer server.Close()
			conn, err := net.Dial("tcp", server.Listener.Addr().String())
			if err != nil {
				t.Fatal(err)
			}
			defer conn.Close()
			io.WriteString(conn, "GET / HTTP/1.1\r\nHost: x\r\n\r\n")
			for one := make([]byte, 1); ; {
				select {
				case err := <-ended:
					if !errors.Is(err, os.ErrDeadlineExceeded) {
						t.Errorf("it ends with %v", err)
					}
					return
				case <-t.Context().Done():
					t.Fatal("it goes on and on")
				default:
					conn.Read(one)
					time.Sleep(time.Millisecond)
				}
			}
		})
	}
}

// patient counts how often an answer is given more time.
type patient struct {
	*httptest.ResponseRecorder
	given int
}

// SetWriteDeadline is for http.ResponseController.
func (p *patient) SetWriteDeadline(time.Time) error { p.given++; return nil }

// TestAFastReaderHasTime: a large answer gets time for each of its pieces, in whole, in
// part and compressed.
func TestAFastReaderHasTime(t *testing.T) {
	const pieces = 5
	content := func() io.Reader { return io.LimitReader(zeros{}, pieces*chunk) }
	p := &patient{ResponseRecorder: httptest.NewRecorder()}
	if err := CopyInTime(p, content(), pieces*chunk); err != nil || p.given != pieces || p.Body.Len() != pieces*chunk {
		t.Errorf("time was given %d times for %d bytes: %v", p.given, p.Body.Len(), err)
	}
	p = &patient{ResponseRecorder: httptest.NewRecorder()}
	part := &partWriter{ResponseWriter: p, control: http.NewResponseController(p)}
	if n, err := io.CopyN(part, zeros{}, pieces*chunk); err != nil || p.given != pieces || n != pieces*chunk {
		t.Errorf("time was given %d times for a part of %d bytes: %v", p.given, n, err)
	}
	p = &patient{ResponseRecorder: httptest.NewRecorder()}
	if n, err := io.Copy(&timely{w: p, control: http.NewResponseController(p), within: chunkTime}, content()); err != nil || p.given < pieces || p.given > pieces+1 {
		t.Errorf("time was given %d times for %d bytes that were made: %v", p.given, n, err)
	}
}
