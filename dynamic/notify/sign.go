package notify

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/assay-register/assay/render/catalog"
)

// secretPrefix begins a symmetric secret, secretSize is its length in bytes
// (Standard Webhooks, "Signature scheme": 24 to 64 bytes).
const (
	secretPrefix = "whsec_"
	secretSize   = 32
)

// NewSecret makes the secret of an endpoint.
func NewSecret() string {
	b := make([]byte, secretSize)
	rand.Read(b) // never fails (crypto/rand)
	return secretPrefix + base64.StdEncoding.EncodeToString(b)
}

// sign is the webhook-signature of a message: one signature for each secret,
// so that a receiver which knows either secret accepts it.
func sign(secrets []string, id string, at time.Time, body string) (string, error) {
	signed := id + "." + strconv.FormatInt(at.Unix(), 10) + "." + body
	list := make([]string, len(secrets))
	for i, s := range secrets {
		text, ok := strings.CutPrefix(s, secretPrefix)
		key, err := base64.StdEncoding.DecodeString(text)
		if !ok || err != nil || len(key) == 0 {
			return "", fmt.Errorf("secret %d of the endpoint is broken; rotate it: %w", i+1, catalog.ErrInvalid)
		}
		mac := hmac.New(sha256.New, key)
		mac.Write([]byte(signed))
		list[i] = "v1," + base64.StdEncoding.EncodeToString(mac.Sum(nil))
	}
	if len(list) == 0 {
		return "", fmt.Errorf("the endpoint has no secret; rotate it: %w", catalog.ErrInvalid)
	}
	return strings.Join(list, " "), nil
}
