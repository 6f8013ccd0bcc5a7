package output

import (
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/assay-register/assay/render/wire"
)

// TestRemoteIsBounded: a page that is cut would be taken for a short one.
func TestRemoteIsBounded(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, "0123456789") }))
	t.Cleanup(server.Close)
	page, err := Remote{Base: server.URL, Client: server.Client()}.Open(t.Context(), "/a", "text/plain")
	if err != nil {
		t.Fatal(err)
	}
	defer page.Close()
	page.(*bounded).left = 10
	if all, err := io.ReadAll(page); err != nil || string(all) != "0123456789" {
		t.Errorf("read %s, %v", all, err)
	}
	if _, err := io.ReadAll(&bounded{io.NopCloser(strings.NewReader("0123456789")), 9, false}); err == nil || !strings.Contains(err.Error(), "longer than 1024 MiB") {
		t.Errorf("a longer page: %v", err)
	}
}

// torn is a list of routes that cannot be read to its end.
type torn string

func (s torn) Open(context.Context, string, string) (io.ReadCloser, error) {
	return io.NopCloser(io.MultiReader(strings.NewReader(string(s)), iotest.ErrReader(errors.New("the line is down")))), nil
}

// TestEachRouteTellsWhyItEnds: a line that is cut is no fault of the list.
func TestEachRouteTellsWhyItEnds(t *testing.T) {
	for _, text := range []torn{"", `{"route":"/a"}` + "\n" + `{"rou`} {
		err := EachRoute(t.Context(), text, func(*wire.RouteLine) error { return nil })
		if err == nil || !strings.Contains(err.Error(), "the line is down") {
			t.Errorf("%q: %v", text, err)
		}
	}
}

// TestRemoteWaits asks a service that is over its quota, one that names no time, and one
// that never has any.
func TestRemoteWaits(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		refusals, asked int
		after           string
		whole           bool
	}{
		"asked again when it says so": {2, 3, "0", true},
		"it says no time":             {2, 1, "", false},
		"it never has time":           {1000, 10, "0", false},
	} {
		asked := 0
		s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			if asked++; asked <= c.refusals {
				w.Header().Set("Retry-After", c.after)
				w.WriteHeader(http.StatusTooManyRequests)
			}
		}))
		page, err := Remote{Base: s.URL, Client: s.Client()}.Open(t.Context(), "/a", "")
		if (err == nil) != c.whole || asked != c.asked {
			t.Errorf("%s: asked %d times, %v", name, asked, err)
		}
		if err == nil {
			page.Close()
		}
		s.Close()
	}
}
