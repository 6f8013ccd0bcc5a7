package web

import (
	"context"
	"log/slog"
	"net"
	"regexp"
	"strings"
)

// withoutClient takes the address of a connection out of the text of an error.
func withoutClient(text, remote string) string {
	host, _, err := net.SplitHostPort(remote)
	if err != nil {
		return text
	}
	return strings.ReplaceAll(strings.ReplaceAll(text, remote, "client"), host, "client")
}

// addresses are those of connections, as net/http writes them into its log.
var addresses = regexp.MustCompile(`(\d{1,3}(\.\d{1,3}){3}|\[[0-9a-fA-F:.%a-z]+\]):\d+`)

// ServerLog is the log of an http.Server without the addresses of clients.
func ServerLog(log *slog.Logger) *slog.Logger { return slog.New(&anonymous{log.Handler()}) }

// anonymous takes addresses out of messages.
type anonymous struct{ slog.Handler }

// Handle implements slog.Handler.
func (h *anonymous) Handle(ctx context.Context, r slog.Record) error {
	clean := slog.NewRecord(r.Time, r.Level, addresses.ReplaceAllString(r.Message, "client"), r.PC)
	r.Attrs(func(a slog.Attr) bool { clean.AddAttrs(a); return true })
	return h.Handler.Handle(ctx, clean)
}
