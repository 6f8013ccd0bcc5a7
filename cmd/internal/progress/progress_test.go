package progress

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// TestShare: a share is drawn on a terminal, one that nobody knows is not, and
// nothing is drawn elsewhere.
func TestShare(t *testing.T) {
	t.Parallel()
	var out strings.Builder
	for _, c := range []struct {
		share float64
		want  string
	}{
		{-1, "harvest: 7 records"},
		{0, "harvest: 7 records [                              ]   0 %"},
		{0.5, "harvest: 7 records [===============               ]  50 %"},
		{1, "harvest: 7 records [==============================] 100 %"},
	} {
		out.Reset()
		b := &Bar{out: &out, tty: true}
		b.Share("harvest: 7 records", c.share)
		if got := strings.TrimPrefix(out.String(), "\r\x1b[K"); got != c.want {
			t.Errorf("%v: %q", c.share, got)
		}
		if b.drawn = time.Now(); c.share < 1 {
			out.Reset()
			if b.Share("again", 0.2); out.Len() != 0 {
				t.Errorf("drawn twice at once: %q", out.String())
			}
		}
	}
	f, err := os.Create(filepath.Join(t.TempDir(), "log"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	New(f).Share("harvest", 0.5)
	if info, err := f.Stat(); err != nil || info.Size() != 0 {
		t.Errorf("%d bytes in a file, %v", info.Size(), err)
	}
}
