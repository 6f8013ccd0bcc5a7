package notify

import (
	"cmp"
	"context"
	"errors"
	"fmt"

	"github.com/assay-register/assay/dynamic/mail"
	"github.com/assay-register/assay/render/catalog"
	"github.com/assay-register/assay/render/pages"
	"github.com/assay-register/assay/render/wire"
)

// mending looks up, for the digest of an owner, what can be mended now: outside of the
// transaction that writes, as it reads the whole list. nil for a reader's watch.
func (m *Mailer) mending(ctx context.Context, id string) (*catalog.Mending, error) {
	if m.Mend == nil {
		return nil, nil
	}
	var w *catalog.Watch
	err := m.Store.View(ctx, func(tx catalog.Tx) (err error) {
		w, err = tx.Watches().Get(ctx, id)
		return err
	})
	if errors.Is(err, catalog.ErrNotFound) || err == nil && w.Digest == nil {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	return m.Mend(ctx, w.Digest)
}

// prepare keeps of a digest the claims that still hold, and works out what its mail says beside
// events: once for each mail, so that a second try says the same. A digest without a claim
// ends.
func (m *Mailer) prepare(ctx context.Context, tx catalog.Tx, w *catalog.Watch, jobID string, now *catalog.Mending) (holds bool, err error) {
	held, err := holding(ctx, tx, w.Digest.Claims)
	if err != nil {
		return false, err
	}
	if !w.Digest.Keep(held) {
		return false, tx.Watches().Delete(ctx, w.ID)
	}
	if w.Digest.Job != jobID {
		if err := renew(ctx, tx, w.Digest, jobID, now); err != nil {
			return false, err
		}
	}
	return true, tx.Watches().Put(ctx, *w)
}

// renew works out what the mail of a job says, now as it was looked up, nil for unknown: then
// it is as the mail before told.
func renew(ctx context.Context, tx catalog.Tx, d *catalog.Digest, jobID string, now *catalog.Mending) (err error) {
	before := d.Told
	d.Job = jobID
	if now == nil {
		now = &catalog.Mending{}
		if before != nil {
			*now = *before
		}
	}
	told := *now
	if told.Was = -1; before != nil {
		told.Was = before.Total
	}
	if told.Reports, err = waiting(ctx, tx, d); err != nil {
		return err
	}
	was := catalog.Mending{}
	if before != nil {
		was = *before
	}
	d.Due = told.Sum != was.Sum && told.Total+max(told.Was, 0) > 0 || told.Reports > was.Reports
	d.Told = &told
	return nil
}

// holding are the claims of a list that are proved.
func holding(ctx context.Context, tx catalog.Tx, ids []string) (held []catalog.Claim, err error) {
	for _, id := range ids {
		c, err := tx.Claims().Get(ctx, id)
		if errors.Is(err, catalog.ErrNotFound) {
			continue
		}
		if err != nil {
			return nil, err
		}
		if c.State == catalog.ClaimVerified {
			held = append(held, *c)
		}
	}
	return held, nil
}

// Reports are read so many at a time, and no more than these for one mail.
const reportsAtOnce, reportsMax = 200, 5000

// waiting counts the reports of readers on what was claimed that nobody decided on.
func waiting(ctx context.Context, tx catalog.Tx, d *catalog.Digest) (n int, err error) {
	after := ""
	for range reportsMax / reportsAtOnce {
		list, err := tx.Reports().Open(ctx, after, reportsAtOnce)
		if err != nil || len(list) == 0 {
			return n, err
		}
		ids := make([]string, len(list))
		for i := range list {
			ids[i] = list[i].EntryID
		}
		found, err := tx.Entries().Get(ctx, ids...)
		if err != nil {
			return 0, err
		}
		mine := map[string]bool{}
		for i := range found {
			mine[found[i].ID] = d.Has(&found[i])
		}
		for i := range list {
			if mine[list[i].EntryID] && !list[i].Hidden {
				n++
			}
		}
		after = list[len(list)-1].ID
	}
	return n, nil
}

// what says in the words of a language what a watch is about.
func (m *Mailer) what(ctx context.Context, tx catalog.Tx, words mail.Words, w *catalog.Watch) (string, error) {
	d := w.Digest
	if d == nil {
		return describe(ctx, tx, words, &w.Filter)
	}
	if len(d.Institutions)+len(d.Sources) > 1 {
		return words.Say("mail.what.claimed", "n", words.Number(len(d.Institutions)+len(d.Sources))), nil
	}
	if len(d.Institutions) == 1 {
		return describe(ctx, tx, words, &catalog.EventFilter{Institutions: d.Institutions})
	}
	sources, err := tx.Sources().All(ctx)
	if err != nil {
		return "", err
	}
	for i := range sources {
		if s := &sources[i]; len(d.Sources) == 1 && s.ID == d.Sources[0] {
			return words.Say("mail.what.institution", "name", mail.Line(cmp.Or(s.Title, s.Key), 120)), nil
		}
	}
	return words.T("mail.what.nameless"), nil
}

// owner is what the digest of an owner says beside events.
func owner(d *mail.Digest, of *catalog.Digest) *mail.Owner {
	told := of.Told
	o := &mail.Owner{Reports: told.Reports, Total: told.Total, Desk: d.BaseURL + wire.LocalRoute(d.Code(), "/claim")}
	if len(of.Claims) == 1 {
		o.Desk += "/" + of.Claims[0]
	}
	if len(of.Institutions) == 1 {
		o.List = d.BaseURL + wire.LocalRoute(d.Code(), "/institution/"+of.Institutions[0]+"/fixes")
	}
	if told.Total > 0 {
		o.Mend = d.Say("mail.owner.mend", "n", d.Number(told.Total), "entries", d.Number(told.Entries))
	} else if told.Was > 0 {
		o.Mend = d.T("mail.owner.mended")
	}
	if told.Was >= 0 && told.Was != told.Total {
		o.Mend += " " + d.Say("mail.owner.was", "n", d.Number(told.Was))
	}
	if told.Reports > 0 {
		o.Waiting = d.Say("mail.owner.reports", "n", d.Number(told.Reports))
	}
	for _, x := range told.Best {
		o.Best = append(o.Best, mail.Mend{Name: x.Name, Link: d.BaseURL + wire.LocalRoute(d.Code(), "/entry/"+x.Slug), Advice: d.T(pages.Advice(x.Rule)), Points: fmt.Sprintf("+%s", d.Decimal(x.Points, 1))})
	}
	return o
}
