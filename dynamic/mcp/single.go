package mcp

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"strconv"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"

	"github.com/assay-register/assay/dynamic/web"
)

// refusal is the answer to a body that is no single message. An error that belongs to no
// request has the id null (JSON-RPC 2.0, section 5).
type refusal struct {
	Version string          `json:"jsonrpc"`
	ID      json.RawMessage `json:"id"`
	Error   jsonrpc.Error   `json:"error"`
}

func refused(code int64, message string) *refusal {
	return &refusal{"2.0", json.RawMessage("null"), jsonrpc.Error{Code: code, Message: message}}
}

// message is what a body must be for the SDK to read it as its sender meant it.
type message struct {
	id     json.RawMessage
	method string
}

// readMessage reads the single message of a POST (MCP 2026-07-28, "Streamable HTTP"), or
// tells why there is none. The request can be read again. A batch, which only the revision
// 2025-03-26 has, is refused in every revision: its calls would count as one and be answered
// all at once.
func readMessage(r *http.Request) (*message, *refusal, error) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return nil, nil, err
	}
	r.Body = io.NopCloser(bytes.NewReader(body))
	in := json.NewDecoder(bytes.NewReader(body))
	var first json.RawMessage
	if bytes.HasPrefix(bytes.TrimLeft(body, " \t\r\n"), []byte("[")) {
		return nil, refused(jsonrpc.CodeInvalidRequest, "Invalid Request: JSON-RPC batches are not supported; send each message in a POST of its own."), nil
	}
	if err := in.Decode(&first); err != nil {
		return nil, refused(jsonrpc.CodeParseError, "Parse error: the body is no JSON."), nil
	}
	if _, err := in.Token(); !errors.Is(err, io.EOF) {
		return nil, refused(jsonrpc.CodeInvalidRequest, "Invalid Request: something follows the message; send each message in a POST of its own."), nil
	}
	var members map[string]json.RawMessage
	if err := json.Unmarshal(first, &members); err != nil || members == nil {
		return nil, refused(jsonrpc.CodeInvalidRequest, "Invalid Request: a message is a JSON object."), nil
	}
	m := &message{id: members["id"]}
	if json.Unmarshal(members["method"], &m.method) == nil && m.id != nil && !validID(m.id) {
		return nil, refused(jsonrpc.CodeInvalidRequest, "Invalid Request: the id of a request is a string, or an integer of at most 2^53 either way."), nil
	}
	return m, nil, nil
}

// exact bounds the integers that a JSON number holds exactly in every reader (RFC 8259,
// section 6); the SDK would answer with another id beyond.
const exact = 1 << 53

// validID tells whether an id is one of MCP ("Requests": a string or an integer, not null).
func validID(id json.RawMessage) bool {
	if id[0] == '"' {
		return true
	}
	n, err := strconv.ParseInt(string(id), 10, 64)
	return err == nil && -exact <= n && n <= exact
}

// errorAnswer makes errors of JSON-RPC of the texts by which the SDK refuses a request
// whose method it does not know, or that lacks its parameters.
type errorAnswer struct {
	http.ResponseWriter
	r       *http.Request
	id      json.RawMessage
	refused bool
}

// WriteHeader implements http.ResponseWriter.
func (w *errorAnswer) WriteHeader(status int) {
	w.refused = w.id != nil && status == http.StatusBadRequest && strings.HasPrefix(w.Header().Get("Content-Type"), "text/plain")
	if !w.refused {
		w.ResponseWriter.WriteHeader(status)
	}
}

// Write implements http.ResponseWriter.
func (w *errorAnswer) Write(b []byte) (int, error) {
	if !w.refused {
		return w.ResponseWriter.Write(b)
	}
	answer := refused(jsonrpc.CodeInvalidRequest, strings.TrimSpace(string(b)))
	answer.ID = w.id
	switch {
	case strings.Contains(answer.Error.Message, "JSON RPC not handled"):
		answer.Error.Code, answer.Error.Message = jsonrpc.CodeMethodNotFound, "Method not found."
	case strings.Contains(answer.Error.Message, `missing required "params"`):
		answer.Error.Code, answer.Error.Message = jsonrpc.CodeInvalidParams, "Invalid params: the method needs params."
	}
	return len(b), web.Reply(w.ResponseWriter, w.r, http.StatusBadRequest, answer)
}

// Unwrap is for http.ResponseController.
func (w *errorAnswer) Unwrap() http.ResponseWriter { return w.ResponseWriter }

// Flush implements http.Flusher, for which the SDK asks.
func (w *errorAnswer) Flush() {
	_ = http.NewResponseController(w.ResponseWriter).Flush() // where it cannot, it is sent at the end
}

type patienceKey struct{}

// withPatience lets calls find the context of the HTTP request that they came
// with: in revisions before 2026-07-28 the SDK runs them in one that does not
// end with it.
func withPatience(ctx context.Context) context.Context {
	return context.WithValue(ctx, patienceKey{}, ctx)
}

// patient makes a context of a call that ends when nobody waits for the answer
// any more.
func patient(ctx context.Context) (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancel(ctx)
	waiting, ok := ctx.Value(patienceKey{}).(context.Context)
	if !ok {
		return ctx, cancel
	}
	stop := context.AfterFunc(waiting, cancel)
	return ctx, func() { stop(); cancel() }
}
