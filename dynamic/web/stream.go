package web

import (
	"io"
	"net/http"
	"runtime"
	"time"
)

// unknownLength stands for the length of an answer that is compressed while it is sent.
const unknownLength = "-1"

// compressing bounds how many large answers are compressed while they are sent.
var compressing = make(chan struct{}, max(1, runtime.GOMAXPROCS(0)/2))

// Code sends a large content that is compressed while it is sent, in the coding that suits
// the client. It reports whether it did: a client that takes none gets the content as it is, and so does
// everybody while others are served so.
func (d *Head) Code(w http.ResponseWriter, r *http.Request, sum string, content io.Reader) (done bool, err error) {
	c := Negotiate(r.Header.Get("Accept-Encoding"), PreferFast)
	if c == Identity {
		return false, nil
	}
	select {
	case compressing <- struct{}{}:
		defer func() { <-compressing }()
	default:
		return false, nil
	}
	if follows, err := d.Begin(w, r, sum, c, -1); !follows {
		return true, err
	}
	z := compressors[c].Get().(resetter)
	defer compressors[c].Put(z)
	z.Reset(&timely{w: w, control: http.NewResponseController(w), within: chunkTime})
	if _, err := io.Copy(z, content); err != nil {
		return true, err
	}
	return true, z.Close()
}

// timely gives the connection time for each piece of an answer.
type timely struct {
	w       io.Writer
	control *http.ResponseController
	within  time.Duration
	left    int
}

// Write implements io.Writer.
func (t *timely) Write(b []byte) (int, error) {
	if t.left -= len(b); t.left <= 0 {
		t.left = chunk
		t.control.SetWriteDeadline(time.Now().Add(t.within)) //nolint:errcheck // not every writer has deadlines
	}
	return t.w.Write(b)
}
