package claims

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"fmt"

	"github.com/assay-register/assay/dynamic/mail"
	"github.com/assay-register/assay/dynamic/web"
	"github.com/assay-register/assay/render/catalog"
	view "github.com/assay-register/assay/render/pages"
	"github.com/assay-register/assay/render/wire"
)

// Tasks look at proofs again, and send the codes of claims by mail; sender is nil where no
// mail is sent.
func (g *Group) Tasks(sender mail.Sender) []catalog.JobTask {
	tasks := []catalog.JobTask{{Name: "claims", Kinds: []string{catalog.JobCheckClaim}, Do: g.again}}
	if sender != nil {
		tasks = append(tasks, catalog.JobTask{Name: "claim mail", Kinds: []string{catalog.JobMailClaim}, Do: func(ctx context.Context, h catalog.HeldJob) error { return g.send(ctx, h, sender) }})
	}
	return tasks
}

func claimOf(h catalog.HeldJob) (id string, err error) {
	if err := json.Unmarshal(h.Job().Payload, &id); err != nil {
		return "", fmt.Errorf("payload of job %s: %w: %w", h.Job().ID, catalog.ErrInvalid, err)
	}
	return id, nil
}

// again looks at a proof, and queues the next look in the transaction that keeps what was seen.
func (g *Group) again(ctx context.Context, h catalog.HeldJob) error {
	id, err := claimOf(h)
	if err != nil {
		return err
	}
	_, err = g.look(ctx, id, h.Finish)
	return err
}

// send sends the code of a claim; a second try has another code, and the last one holds.
func (g *Group) send(ctx context.Context, h catalog.HeldJob, sender mail.Sender) error {
	id, err := claimOf(h)
	if err != nil {
		return err
	}
	code := rand.Text()
	var c *catalog.Claim
	err = g.Store.Update(ctx, func(tx catalog.Tx) error {
		if c, err = tx.Claims().Get(ctx, id); err != nil || c.State != catalog.ClaimPending {
			return err
		}
		c.CodeHash = web.Digest(code)
		return tx.Claims().Put(ctx, *c)
	})
	if err != nil {
		return err
	}
	if c.State == catalog.ClaimPending {
		site, words := g.Site(), view.Words(c.Lang)
		m, err := (&mail.Claim{Words: words, Register: site.Name, BaseURL: site.BaseURL, Domain: c.Domain, Enter: code, Page: site.BaseURL + wire.LocalRoute(words.Code(), "/claim/"+c.ID)}).Message(c.Email, h.Job().ID)
		if err != nil {
			return err
		}
		if err := sender.Send(ctx, m); err != nil {
			return err
		}
	}
	return h.Finish(ctx, func(catalog.Tx) error { return nil })
}
