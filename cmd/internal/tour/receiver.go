package tour

import (
	"encoding/json"
	"html/template"
	"io"
	"net/http"
	"slices"
	"sync"
)

// Bounds of what the receiver keeps: messages, and bytes of each.
const (
	messagesMax = 50
	messageMax  = 64 << 10
)

// message is one message as it arrived.
type message struct {
	ID, Timestamp, Type, Body string
}

// receiver takes the messages of webhooks (Standard Webhooks 1.0.0) and shows the
// last ones. It answers a challenge with its text, as endpoints do.
type receiver struct {
	mu   sync.Mutex
	list []message
}

func (r *receiver) take(w http.ResponseWriter, req *http.Request) {
	body, err := io.ReadAll(http.MaxBytesReader(w, req.Body, messageMax))
	if err != nil {
		http.Error(w, err.Error(), http.StatusRequestEntityTooLarge)
		return
	}
	var m struct {
		Type string `json:"type"`
		Data struct {
			Challenge string `json:"challenge"`
		} `json:"data"`
	}
	if err := json.Unmarshal(body, &m); err != nil {
		http.Error(w, "the body is not JSON: "+err.Error(), http.StatusBadRequest)
		return
	}
	r.mu.Lock()
	r.list = append(r.list, message{req.Header.Get("webhook-id"), req.Header.Get("webhook-timestamp"), m.Type, string(body)})
	r.list = r.list[max(0, len(r.list)-messagesMax):]
	r.mu.Unlock()
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	io.WriteString(w, m.Data.Challenge) //nolint:errcheck // the client has gone
}

var shown = template.Must(template.New("hook").Parse(`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>What the webhooks brought</title>
<style>body{font:16px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem}pre{white-space:pre-wrap;overflow-wrap:anywhere;background:#f3f3f3;color:#111;padding:.75rem}</style>
</head>
<body>
<h1>What the webhooks brought</h1>
<p>{{with len .}}{{.}} messages, the newest first.{{else}}Nothing yet.{{end}} Load this page again to see more.</p>
{{range .}}<h2>{{.Type}}</h2>
<p>webhook-id {{.ID}}, webhook-timestamp {{.Timestamp}}</p>
<pre>{{.Body}}</pre>
{{end}}</body>
</html>
`))

func (r *receiver) show(w http.ResponseWriter, _ *http.Request) {
	r.mu.Lock()
	list := slices.Clone(r.list)
	r.mu.Unlock()
	slices.Reverse(list)
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.Header().Set("Content-Security-Policy", "default-src 'none'; style-src 'unsafe-inline'")
	shown.Execute(w, list) //nolint:errcheck // the client has gone
}
