package web

import (
	"net/http"
	"strconv"

	"github.com/assay-register/assay/render/artifact"
	"github.com/assay-register/assay/render/pages"
)

// Reply answers with a value that no cache may keep: what was just written, or
// what only the caller may see.
func Reply(w http.ResponseWriter, r *http.Request, status int, v any) error {
	body, err := JSON(v)
	if err != nil {
		return err
	}
	ReplyBytes(w, r, status, body)
	return nil
}

// ReplyBytes is Reply for a document that was encoded before.
func ReplyBytes(w http.ResponseWriter, r *http.Request, status int, body []byte) {
	send(w, r, status, artifact.JSON, body)
}

// ReplyPage answers with a page that no cache may keep and no other site may
// frame.
func ReplyPage(w http.ResponseWriter, r *http.Request, status int, body []byte) {
	Page(w.Header())
	send(w, r, status, pages.HTML, body)
}

// send answers with a body that no cache may keep.
func send(w http.ResponseWriter, r *http.Request, status int, media string, body []byte) {
	h := w.Header()
	h["Cache-Control"] = []string{CacheNever}
	h["Content-Type"] = []string{media}
	h["Content-Length"] = []string{strconv.Itoa(len(body))}
	w.WriteHeader(status)
	if r.Method != http.MethodHead {
		w.Write(body) //nolint:errcheck // the client is gone, nobody can be told
	}
}
