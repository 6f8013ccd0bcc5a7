package main

import (
	"net/http"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/assay-register/assay/dynamic/store/sqlite"
	"github.com/assay-register/assay/render/catalog"
)

func TestTokensOfTheCommandLine(t *testing.T) {
	db := "sqlite:" + filepath.Join(t.TempDir(), "a.db")
	t.Setenv("ASSAY_NAME", "The register, not the holder")
	secret := must(t, "admin", "token", "create", "--role", "admin", "--name", "Ada", "--db", db)
	if !regexp.MustCompile(`^assay_[A-Z2-7]{52}\n$`).MatchString(secret) {
		t.Fatalf("stdout %q is not a token alone", secret)
	}
	must(t, "admin", "token", "create", "--role", "moderator", "--db", db)
	list := must(t, "admin", "token", "list", "--db", db)
	lines := strings.Split(strings.TrimSpace(list), "\n")
	if len(lines) != 3 || !strings.Contains(list, "Ada") || strings.Contains(list, "register") || strings.Contains(list, strings.TrimSpace(secret)) {
		t.Fatalf("list %s", list)
	}
	id, _, _ := strings.Cut(lines[1], " ")
	must(t, "admin", "token", "revoke", id, "--db", db)
	if list := must(t, "admin", "token", "list", "--db", db); strings.Count(list, " - ") != 1 {
		t.Errorf("after a revocation: %s", list)
	}
	for _, args := range [][]string{
		{"create", "--role", "owner"}, {"create"}, {"revoke", id}, {"revoke", "nobody"}, {"revoke"}, {"list", "x"},
	} {
		if code, out, stderr := assay(t, append([]string{"admin", "token", "--db", db}, args...)...); code != 1 || out != "" || !strings.Contains(stderr, "assay: ") {
			t.Errorf("%v: exit code %d, %q, %q", args, code, out, stderr)
		}
	}
}

// TestRedactOnTheCommandLine takes out a rejected submission, with its audit row,
// and says why it leaves others.
func TestRedactOnTheCommandLine(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "a.db")
	st, err := sqlite.Open(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { st.Close() })
	rejected, waiting := catalog.NewID("submission", "a"), catalog.NewID("submission", "b")
	at := time.Date(2026, 11, 1, 9, 0, 0, 0, time.UTC)
	err = st.Update(t.Context(), func(tx catalog.Tx) error {
		return tx.Submissions().Put(t.Context(),
			catalog.Submission{ID: rejected, URL: "https://spam.example/", Name: "Spam", State: catalog.SubmissionRejected, CreatedAt: at, UpdatedAt: at},
			catalog.Submission{ID: waiting, URL: "https://data.example/", ContactEmail: "ada@example.org", State: catalog.SubmissionReceived, CreatedAt: at, UpdatedAt: at})
	})
	if err != nil {
		t.Fatal(err)
	}
	run := func(args ...string) (int, string) {
		code, _, stderr := assay(t, append([]string{"admin", "redact", "--db", "sqlite:" + path}, args...)...)
		return code, stderr
	}
	if code, said := run(rejected, "--reason", "spam"); code != 0 || !strings.Contains(said, "redacted submission "+rejected) {
		t.Errorf("exit code %d: %s", code, said)
	}
	for want, args := range map[string][]string{"reason": {rejected}, "not found": {catalog.NewID("submission", "c"), "--reason", "x"}} {
		if code, said := run(args...); code != 1 || !strings.Contains(said, want) {
			t.Errorf("%v: exit code %d: %s", args, code, said)
		}
	}
	// What waits keeps what is to be decided on.
	if code, said := run(waiting, "--reason", "x"); code != 0 {
		t.Errorf("exit code %d: %s", code, said)
	}
	err = st.View(t.Context(), func(tx catalog.Tx) error {
		if s, err := tx.Submissions().Get(t.Context(), waiting); err != nil || s.URL != "https://data.example/" || s.ContactEmail != "" || s.State != catalog.SubmissionReceived {
			t.Errorf("what waits: %+v, %v", s, err)
		}
		s, err := tx.Submissions().Get(t.Context(), rejected)
		if err == nil && (s.URL != "" || s.Name != "" || s.State != catalog.SubmissionRejected || s.RedactedAt.IsZero()) {
			t.Errorf("left %+v", s)
		}
		rows, err := tx.Audits().Before(t.Context(), 0, rejected, 9)
		if len(rows) != 1 || rows[0].By != "cli" || rows[0].Reason != "spam" {
			t.Errorf("audit %+v", rows)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

func TestServeRefusesWhatIsNoProxy(t *testing.T) {
	t.Parallel()
	code, _, stderr := assay(t, "serve", "--addr", "127.0.0.1:0", "--trusted-proxies", "10.0.0.1,somewhere")
	if code != 1 || !strings.Contains(stderr, `"somewhere": use an address or a network`) {
		t.Errorf("exit code %d: %s", code, stderr)
	}
}

// TestLimitsOfACommand sets a limit by flag and believes the configured proxy.
func TestLimitsOfACommand(t *testing.T) {
	t.Parallel()
	db, site := "sqlite:"+filepath.Join(t.TempDir(), "a.db"), filepath.Join(t.TempDir(), "site")
	must(t, "build", "--db", db, "--site", site)
	base := start(t, "serve", "--probe=false", "--addr", "127.0.0.1:0", "--db", db, "--site", site, "--limit-reads", "2", "--trusted-proxies", "127.0.0.1")
	ask := func(client string) *http.Response {
		r, err := http.NewRequest(http.MethodGet, base+"/api/v1/entries?limit=1", nil)
		if err != nil {
			t.Fatal(err)
		}
		r.Header.Set("X-Forwarded-For", client)
		resp, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		resp.Body.Close()
		return resp
	}
	for i, want := range []int{200, 200, 429} {
		resp := ask("192.0.2.7")
		if resp.StatusCode != want || resp.Header.Get("RateLimit-Policy") != `"reads";q=2;w=60` || (resp.Header.Get("Retry-After") != "") != (want == 429) {
			t.Errorf("request %d: %d %v", i+1, resp.StatusCode, resp.Header)
		}
	}
	if resp := ask("192.0.2.8"); resp.StatusCode != 200 {
		t.Errorf("another client: %d", resp.StatusCode)
	}
	if resp := ask("192.0.2.8, 192.0.2.7"); resp.StatusCode != 429 {
		t.Errorf("an invented address before the real one: %d", resp.StatusCode)
	}
}
