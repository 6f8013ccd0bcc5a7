package mcp

import (
	"bytes"
	"context"
	"io"
	"net/http"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"

	"github.com/assay-register/assay/dynamic/web"
)

// holdsBatch tells whether the body of a request is a JSON-RPC batch: an array.
// The request can be read again.
func holdsBatch(r *http.Request) (bool, error) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return false, err
	}
	r.Body = io.NopCloser(bytes.NewReader(body))
	return bytes.HasPrefix(bytes.TrimLeft(body, " \t\r\n"), []byte("[")), nil
}

// batchError is the answer to a batch. An error that belongs to no request has
// no id (MCP 2026-07-28, "Streamable HTTP": a POST holds a single message).
type batchError struct {
	Version string        `json:"jsonrpc"`
	Error   jsonrpc.Error `json:"error"`
}

// refuseBatch answers a batch, which only the revision 2025-03-26 has, in every
// revision: its calls would count as one and be answered all at once.
func refuseBatch(w http.ResponseWriter, r *http.Request) error {
	return web.Reply(w, r, http.StatusBadRequest, batchError{"2.0", jsonrpc.Error{Code: jsonrpc.CodeInvalidRequest,
		Message: "Invalid Request: JSON-RPC batches are not supported; send each message in a POST of its own."}})
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
