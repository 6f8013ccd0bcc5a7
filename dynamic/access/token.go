// Package access knows who may administer the register: it makes tokens, and
// lets only those callers pass whose token has the role that is asked for.
package access

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/assay-register/assay/render/catalog"
)

// prefix lets scanners for leaked secrets recognise a token.
const prefix = "assay_"

// nameMax is the longest name of a holder, in bytes.
const nameMax = 200

// Actor is who changes tokens, as the audit log names them.
type Actor struct{ By, Name string }

// Hash is what is stored of a token.
func Hash(token string) string {
	sum := sha256.Sum256([]byte(token))
	return hex.EncodeToString(sum[:])
}

// Create stores a new token and its audit row in one transaction. The secret,
// of 260 random bits, is returned this once. A name or role that cannot be is
// an ErrInvalid.
func Create(ctx context.Context, store catalog.Store, role catalog.Role, name string, by Actor, now time.Time) (secret string, t catalog.Token, err error) {
	if !slices.Contains(catalog.Roles(), role) {
		return "", t, &catalog.FieldError{Field: "role", Value: string(role), Remedy: fmt.Sprintf("use one of %v", catalog.Roles())}
	}
	if name = strings.TrimSpace(name); len(name) > nameMax {
		return "", t, &catalog.FieldError{Field: "name", Value: name, Remedy: fmt.Sprintf("use at most %d bytes", nameMax)}
	}
	secret = prefix + rand.Text() + rand.Text()
	t = catalog.Token{ID: strings.ToLower(rand.Text()), Name: name, Role: role, Hash: Hash(secret), CreatedAt: now.UTC().Truncate(time.Microsecond)}
	err = store.Update(ctx, func(tx catalog.Tx) error {
		if err := tx.Tokens().Put(ctx, t); err != nil {
			return err
		}
		return tx.Audits().Append(ctx, audit("createToken", &t, by, now))
	})
	if err != nil {
		return "", t, fmt.Errorf("create token: %w", err)
	}
	return secret, t, nil
}

// Revoke ends the right of a token and its logins; every process refuses it
// within seconds.
// An unknown id is an ErrNotFound, a token that was revoked before an
// ErrConflict.
func Revoke(ctx context.Context, store catalog.Store, id string, by Actor, now time.Time) (t catalog.Token, err error) {
	err = store.Update(ctx, func(tx catalog.Tx) error {
		all, err := tx.Tokens().All(ctx)
		if err != nil {
			return err
		}
		i := slices.IndexFunc(all, func(t catalog.Token) bool { return t.ID == id })
		if i < 0 {
			return catalog.ErrNotFound
		}
		if t = all[i]; !t.RevokedAt.IsZero() {
			return catalog.ErrConflict
		}
		t.RevokedAt = now.UTC().Truncate(time.Microsecond)
		if err := tx.Tokens().Put(ctx, t); err != nil {
			return err
		}
		if err := endSessions(ctx, tx, id); err != nil {
			return err
		}
		return tx.Audits().Append(ctx, audit("revokeToken", &t, by, now))
	})
	if err != nil {
		return t, fmt.Errorf("revoke token %s: %w", id, err)
	}
	return t, nil
}

// endSessions ends the logins of a token.
func endSessions(ctx context.Context, tx catalog.Tx, id string) error {
	list, err := tx.Sessions().Of(ctx, id)
	if err != nil {
		return err
	}
	hashes := make([]string, len(list))
	for i := range list {
		hashes[i] = list[i].Hash
	}
	return tx.Sessions().Delete(ctx, hashes...)
}

func audit(action string, t *catalog.Token, by Actor, now time.Time) catalog.AuditRow {
	return catalog.AuditRow{At: now.UTC(), By: by.By, Name: by.Name, Action: action, Subject: t.ID, Reason: string(t.Role) + " " + t.Name}
}
