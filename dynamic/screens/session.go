package screens

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"net/http"
	"strings"
	"time"

	"github.com/assay-register/assay/dynamic/access"
	"github.com/assay-register/assay/dynamic/web"
	"github.com/assay-register/assay/render/catalog"
)

const (
	// sessionFor is how long a login lasts; it is never prolonged.
	sessionFor = 12 * time.Hour
	// sessionsMax is how many logins a token has at the same time; one more ends
	// the oldest.
	sessionsMax = 10
	// csrfField is the form field that only the register's own pages can fill.
	csrfField = "csrf"
)

// session is a login: who it is, and what its forms must carry.
type session struct {
	csrf   string
	caller web.Caller
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

// begin makes a login and its cookie, of 260 random bits. The store keeps their
// hash alone, so that nobody who reads it can log in.
func (c *Config) begin(ctx context.Context, caller *web.Caller) (*http.Cookie, error) {
	value := rand.Text() + rand.Text()
	now := c.Now().UTC().Truncate(time.Microsecond)
	fresh := catalog.Session{Hash: access.Hash(value), TokenID: caller.Token, BegunAt: now, ExpiresAt: now.Add(sessionFor)}
	err := c.Store.Update(ctx, func(tx catalog.Tx) error {
		if _, err := tx.Sessions().Expire(ctx, now); err != nil {
			return err
		}
		all, err := tx.Sessions().Of(ctx, caller.Token)
		if err != nil {
			return err
		}
		for _, old := range all[:max(0, len(all)-sessionsMax+1)] {
			if err := tx.Sessions().Delete(ctx, old.Hash); err != nil {
				return err
			}
		}
		return tx.Sessions().Put(ctx, fresh)
	})
	return c.cookie(value, int(sessionFor/time.Second)), err
}

func (c *Config) cookie(value string, age int) *http.Cookie {
	return &http.Cookie{Name: c.cookieName(), Value: value, Path: "/", MaxAge: age, HttpOnly: true, Secure: c.secure(), SameSite: http.SameSiteStrictMode}
}

// end ends the login of a request, if it has one.
func (c *Config) end(r *http.Request) error {
	cookie, err := r.Cookie(c.cookieName())
	if err != nil {
		return nil //nolint:nilerr // there is none to end
	}
	ctx := r.Context()
	return c.Store.Update(ctx, func(tx catalog.Tx) error { return tx.Sessions().Delete(ctx, access.Hash(cookie.Value)) })
}

// session finds the login of a request. It ends with its time, with a logout,
// and with its token.
func (c *Config) session(r *http.Request) (*session, error) {
	cookie, err := r.Cookie(c.cookieName())
	if err != nil {
		return nil, errNoSession
	}
	var caller *web.Caller
	ctx := r.Context()
	err = c.Store.View(ctx, func(tx catalog.Tx) error {
		found, err := tx.Sessions().Get(ctx, access.Hash(cookie.Value))
		if errors.Is(err, catalog.ErrNotFound) || err == nil && !c.Now().Before(found.ExpiresAt) {
			return errNoSession
		}
		if err != nil {
			return err
		}
		caller, err = holder(ctx, tx, found.TokenID)
		return err
	})
	if err != nil {
		return nil, err
	}
	form := sha256.Sum256([]byte("form\n" + cookie.Value))
	return &session{csrf: hex.EncodeToString(form[:]), caller: *caller}, nil
}

// holder is who has a token that is still good.
func holder(ctx context.Context, tx catalog.Tx, id string) (*web.Caller, error) {
	list, err := tx.Tokens().All(ctx)
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
