package screens

import (
	"context"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/assay-register/assay/dynamic/web"
	"github.com/assay-register/assay/render/catalog"
)

const (
	// sessionFor is how long a login lasts.
	sessionFor = 12 * time.Hour
	// keyName is the name under which the store keeps the key that signs
	// sessions, so that all processes of a register know them.
	keyName = "session.key"
	// csrfField is the form field that only the register's own pages can fill.
	csrfField = "csrf"
)

// session is a login: who it is, until when, and what its forms must carry.
type session struct {
	token, csrf string
	caller      web.Caller
}

var errNoSession = errors.New("no session")

// cookieName depends on the scheme: browsers take a __Host- cookie over TLS
// only, and then from this host alone (RFC 6265bis, section 4.1.3).
func (c *Config) cookieName() string {
	if c.secure() {
		return "__Host-assay"
	}
	return "assay"
}

func (c *Config) secure() bool {
	current := c.Current()
	return current != nil && strings.HasPrefix(current.Site.BaseURL, "https://")
}

// key is the secret that signs sessions, made at the first login.
func (c *Config) key(ctx context.Context) ([]byte, error) {
	var text string
	read := func(tx catalog.Tx) (err error) {
		text, err = tx.Meta().Get(ctx, keyName)
		return err
	}
	if err := c.Store.View(ctx, read); err != nil || text != "" {
		return []byte(text), err
	}
	err := c.Store.Update(ctx, func(tx catalog.Tx) error {
		if err := read(tx); err != nil || text != "" {
			return err
		}
		text = rand.Text() + rand.Text()
		return tx.Meta().Set(ctx, keyName, text)
	})
	return []byte(text), err
}

func sign(key []byte, purpose, payload string) string {
	m := hmac.New(sha256.New, key)
	m.Write([]byte(purpose + "\n" + payload))
	return hex.EncodeToString(m.Sum(nil))
}

// begin makes the cookie of a login.
func (c *Config) begin(ctx context.Context, caller *web.Caller) (*http.Cookie, error) {
	key, err := c.key(ctx)
	if err != nil {
		return nil, err
	}
	payload := caller.Token + "|" + strconv.FormatInt(c.Now().Add(sessionFor).Unix(), 10) + "|" + rand.Text()
	value := base64.RawURLEncoding.EncodeToString([]byte(payload)) + "." + sign(key, "session", payload)
	return c.cookie(value, int(sessionFor/time.Second)), nil
}

func (c *Config) cookie(value string, age int) *http.Cookie {
	return &http.Cookie{Name: c.cookieName(), Value: value, Path: "/", MaxAge: age, HttpOnly: true, Secure: c.secure(), SameSite: http.SameSiteStrictMode}
}

// session finds the login of a request. A revoked token ends its sessions.
func (c *Config) session(r *http.Request) (*session, error) {
	cookie, err := r.Cookie(c.cookieName())
	if err != nil {
		return nil, errNoSession
	}
	coded, signature, _ := strings.Cut(cookie.Value, ".")
	raw, err := base64.RawURLEncoding.DecodeString(coded)
	if err != nil {
		return nil, errNoSession
	}
	key, err := c.key(r.Context())
	if err != nil {
		return nil, err
	}
	payload := string(raw)
	if !hmac.Equal([]byte(signature), []byte(sign(key, "session", payload))) {
		return nil, errNoSession
	}
	parts := strings.Split(payload, "|")
	until, err := strconv.ParseInt(parts[min(1, len(parts)-1)], 10, 64)
	if err != nil || len(parts) != 3 || c.Now().Unix() >= until {
		return nil, errNoSession
	}
	caller, err := c.holder(r.Context(), parts[0])
	if err != nil {
		return nil, err
	}
	return &session{token: parts[0], csrf: sign(key, "form", payload), caller: *caller}, nil
}

// holder is who has a token that is still good.
func (c *Config) holder(ctx context.Context, id string) (*web.Caller, error) {
	var list []catalog.Token
	err := c.Store.View(ctx, func(tx catalog.Tx) (err error) {
		list, err = tx.Tokens().All(ctx)
		return err
	})
	if err != nil {
		return nil, err
	}
	for _, t := range list {
		if t.ID == id && t.RevokedAt.IsZero() {
			return &web.Caller{Token: t.ID, Name: t.Name, Role: t.Role}, nil
		}
	}
	return nil, errNoSession
}
