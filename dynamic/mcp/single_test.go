package mcp

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/assay-register/assay/dynamic/inside"
	"github.com/assay-register/assay/dynamic/web"
)

// post sends a body in a revision of the protocol, "" for none named.
func post(t testing.TB, ctx context.Context, address, revision, body string) (int, string) {
	t.Helper()
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, address, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Accept", "application/json, text/event-stream")
	if revision != "" {
		r.Header.Set("MCP-Protocol-Version", revision)
	}
	r.Header.Set("Mcp-Method", "tools/call")
	r.Header.Set("Mcp-Name", "get_entry")
	res, err := http.DefaultClient.Do(r)
	if err != nil {
		return 0, err.Error()
	}
	defer res.Body.Close()
	b, err := io.ReadAll(res.Body)
	if err != nil {
		t.Fatal(err)
	}
	return res.StatusCode, string(b)
}

const call = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"get_entry","arguments":{"id":"a"}}}`

// TestBatchesAreRefused in every revision, also in the one that had them, and
// whatever blanks stand before them; a single message is answered.
func TestBatchesAreRefused(t *testing.T) {
	t.Parallel()
	address := endpoint(t).URL
	many := "[" + strings.Repeat(call+",", 500) + call + "]"
	for _, revision := range []string{"", "2025-03-26", "2025-06-18", "2025-11-25", "2026-07-28"} {
		for _, batch := range []string{many, " \r\n\t[" + call + "]", "[]"} {
			status, body := post(t, t.Context(), address, revision, batch)
			var answer struct {
				JSONRPC string          `json:"jsonrpc"`
				ID      json.RawMessage `json:"id"`
				Error   struct {
					Code    int
					Message string
				}
			}
			if err := json.Unmarshal([]byte(body), &answer); err != nil {
				t.Fatalf("%s: %d %s", revision, status, body)
			}
			if status != http.StatusBadRequest || answer.JSONRPC != "2.0" || string(answer.ID) != "null" || answer.Error.Code != -32600 || !strings.Contains(answer.Error.Message, "POST of its own") {
				t.Errorf("%s: %d %s", revision, status, body)
			}
		}
	}
	if status, body := post(t, t.Context(), address, "2025-03-26", call); status != 200 || !strings.Contains(body, "/base/api/v1/getEntry/a") {
		t.Errorf("a single call: %d %s", status, body)
	}
}

// TestWhatIsNoMessage is refused as an error of JSON-RPC, with the id of the request where it
// has a good one.
func TestWhatIsNoMessage(t *testing.T) {
	t.Parallel()
	address := endpoint(t).URL
	for body, want := range map[string]string{
		"{": `-32700 null`, "": `-32700 null`, "nope": `-32700 null`, "5": `-32600 null`, "null": `-32600 null`,
		call + call: `-32600 null`, call + "x": `-32600 null`, call + "]": `-32600 null`,
		strings.Replace(call, `"id":1`, `"id":1.5`, 1): `-32600 null`, strings.Replace(call, `"id":1`, `"id":null`, 1): `-32600 null`,
		strings.Replace(call, `"id":1`, `"id":9007199254740993`, 1):  `-32600 null`,
		`{"jsonrpc":"2.0","id":"a","method":"nobody/knows"}`:         `-32601 "a"`,
		`{"jsonrpc":"2.0","id":7,"method":"tools/call"}`:             `-32602 7`,
		`{"jsonrpc":"1.0","id":7,"method":"tools/call","params":{}}`: `-32600 7`,
	} {
		for _, revision := range []string{"", "2025-03-26", "2025-11-25"} {
			status, text := post(t, t.Context(), address, revision, body)
			var answer struct {
				ID    json.RawMessage
				Error struct{ Code int }
			}
			err := json.Unmarshal([]byte(text), &answer)
			if got := fmt.Sprintf("%d %s", answer.Error.Code, answer.ID); err != nil || status != http.StatusBadRequest || got != want {
				t.Errorf("%q, %.80s: %d %s, want %s", revision, body, status, text, want)
			}
		}
	}
}

// served is an endpoint whose operations are answered by a function.
func served(t *testing.T, answer http.HandlerFunc) string {
	t.Helper()
	h, err := Handler(Config{Site: site, Description: described(t, ""), API: inside.New(answer), Log: slog.New(slog.DiscardHandler), BodyMax: 1 << 16})
	if err != nil {
		t.Fatal(err)
	}
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if err := h(w, r.WithContext(web.WithClient(r.Context(), client))); err != nil {
			http.Error(w, err.Error(), http.StatusForbidden)
		}
	}))
	t.Cleanup(s.Close)
	return s.URL
}

// TestACallEndsWithItsClient: when the client goes away, the operation that
// answers it is told, in every revision.
func TestACallEndsWithItsClient(t *testing.T) {
	t.Parallel()
	for _, revision := range []string{"2025-03-26", "2025-11-25", "2026-07-28"} {
		begun, ended := make(chan struct{}), make(chan struct{})
		address := served(t, func(_ http.ResponseWriter, r *http.Request) {
			close(begun)
			<-r.Context().Done()
			close(ended)
		})
		ctx, leave := context.WithCancel(t.Context())
		body := call
		if revision == "2026-07-28" {
			body = strings.Replace(call, `"params":{`, `"params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientInfo":{"name":"t","version":"1"},"io.modelcontextprotocol/clientCapabilities":{}},`, 1)
		}
		gone := make(chan struct{})
		go func() { defer close(gone); post(t, ctx, address, revision, body) }()
		select {
		case <-begun:
		case <-gone:
			leave()
			status, answer := post(t, t.Context(), address, revision, body)
			t.Fatalf("%s: the call was not made: %d %s", revision, status, answer)
		}
		leave()
		select {
		case <-ended:
		case <-time.After(10 * time.Second):
			t.Errorf("%s: the operation goes on for a client that left", revision)
		}
		<-gone
	}
}

// TestLargeAnswersAreAdvice: what is larger than an agent may be told comes as
// advice to ask for less, and little of it.
func TestLargeAnswersAreAdvice(t *testing.T) {
	t.Parallel()
	piece := bytes.Repeat([]byte("x"), 1<<16)
	address := served(t, func(w http.ResponseWriter, _ *http.Request) {
		for range answerMax/len(piece) + 1 {
			if _, err := w.Write(piece); err != nil {
				return
			}
		}
	})
	status, body := post(t, t.Context(), address, "2025-11-25", call)
	if status != 200 || !strings.Contains(body, `"isError":true`) || !strings.Contains(body, "smaller limit") || len(body) > 1000 {
		t.Errorf("%d, %d bytes: %.300s", status, len(body), body)
	}
}
