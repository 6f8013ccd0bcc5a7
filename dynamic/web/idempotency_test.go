package web

import (
	"net/http/httptest"
	"testing"
)

// TestAnIdempotencyKeyIsItsCallersOwn: the same key of another client or token is another key.
func TestAnIdempotencyKeyIsItsCallersOwn(t *testing.T) {
	t.Parallel()
	seen := map[string]string{}
	for _, c := range []struct{ name, client, token, operation string }{
		{"a client", "192.0.2.1", "", "x"}, {"another client", "192.0.2.2", "", "x"},
		{"a token", "192.0.2.1", "t1", "x"}, {"another token", "192.0.2.1", "t2", "x"}, {"another operation", "192.0.2.1", "", "y"},
	} {
		r := httptest.NewRequest("POST", "/x", nil)
		r.Header.Set("Idempotency-Key", "k")
		key, err := Idempotency(r.WithContext(WithCaller(WithClient(r.Context(), c.client), Caller{Token: c.token})), c.operation)
		if err != nil || len(key) != 64 {
			t.Fatalf("%s: %q %v", c.name, key, err)
		}
		if before, ok := seen[key]; ok {
			t.Errorf("%s has the key of %s", c.name, before)
		}
		seen[key] = c.name
	}
	r := httptest.NewRequest("POST", "/x", nil)
	r.Header.Set("Idempotency-Key", "k")
	moved, err := Idempotency(r.WithContext(WithCaller(WithClient(r.Context(), "192.0.2.9"), Caller{Token: "t1"})), "x")
	if err != nil || seen[moved] != "a token" {
		t.Errorf("a token that moved has another key: %v", err)
	}
}
