package tour

import (
	"io"
	"net/http"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/assay-register/assay/dynamic/store/sqlite"
	"github.com/assay-register/assay/render/catalog"
)

func open(t *testing.T) *Office {
	t.Helper()
	o, err := Open(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { o.Close() })
	return o
}

func ask(t *testing.T, method, url, body string) (int, string) {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), method, url, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	text, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	return resp.StatusCode, string(text)
}

// TestOffice: every document is there, and what the first page names.
func TestOffice(t *testing.T) {
	t.Parallel()
	o := open(t)
	status, first := ask(t, "GET", o.URL("/"), "")
	if status != http.StatusOK {
		t.Fatalf("status %d", status)
	}
	for route := range pages {
		route = strings.TrimSuffix(route, "{$}")
		if status, body := ask(t, "GET", o.URL(route), ""); status != http.StatusOK || body == "" {
			t.Errorf("%s: status %d, %q", route, status, body)
		}
	}
	if !strings.Contains(first, `href="`+Suggested+`"`) {
		t.Errorf("the first page does not lead to %s", Suggested)
	}
	for route, want := range map[string]int{"/archive.csv": http.StatusServiceUnavailable, "/data.json": http.StatusNotFound} {
		if status, _ := ask(t, "GET", o.URL(route), ""); status != want {
			t.Errorf("%s: status %d, not %d", route, status, want)
		}
	}
}

// TestReceiver: a challenge is echoed, the last messages are shown as text.
func TestReceiver(t *testing.T) {
	t.Parallel()
	hook := open(t).URL("/hook")
	if _, page := ask(t, "GET", hook, ""); !strings.Contains(page, "Nothing yet.") {
		t.Errorf("before the first message: %s", page)
	}
	if status, answer := ask(t, "POST", hook, `{"type":"endpoint.verify","data":{"challenge":"JBSW"}}`); status != http.StatusOK || answer != "JBSW" {
		t.Errorf("challenge: %d, %q", status, answer)
	}
	for body, want := range map[string]int{"no": http.StatusBadRequest, `"` + strings.Repeat("x", messageMax) + `"`: http.StatusRequestEntityTooLarge} {
		if status, _ := ask(t, "POST", hook, body); status != want {
			t.Errorf("%.10s: status %d, not %d", body, status, want)
		}
	}
	for range messagesMax {
		ask(t, "POST", hook, `{"type":"<b>entry.created"}`)
	}
	_, page := ask(t, "GET", hook, "")
	if strings.Contains(page, "<b>") || strings.Count(page, "<h2>") != messagesMax || strings.Contains(page, "endpoint.verify") {
		t.Errorf("after %d messages: %.500s", messagesMax+1, page)
	}
}

// TestFurnish: what it puts into the store can be read, and it needs no entry.
func TestFurnish(t *testing.T) {
	t.Parallel()
	st, err := sqlite.Open(t.Context(), filepath.Join(t.TempDir(), "a.db"))
	if err != nil {
		t.Fatal(err)
	}
	defer st.Close()
	if err := Furnish(t.Context(), st, open(t), time.Now()); err != nil {
		t.Fatal(err)
	}
	err = st.View(t.Context(), func(tx catalog.Tx) error {
		jobs, err := tx.Jobs().List(t.Context(), catalog.JobFilter{})
		if len(jobs) != 4 {
			t.Errorf("%d jobs are queued", len(jobs))
		}
		if err != nil {
			return err
		}
		all, err := tx.Submissions().List(t.Context(), catalog.SubmissionFilter{State: catalog.SubmissionReceived, Limit: 10})
		if len(all) != 3 {
			t.Errorf("%d submissions wait", len(all))
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}
