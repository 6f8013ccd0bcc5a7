package build

import (
	"context"
	"log/slog"
	"strings"
	"testing"
	"time"
)

// TestRefreshesLeaveALine: what is written between two builds stands in the log.
func TestRefreshesLeaveALine(t *testing.T) {
	t.Parallel()
	var log strings.Builder
	k := &Rebuilder{Log: slog.New(slog.NewTextHandler(&log, nil)), fresh: map[string]bool{}, unlinked: map[string]bool{},
		Refresh: func(_ context.Context, _ time.Time, ids []string) (Refreshed, error) {
			return Refreshed{Visible: ids[:min(len(ids), 1)], Gone: ids[min(len(ids), 1):]}, nil
		}}
	for _, ids := range [][]string{nil, {"a", "b"}} {
		if err := k.refresh(t.Context(), time.Now(), ids); err != nil {
			t.Fatal(err)
		}
	}
	if said := log.String(); strings.Count(said, "\n") != 1 || !strings.Contains(said, "msg=refreshed entries=2 visible=1 gone=1 ms=") {
		t.Errorf("logged %q", said)
	}
}
