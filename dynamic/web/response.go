package web

import (
	"io"
	"net/http"
	"net/url"
)

// response notes what was answered, for the log and the recovery.
type response struct {
	http.ResponseWriter
	status int
	bytes  int64
	// id is the request's id.
	id string
	// own are the values of its header fields that no two answers share; nothing
	// appends to them in place.
	own [2]string
	// url is what the client asked for; handlers may see a shorter path.
	url *url.URL
	// remote is the address of the connection, which errors may repeat.
	remote string
	// operation is what was asked, for the metrics and the log.
	operation string
	err       error
}

// WriteHeader implements http.ResponseWriter.
func (w *response) WriteHeader(status int) {
	if w.status == 0 {
		w.status = status
	}
	w.ResponseWriter.WriteHeader(status)
}

// Write implements http.ResponseWriter.
func (w *response) Write(b []byte) (int, error) {
	if w.status == 0 {
		w.status = http.StatusOK
	}
	n, err := w.ResponseWriter.Write(b)
	w.bytes += int64(n)
	return n, err
}

// ReadFrom keeps the way by which the kernel copies a file to a connection.
func (w *response) ReadFrom(src io.Reader) (int64, error) {
	if w.status == 0 {
		w.status = http.StatusOK
	}
	n, err := io.Copy(w.ResponseWriter, src)
	w.bytes += n
	return n, err
}

// Unwrap is for http.ResponseController.
func (w *response) Unwrap() http.ResponseWriter { return w.ResponseWriter }

// operationOther stands for what was refused before it was known what it is.
const operationOther = "other"

// Name tells the front which operation a request turned out to be.
func Name(w http.ResponseWriter, operation string) {
	if r, ok := w.(*response); ok {
		r.operation = operation
	}
}
