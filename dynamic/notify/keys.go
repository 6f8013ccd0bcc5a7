package notify

import (
	"context"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"strings"

	"github.com/assay-register/assay/render/catalog"
)

// metaMailKey names the key of the links in mail.
const metaMailKey = "mail_key"

// Keys makes and checks the tokens of watches. They follow from a key, so a
// mail that is sent again has the same links, and none of them is stored.
type Keys struct {
	store catalog.Store
	fixed string
}

// NewKeys makes tokens by a configured key, or when it is empty by one that the
// store keeps.
func NewKeys(store catalog.Store, key string) *Keys { return &Keys{store, key} }

// key reads the key; the first process makes it.
func (k *Keys) key(ctx context.Context) (key string, err error) {
	if k.fixed != "" {
		return k.fixed, nil
	}
	err = k.store.View(ctx, func(tx catalog.Tx) (err error) {
		key, err = tx.Meta().Get(ctx, metaMailKey)
		return err
	})
	if err != nil || key != "" {
		return key, err
	}
	fresh := rand.Text() + rand.Text()
	err = k.store.Update(ctx, func(tx catalog.Tx) error {
		if key, err = tx.Meta().Get(ctx, metaMailKey); err != nil || key != "" {
			return err
		}
		key = fresh
		return tx.Meta().Set(ctx, metaMailKey, key)
	})
	return key, err
}

func (k *Keys) mac(ctx context.Context, purpose, subject string) (string, error) {
	key, err := k.key(ctx)
	if err != nil {
		return "", fmt.Errorf("key of the mail: %w", err)
	}
	m := hmac.New(sha256.New, []byte(key))
	m.Write([]byte(purpose + "|" + subject))
	return base64.RawURLEncoding.EncodeToString(m.Sum(nil)), nil
}

// Verify is the token that confirms a watch, different for each mail that asks
// for it.
func (k *Keys) Verify(ctx context.Context, watchID, mail string) (string, error) {
	return k.mac(ctx, "verify", watchID+"|"+mail)
}

// Manage is the token by which a watch is changed and ended.
func (k *Keys) Manage(ctx context.Context, watchID string) (string, error) {
	mac, err := k.mac(ctx, "manage", watchID)
	return watchID + "." + mac, err
}

// Managed returns the id of the watch that a token is for; ErrNotFound for a
// token that is none.
func (k *Keys) Managed(ctx context.Context, token string) (string, error) {
	id, _, _ := strings.Cut(token, ".")
	want, err := k.Manage(ctx, id)
	if err != nil {
		return "", err
	}
	if subtle.ConstantTimeCompare([]byte(token), []byte(want)) != 1 {
		return "", errToken
	}
	return id, nil
}

var errToken = fmt.Errorf("token of a watch: %w", catalog.ErrNotFound)

// HashToken is what is stored of a token that confirms a watch.
func HashToken(token string) string {
	sum := sha256.Sum256([]byte(token))
	return hex.EncodeToString(sum[:])
}
