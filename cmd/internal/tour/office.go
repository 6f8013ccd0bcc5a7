package tour

import (
	"context"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"net/http"
	"time"
)

//go:embed office
var documents embed.FS

// pages are the documents of the office by route.
var pages = map[string]struct{ file, media string }{
	"/{$}":                 {"index.html", "text/html; charset=utf-8"},
	"/privacy":             {"privacy.html", "text/html; charset=utf-8"},
	"/bathing":             {"bathing.html", "text/html; charset=utf-8"},
	"/bathing.csv":         {"bathing.csv", "text/csv; charset=utf-8"},
	"/wells.csv":           {"wells.csv", "text/csv; charset=utf-8"},
	"/gauges/levels.csv":   {"levels.csv", "text/csv; charset=utf-8"},
	"/gauges/openapi.json": {"openapi.json", "application/json"},
}

// Office is the portal of the office that does not exist, with the receiver of
// webhooks beside it.
type Office struct {
	listener net.Listener
	server   *http.Server
}

// Open opens the office on a free port of the loopback address.
func Open(ctx context.Context) (*Office, error) {
	l, err := new(net.ListenConfig).Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return nil, fmt.Errorf("stand-in portal: %w", err)
	}
	mux := http.NewServeMux()
	for route, page := range pages {
		body, err := fs.ReadFile(documents, "office/"+page.file)
		if err != nil {
			return nil, errors.Join(err, l.Close())
		}
		mux.HandleFunc("GET "+route, func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", page.media)
			w.Write(body) //nolint:errcheck // the client has gone
		})
	}
	mux.HandleFunc("GET /archive.csv", func(w http.ResponseWriter, _ *http.Request) {
		http.Error(w, "The archive is being moved.", http.StatusServiceUnavailable)
	})
	received := new(receiver)
	mux.HandleFunc("POST /hook", received.take)
	mux.HandleFunc("GET /hook", received.show)
	o := &Office{l, &http.Server{Handler: mux, ReadHeaderTimeout: 5 * time.Second, ReadTimeout: 10 * time.Second, WriteTimeout: 10 * time.Second, MaxHeaderBytes: 16 << 10}}
	go o.server.Serve(l) //nolint:errcheck // Close ends it
	return o, nil
}

// Address is where the office answers, host:port.
func (o *Office) Address() string { return o.listener.Addr().String() }

// URL is the address of one of its routes.
func (o *Office) URL(route string) string { return "http://" + o.Address() + route }

// Close ends the office.
func (o *Office) Close() error { return o.server.Close() }
