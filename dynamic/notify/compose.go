package notify

import (
	"cmp"
	"context"
	"errors"

	"github.com/assay-register/assay/dynamic/mail"
	"github.com/assay-register/assay/render/catalog"
	"github.com/assay-register/assay/render/pages"
)

// itemsMax is how many events one mail tells of.
const itemsMax = 200

// Routes of the links in mail, below the base URL and before the token.
const (
	RouteVerify      = "/api/v1/webhooks/watches/verify/"
	RouteManage      = "/api/v1/webhooks/watches/manage/"
	RouteUnsubscribe = "/api/v1/webhooks/watches/unsubscribe/"
)

// confirm makes the mail that asks for confirmation; nil when none is to be
// sent.
func (m *Mailer) confirm(ctx context.Context, id, jobID string) (*mail.Message, error) {
	token, err := m.Keys.Verify(ctx, id, jobID)
	if err != nil {
		return nil, err
	}
	var w *catalog.Watch
	var what string
	var words mail.Words
	err = m.Store.Update(ctx, func(tx catalog.Tx) error {
		var err error
		if w, err = tx.Watches().Get(ctx, id); err != nil {
			return err
		}
		ok, err := m.mayAsk(ctx, tx, w, jobID)
		if err != nil || !ok {
			w = nil
			return err
		}
		w.VerifyHash, w.MailedAt = HashToken(token), m.Now().UTC()
		words = pages.Words(w.Lang)
		if what, err = m.what(ctx, tx, words, w); err != nil {
			return err
		}
		return tx.Watches().Put(ctx, *w)
	})
	if errors.Is(err, catalog.ErrNotFound) || err == nil && w == nil {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	c := mail.Confirm{Words: words, Register: m.Site().Name, BaseURL: m.Site().BaseURL, What: what, Often: often(words, w.Frequency), Link: m.Site().BaseURL + RouteVerify + token}
	return c.Message(w.Email, jobID)
}

// mayAsk tells whether the address may be asked to confirm the watch.
func (m *Mailer) mayAsk(ctx context.Context, tx catalog.Tx, w *catalog.Watch, jobID string) (bool, error) {
	now := m.Now().UTC()
	if w.State != catalog.WatchPending || now.Sub(w.CreatedAt) > catalog.VerifyWithin {
		return false, nil
	}
	return admit(ctx, tx, w.Email, jobID, now)
}

// digest makes the mail about the events of a watch; nil when there are none.
// Its events are bound to the job, so a second try tells the same.
func (m *Mailer) digest(ctx context.Context, id, jobID string) (*mail.Message, error) {
	token, err := m.Keys.Manage(ctx, id)
	if err != nil {
		return nil, err
	}
	mending, err := m.mending(ctx, id)
	if err != nil {
		return nil, err
	}
	site := m.Site()
	var w *catalog.Watch
	d := mail.Digest{Register: site.Name, BaseURL: site.BaseURL, Manage: site.BaseURL + RouteManage + token, Unsubscribe: site.BaseURL + RouteUnsubscribe + token}
	err = m.Store.Update(ctx, func(tx catalog.Tx) error {
		var err error
		if w, err = tx.Watches().Get(ctx, id); err != nil {
			return err
		}
		now := m.Now()
		if !w.Free(now, jobID) {
			return &takenError{w.Next(now)}
		}
		if w.Digest != nil {
			if holds, err := m.prepare(ctx, tx, w, jobID, mending); err != nil || !holds {
				w = nil
				return err
			}
		}
		numbers, err := tx.WatchItems().Bind(ctx, id, jobID, itemsMax)
		if err != nil {
			return err
		}
		d.Words = pages.Words(w.Lang)
		if d.What, err = m.what(ctx, tx, d.Words, w); err != nil {
			return err
		}
		if err := m.fill(ctx, tx, &d, w, numbers); err != nil {
			return err
		}
		if w.Digest != nil {
			d.Owner = owner(&d, w.Digest)
		}
		if silent(w, &d) || w.Frequency == catalog.FrequencyImmediate {
			return nil
		}
		w.Spend(now, jobID)
		return tx.Watches().Put(ctx, *w)
	})
	if errors.Is(err, catalog.ErrNotFound) || err == nil && (w == nil || silent(w, &d)) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	d.Often = often(d.Words, w.Frequency)
	return d.Message(w.Email, jobID)
}

// silent tells that there is nothing to send.
func silent(w *catalog.Watch, d *mail.Digest) bool {
	return d.Total == 0 && (w.Digest == nil || !w.Digest.Due)
}

// fill groups the events by entry, in the order in which the entries first
// appear.
func (m *Mailer) fill(ctx context.Context, tx catalog.Tx, d *mail.Digest, w *catalog.Watch, numbers []int64) error {
	list, entries, err := m.readEvents(ctx, tx, numbers)
	if err != nil {
		return err
	}
	d.Entries, d.Total = nil, 0
	place := map[string]int{}
	for i := range list {
		e := &list[i]
		shown, ok := m.shown(e, entries[e.EntryID])
		// What of an owner's claims ended meanwhile is not told of.
		if !ok || shown.Entry == nil || w.Digest != nil && !w.Digest.Has(entries[e.EntryID]) {
			continue
		}
		at, known := place[e.EntryID]
		if !known {
			at = len(d.Entries)
			place[e.EntryID] = at
			d.Entries = append(d.Entries, mail.NewEntry(d.Words, d.BaseURL, entries[e.EntryID]))
		}
		d.Entries[at].Events = append(d.Entries[at].Events, mail.NewEvent(d.Words, &shown, e.OccurredAt))
		d.Total++
	}
	return nil
}

// describe says in the words of a language what a filter keeps.
func describe(ctx context.Context, tx catalog.Tx, w mail.Words, f *catalog.EventFilter) (string, error) {
	n := len(f.Entries) + len(f.Countries) + len(f.Institutions) + len(f.Tags)
	if len(f.Entries) == 1 && n == 1 {
		found, err := tx.Entries().Get(ctx, f.Entries[0])
		if err != nil || len(found) == 0 {
			return w.T("mail.what.one"), err
		}
		return mail.NewEntry(w, "", &found[0]).Name, nil
	}
	switch {
	case len(f.Countries) == 1 && n == 1:
		return w.Say("mail.what.country", "name", w.Country(f.Countries[0])), nil
	case len(f.Tags) == 1 && n == 1:
		return w.Say("mail.what.tag", "name", mail.Line(f.Tags[0], catalog.TagMax)), nil
	case len(f.Institutions) == 1 && n == 1:
		i, err := tx.Institutions().Get(ctx, f.Institutions[0])
		if errors.Is(err, catalog.ErrNotFound) {
			return w.T("mail.what.nameless"), nil
		}
		if err != nil {
			return "", err
		}
		name := cmp.Or(i.NameEn, i.Name)
		if own, _ := i.Names.In(w.Code()); own != "" {
			name = own
		}
		return w.Say("mail.what.institution", "name", mail.Line(name, 120)), nil
	case len(f.Entries) == n:
		return w.Say("mail.what.some", "n", w.Number(n)), nil
	}
	return w.T("mail.what.selection"), nil
}

// often is a frequency in the words of a language.
func often(w mail.Words, f catalog.Frequency) string {
	return w.Word("mail.often", string(cmp.Or(f, catalog.FrequencyImmediate)))
}
