package access

import (
	"context"
	"crypto/subtle"
	"errors"
	"net/http"
	"strings"
	"sync"
	"time"

	"github.com/assay-register/assay/dynamic/limit"
	"github.com/assay-register/assay/dynamic/web"
	"github.com/assay-register/assay/render/catalog"
	"github.com/assay-register/assay/render/wire"
)

const (
	// fresh is how long a token is believed without looking it up again, and
	// so how long a revoked one may still be taken.
	fresh = 2 * time.Second
	// knownMax bounds the tokens that are remembered.
	knownMax = 1024
	// guessesMax is how many wrong tokens a client may show in a minute.
	guessesMax = 10
	tokenMax   = 512
)

// Guard tells callers apart by their bearer tokens (RFC 6750).
type Guard struct {
	store   catalog.Store
	now     func() time.Time
	guesses *limit.Limiter

	mu    sync.Mutex
	known map[string]known
}

type known struct {
	token catalog.Token
	until time.Time
}

// New makes a guard over the tokens of a store.
func New(store catalog.Store, now func() time.Time) *Guard {
	return &Guard{store: store, now: now, guesses: limit.New("guesses", guessesMax, now), known: map[string]known{}}
}

// Require lets only callers pass whose role suffices; web.CallerOf tells the
// handler who it is. Without a role all pass, and nobody looks at tokens.
func (g *Guard) Require(role catalog.Role, next web.Handler) web.Handler {
	if role == "" {
		return next
	}
	if g == nil { // a service without a store knows nobody
		return func(http.ResponseWriter, *http.Request) error { return web.Unauthorized("This service has no tokens.") }
	}
	return func(w http.ResponseWriter, r *http.Request) error {
		if r.Method == http.MethodOptions {
			return next(w, r)
		}
		caller, err := g.caller(r)
		if err != nil {
			return err
		}
		if !caller.Role.May(role) {
			return web.Forbidden("This needs a token with the role " + string(role) + ".")
		}
		return next(w, r.WithContext(web.WithCaller(r.Context(), *caller)))
	}
}

// caller is who the process itself says the request is from, or else the holder
// of its token. Nothing that comes from outside can set the former.
func (g *Guard) caller(r *http.Request) (*web.Caller, error) {
	if c := web.CallerOf(r.Context()); c.Token != "" {
		return &c, nil
	}
	return g.Identify(r)
}

// Identify finds the holder of the request's token. A client that guessed too
// often is refused before its token is looked at, so that it learns nothing.
func (g *Guard) Identify(r *http.Request) (*web.Caller, error) {
	token, err := bearer(r)
	if err != nil {
		return nil, err
	}
	client := web.ClientOf(r.Context())
	if s := g.guesses.Peek(client); !s.OK {
		return nil, g.guesses.Exceeded(s)
	}
	t, err := g.find(r.Context(), Hash(token))
	if errors.Is(err, catalog.ErrNotFound) || err == nil && !t.RevokedAt.IsZero() {
		g.guesses.Take(client)
		return nil, invalidToken()
	}
	if err != nil {
		return nil, err
	}
	return &web.Caller{Token: t.ID, Name: t.Name, Role: t.Role}, nil
}

func invalidToken() error {
	return &web.Error{Problem: wire.Problem{Status: http.StatusUnauthorized, Detail: "The token is not known or was revoked."},
		Header: http.Header{"Www-Authenticate": {`Bearer error="invalid_token"`}}}
}

// bearer reads the token of the Authorization header.
func bearer(r *http.Request) (string, error) {
	headers := r.Header.Values("Authorization")
	if len(headers) == 0 {
		return "", web.Unauthorized("This needs a token: send Authorization: Bearer TOKEN.")
	}
	scheme, token, _ := strings.Cut(headers[0], " ")
	if token = strings.TrimSpace(token); len(headers) > 1 || !strings.EqualFold(scheme, "Bearer") || token == "" || len(token) > tokenMax {
		return "", web.Unauthorized("The Authorization header is no bearer token: send Authorization: Bearer TOKEN.")
	}
	return token, nil
}

// find looks a token up by its hash, in the store unless that was done just
// now. Wrong tokens are never remembered, so nobody fills the memory with them.
func (g *Guard) find(ctx context.Context, hash string) (catalog.Token, error) {
	now := g.now()
	g.mu.Lock()
	k, ok := g.known[hash]
	g.mu.Unlock()
	if ok && now.Before(k.until) {
		return k.token, nil
	}
	var t *catalog.Token
	err := g.store.View(ctx, func(tx catalog.Tx) (err error) {
		t, err = tx.Tokens().ByHash(ctx, hash)
		return err
	})
	if err != nil {
		return catalog.Token{}, err
	}
	if subtle.ConstantTimeCompare([]byte(t.Hash), []byte(hash)) != 1 {
		return catalog.Token{}, catalog.ErrNotFound
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	if len(g.known) >= knownMax {
		clear(g.known)
	}
	g.known[hash] = known{*t, now.Add(fresh)}
	return *t, nil
}
