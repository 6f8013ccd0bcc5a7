// Package claims lets owners prove that an institution or a source is theirs, and say what they
// know of its entries beside what the register says. They change no verdict.
package claims

import (
	"cmp"
	"context"
	"crypto/rand"
	"crypto/subtle"
	"encoding/json"
	"errors"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/assay-register/assay/dynamic/limit"
	"github.com/assay-register/assay/dynamic/watches"
	"github.com/assay-register/assay/dynamic/web"
	"github.com/assay-register/assay/render/catalog"
	"github.com/assay-register/assay/render/snapshot"
	"github.com/assay-register/assay/render/wire"
)

// Group answers the operations on claims.
type Group struct {
	Store  catalog.Store
	Now    func() time.Time
	Site   func() snapshot.Site
	Prover *Prover
	// Mails tells that the register can send mail.
	Mails bool
	// Begun counts the claims that a client begins of a thing; nil counts none.
	Begun *limit.Limiter
}

// NewBegun makes the count of claims that each client begins.
func NewBegun(now func() time.Time) *limit.Limiter {
	return limit.NewWithin("claims", claimsOfOne, 24*time.Hour, now)
}

func (g *Group) now() time.Time { return g.Now().UTC().Truncate(time.Microsecond) }

func (g *Group) url(id string) string { return g.Site().BaseURL + wire.RouteClaims + "/" + id }

func conflict(detail string) error {
	return &web.Error{Problem: wire.Problem{Status: http.StatusConflict, Detail: detail}}
}

func invalid(field, value, remedy string) error {
	return &catalog.FieldError{Field: field, Value: value, Remedy: remedy}
}

// subject is what is claimed, with the domains that prove it and the official page.
type subject struct {
	id, name, page string

	source   bool
	official []string
}

// subject finds the institution or the source that a request names.
func (g *Group) subject(ctx context.Context, tx catalog.Tx, institution, source string) (*subject, error) {
	if (institution == "") == (source == "") {
		return nil, invalid("institution", institution, "name either an institution or a source, by its key or id")
	}
	all, err := tx.Institutions().All(ctx)
	if err != nil {
		return nil, err
	}
	// Who an administrator named for a source speaks for it, too, once the register knows them.
	out, named, appointed := &subject{}, institution, ""
	if source != "" {
		sources, err := tx.Sources().All(ctx)
		if err != nil {
			return nil, err
		}
		at := slices.IndexFunc(sources, func(s catalog.Source) bool { return s.ID == source || s.Key != "" && s.Key == source })
		if at < 0 {
			return nil, invalid("source", source, "name a source of the register by its key or id")
		}
		s := &sources[at]
		out.id, out.name, out.source, out.page, named = s.ID, cmp.Or(s.Title, s.Key), true, s.URL, s.InstitutionID
		appointed = s.DefaultInstitution
		if host := catalog.Host(s.URL); host != "" && s.InstitutionID == "" {
			out.official = append(out.official, host)
		}
	}
	for i := range all {
		x := &all[i]
		known := x.State != catalog.InstitutionStated && x.MergedIntoID == ""
		if appointed != "" && known && x.ID != named && (x.ID == appointed || x.Key == appointed) {
			out.official = append(out.official, x.OfficialDomains...)
		}
		if named == "" || x.ID != named && x.Key != named {
			continue
		}
		if !known {
			return nil, invalid("institution", named, "claim one that the register knows: this one is only named by catalogues, or is part of another; a moderator can add its official domains")
		}
		out.official = append(out.official, x.OfficialDomains...)
		if !out.source {
			out.id, out.name, out.page = x.ID, cmp.Or(x.NameEn, x.Name, x.Key), x.HomepageURL
		}
	}
	if out.id == "" {
		return nil, invalid("institution", institution, "name an institution of the register by its key or id")
	}
	return out, nil
}

// of is the subject of a claim that was made.
func (g *Group) of(ctx context.Context, tx catalog.Tx, c *catalog.Claim) (*subject, error) {
	if c.Source {
		return g.subject(ctx, tx, "", c.SubjectID)
	}
	return g.subject(ctx, tx, c.SubjectID, "")
}

// Create is the operation createClaim.
func (g *Group) Create(w http.ResponseWriter, r *http.Request) error {
	var ask wire.ClaimRequest
	if err := web.Decode(r, &ask); err != nil {
		return err
	}
	if err := catalog.OneOf("method", ask.Method, catalog.ClaimMethods()); err != nil {
		return err
	}
	lang, err := watches.Language(r, ask.Lang)
	if err != nil {
		return err
	}
	now, secret := g.now(), "assay_owner_"+rand.Text()
	c := catalog.Claim{ID: catalog.NewID("claim", rand.Text()), Method: ask.Method, Domain: strings.TrimSpace(ask.Domain), Email: strings.TrimSpace(ask.Email), Value: strings.ToLower(rand.Text()),
		SecretHash: web.Digest(secret), State: catalog.ClaimPending, Lang: lang, CreatedAt: now}
	if err := g.checkMail(&c); err != nil {
		return err
	}
	out, begin := wire.ClaimReceipt{Secret: secret}, g.Begun.Once()
	err = g.Store.Update(r.Context(), func(tx catalog.Tx) error {
		s, err := g.subject(r.Context(), tx, ask.Institution, ask.Source)
		if err != nil {
			return err
		}
		if err := Admissible(c.Domain, s.official); err != nil {
			return invalid("domain", c.Domain, err.Error())
		}
		c.SubjectID, c.Source = s.id, s.source
		before, err := tx.Claims().Of(r.Context(), s.id)
		if err != nil {
			return err
		}
		if err := paced(before, &c, now); err != nil {
			return err
		}
		if may := begin(web.ClientOf(r.Context()) + " " + s.id); !may.OK {
			return web.TooMany("This client has begun as many claims of this as it may in a day; prove one of them, or go on later.", may.Reset)
		}
		if err := g.room(r.Context(), tx, before, now); err != nil {
			return err
		}
		place, proof := Where(&c, s.page, g.url(c.ID))
		if place != "" {
			out.Place, out.Proof = &place, &proof
		}
		if err := tx.Claims().Put(r.Context(), c); err != nil {
			return err
		}
		kind, at := catalog.JobCheckClaim, now.Add(catalog.ClaimPause)
		if c.Method == catalog.ClaimMail {
			kind, at = catalog.JobMailClaim, now
		}
		_, err = tx.Jobs().Enqueue(r.Context(), newJob(kind, c.ID, at, now))
		return err
	})
	if err != nil {
		return err
	}
	out.Claim = wire.NewClaim(&c)
	return web.Reply(w, r, http.StatusCreated, out)
}

// What may be begun within a day: claims of one thing by a client, and mails to one address
// about it.
const claimsOfOne, mailsADay = 5, 3

// paced refuses a claim that would flood a mailbox.
func paced(before []catalog.Claim, c *catalog.Claim, now time.Time) error {
	mails := 0
	for i := range before {
		if now.Sub(before[i].CreatedAt) < 24*time.Hour && c.Email != "" && strings.EqualFold(before[i].Email, c.Email) {
			mails++
		}
	}
	if mails >= mailsADay {
		return conflict("Many claims of this were begun within a day: go on tomorrow, or ask a moderator.")
	}
	return nil
}

func (g *Group) checkMail(c *catalog.Claim) error {
	if c.Method != catalog.ClaimMail {
		if c.Email != "" {
			return invalid("email", c.Email, "leave it out: only a proof by mail needs it")
		}
		return nil
	}
	if !g.Mails {
		return invalid("method", string(c.Method), "this register sends no mail: use dns, file or link")
	}
	if c.Email == "" {
		return invalid("email", "", "give the address that the code goes to")
	}
	if err := catalog.CheckMail("email", c.Email); err != nil {
		return err
	}
	if err := AdmissibleMail(c.Email, c.Domain); err != nil {
		return invalid("email", c.Email, err.Error())
	}
	return nil
}

const jobAttempts = 5

// newJob is work on a claim at a time: the key names the time, for the next look is queued while
// the one before still runs.
func newJob(kind, claim string, at, now time.Time) catalog.Job {
	payload, err := json.Marshal(claim)
	if err != nil {
		payload = nil // a text always marshals
	}
	return catalog.Job{ID: catalog.NewID("job", kind+" "+claim+" "+now.Format(time.RFC3339Nano)), Kind: kind, UniqueKey: kind + " " + claim + " " + at.Format(time.RFC3339Nano), Payload: payload, RunAt: at, CreatedAt: now, MaxAttempts: jobAttempts}
}

func unknown() error { return web.NotFound("There is no claim with this id.") }

// Get is the operation getClaim.
func (g *Group) Get(w http.ResponseWriter, r *http.Request) error {
	var c *catalog.Claim
	err := g.Store.View(r.Context(), func(tx catalog.Tx) (err error) {
		c, err = tx.Claims().Get(r.Context(), r.PathValue("id"))
		return err
	})
	if errors.Is(err, catalog.ErrNotFound) {
		return unknown()
	}
	if err != nil {
		return err
	}
	return web.Reply(w, r, http.StatusOK, wire.NewClaim(c))
}

// owned runs fn on the claim of the request, for who has its secret.
func (g *Group) owned(r *http.Request, fn func(ctx context.Context, tx catalog.Tx, c *catalog.Claim) error) (c *catalog.Claim, err error) {
	scheme, secret, _ := strings.Cut(r.Header.Get("Authorization"), " ")
	err = g.Store.Update(r.Context(), func(tx catalog.Tx) error {
		if c, err = tx.Claims().Get(r.Context(), r.PathValue("id")); errors.Is(err, catalog.ErrNotFound) {
			return unknown()
		} else if err != nil {
			return err
		}
		if !strings.EqualFold(scheme, "Bearer") || subtle.ConstantTimeCompare([]byte(web.Digest(strings.TrimSpace(secret))), []byte(c.SecretHash)) != 1 {
			return web.Unauthorized("Send the owner's secret of this claim: Authorization: Bearer SECRET.")
		}
		if c.State == catalog.ClaimEnded {
			return conflict("This claim has ended: " + cmp.Or(c.Reason, "claim again") + ".")
		}
		return fn(r.Context(), tx, c)
	})
	return c, err
}

// announce writes the event of a claim, "" for none, and ends what rested on one that ended.
func (g *Group) announce(ctx context.Context, tx catalog.Tx, c *catalog.Claim, kind catalog.EventKind, now time.Time) error {
	if kind == "" {
		return nil
	}
	if kind == catalog.EventClaimEnded {
		if err := g.forget(ctx, tx, c.ID, now); err != nil {
			return err
		}
	}
	data, err := json.Marshal(map[string]string{"claim": c.ID})
	if err != nil {
		return err
	}
	from, to := catalog.ClaimPending, catalog.ClaimVerified
	if kind == catalog.EventClaimEnded {
		from, to = catalog.ClaimVerified, catalog.ClaimEnded
	}
	change := catalog.FieldChange{Field: "status", From: json.RawMessage(`"` + from + `"`), To: json.RawMessage(`"` + to + `"`)}
	return tx.Events().Append(ctx, catalog.Event{Type: kind, OccurredAt: now, Changes: []catalog.FieldChange{change}, Data: data})
}

// Check is the operation checkClaim.
func (g *Group) Check(w http.ResponseWriter, r *http.Request) error {
	c, err := g.owned(r, func(ctx context.Context, tx catalog.Tx, c *catalog.Claim) error {
		if c.Method == catalog.ClaimMail {
			return conflict("A claim by mail is proved by its code.")
		}
		if now := g.now(); now.Sub(c.CheckedAt) < 10*time.Second {
			return conflict("The proof was looked at just now: wait ten seconds.")
		}
		return nil
	})
	if err != nil {
		return err
	}
	if c, err = g.look(r.Context(), c.ID, nil); err != nil {
		return err
	}
	return web.Reply(w, r, http.StatusOK, wire.NewClaim(c))
}

// look looks at the proof of a claim and settles it, in the transaction that finish gives.
func (g *Group) look(ctx context.Context, id string, finish func(ctx context.Context, outcome func(catalog.Tx) error) error) (*catalog.Claim, error) {
	var c *catalog.Claim
	var s *subject
	var seen error
	err := g.Store.View(ctx, func(tx catalog.Tx) (err error) {
		if c, err = tx.Claims().Get(ctx, id); err != nil {
			return err
		}
		// What is claimed may be gone, or merged: then nothing is proved.
		s, seen = g.of(ctx, tx, c)
		return nil
	})
	if err != nil {
		return nil, err
	}
	if seen == nil && c.State != catalog.ClaimEnded && (c.Method != catalog.ClaimMail || c.State == catalog.ClaimVerified) {
		seen = g.Prover.Look(ctx, c, s.official, s.page, g.url(c.ID))
	}
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	scheduled := finish != nil
	if !scheduled {
		finish = func(ctx context.Context, outcome func(catalog.Tx) error) error { return g.Store.Update(ctx, outcome) }
	}
	err = finish(ctx, func(tx catalog.Tx) error {
		fresh, err := tx.Claims().Get(ctx, id)
		if err != nil || fresh.State == catalog.ClaimEnded {
			c = fresh
			return err
		}
		c = fresh
		now := g.now()
		if c.Method == catalog.ClaimMail && c.State == catalog.ClaimPending && seen == nil {
			seen = errors.New("the code of the mail was not entered")
		}
		kind := c.Settle(seen, now)
		if err := tx.Claims().Put(ctx, *c); err != nil {
			return err
		}
		if scheduled && c.State != catalog.ClaimEnded {
			pause := catalog.ClaimPause
			if c.State == catalog.ClaimVerified {
				pause = catalog.ClaimEvery
			}
			if _, err := tx.Jobs().Enqueue(ctx, newJob(catalog.JobCheckClaim, c.ID, now.Add(pause), now)); err != nil {
				return err
			}
		}
		return g.announce(ctx, tx, c, kind, now)
	})
	return c, err
}

// Confirm is the operation confirmClaim: who asked must read the mail, so a reader of the
// mailbox alone, or of the secret alone, proves nothing.
func (g *Group) Confirm(w http.ResponseWriter, r *http.Request) error {
	var ask wire.ClaimCode
	if err := web.Decode(r, &ask); err != nil {
		return err
	}
	wrong := false
	c, err := g.owned(r, func(ctx context.Context, tx catalog.Tx, c *catalog.Claim) error {
		now := g.now()
		if c.Method != catalog.ClaimMail || c.State != catalog.ClaimPending || c.CodeHash == "" {
			return conflict("No code is waited for.")
		}
		var kind catalog.EventKind
		switch {
		case now.Sub(c.CreatedAt) > catalog.VerifyWithin:
			kind, wrong = c.End("the code was not entered within 48 hours", now), true
		case subtle.ConstantTimeCompare([]byte(web.Digest(strings.TrimSpace(ask.Code))), []byte(c.CodeHash)) != 1:
			if c.Tries, wrong = c.Tries+1, true; c.Tries >= catalog.CodeTries {
				kind = c.End("too many wrong codes", now)
			}
		default:
			c.State, c.VerifiedAt, c.CheckedAt, c.CodeHash, kind = catalog.ClaimVerified, now, now, "", catalog.EventClaimVerified
		}
		if err := tx.Claims().Put(ctx, *c); err != nil {
			return err
		}
		if _, err := tx.Jobs().Enqueue(ctx, newJob(catalog.JobCheckClaim, c.ID, now.Add(catalog.ClaimEvery), now)); err != nil {
			return err
		}
		return g.announce(ctx, tx, c, kind, now)
	})
	if err != nil {
		return err
	}
	if wrong {
		return conflict("The code is not that of the mail, or too old: " + cmp.Or(c.Reason, "try again") + ".")
	}
	return web.Reply(w, r, http.StatusOK, wire.NewClaim(c))
}

// End is the operation endClaim.
func (g *Group) End(w http.ResponseWriter, r *http.Request) error {
	c, err := g.owned(r, func(ctx context.Context, tx catalog.Tx, c *catalog.Claim) error {
		now := g.now()
		kind := c.End("given up by its owner", now)
		if err := tx.Claims().Put(ctx, *c); err != nil {
			return err
		}
		return g.announce(ctx, tx, c, kind, now)
	})
	if err != nil {
		return err
	}
	return web.Reply(w, r, http.StatusOK, wire.NewClaim(c))
}
