package web

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"net/http"
	"strings"

	"github.com/assay-register/assay/render/wire"
)

// keyMax is the longest idempotency key, in bytes.
const keyMax = 255

// Idempotency reads the client's key of a request (draft-ietf-httpapi-idempotency-key-header)
// and makes it the one under which the answer is kept, "" when the client gave none. It is
// the caller's own: of its token, of the public by its address, so that nobody is given the
// answer to another's request. What is kept is a hash of all.
func Idempotency(r *http.Request, operation string) (string, error) {
	given := r.Header.Values("Idempotency-Key")
	if len(given) == 0 {
		return "", nil
	}
	key := strings.TrimSpace(given[0])
	bad := len(given) > 1 || key == "" || len(key) > keyMax
	for _, c := range []byte(key) {
		bad = bad || c < ' ' || c > '~'
	}
	if bad {
		return "", &Error{Problem: wire.Problem{Status: http.StatusUnprocessableEntity, Detail: "The idempotency key cannot be used.",
			Errors: []wire.ProblemError{{Location: "header.Idempotency-Key", Message: "send one key of 1 to 255 printable ASCII characters"}}}}
	}
	return Digest(operation + "\n" + caller(r.Context()) + "\n" + key), nil
}

// caller names who makes a request: the token, or the client that the limits count.
func caller(ctx context.Context) string {
	if token := CallerOf(ctx).Token; token != "" {
		return "token " + token
	}
	return "client " + ClientOf(ctx)
}

// Digest is the SHA-256 of a text, in lower-case hex.
func Digest(s string) string {
	sum := sha256.Sum256([]byte(s))
	return hex.EncodeToString(sum[:])
}

// KeyReused says that a key came with another request before.
func KeyReused() error {
	return &Error{Problem: wire.Problem{Status: http.StatusUnprocessableEntity, Detail: "This idempotency key came with another request before.",
		Errors: []wire.ProblemError{{Location: "header.Idempotency-Key", Message: "use a new key for a new request"}}}}
}
