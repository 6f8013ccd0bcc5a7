package main

import (
	"net/http"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
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

func TestServeRefusesWhatIsNoProxy(t *testing.T) {
	code, _, stderr := assay(t, "serve", "--addr", "127.0.0.1:0", "--trusted-proxies", "10.0.0.1,somewhere")
	if code != 1 || !strings.Contains(stderr, `"somewhere": use an address or a network`) {
		t.Errorf("exit code %d: %s", code, stderr)
	}
}

// TestLimitsOfACommand sets a limit by flag and believes the configured proxy.
func TestLimitsOfACommand(t *testing.T) {
	db, site := "sqlite:"+filepath.Join(t.TempDir(), "a.db"), filepath.Join(t.TempDir(), "site")
	must(t, "build", "--db", db, "--out", site)
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
