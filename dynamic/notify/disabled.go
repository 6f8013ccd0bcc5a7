package notify

import (
	"context"
	"errors"
	"time"

	"github.com/assay-register/assay/dynamic/mail"
	"github.com/assay-register/assay/render/catalog"
)

// JobDisabled tells the operator by mail that a webhook was disabled. A webhook
// has no address of its own: only administrators keep webhooks.
const JobDisabled = "mail.disabled"

// NewDisabledJob is the job that tells of one time that a webhook was disabled,
// so it is queued once.
func NewDisabledJob(w *catalog.Webhook, now time.Time) catalog.Job {
	j := NewMailJob(JobDisabled, w.ID, now, now)
	j.ID = catalog.NewID("mail", JobDisabled+"|"+w.ID+"|"+w.DisabledAt.UTC().Format(time.RFC3339Nano))
	return j
}

// disabled makes the mail about a disabled webhook; nil when it is gone or
// enabled again.
func (m *Mailer) disabled(ctx context.Context, id, jobID string) (*mail.Message, error) {
	var w *catalog.Webhook
	err := m.Store.View(ctx, func(tx catalog.Tx) (err error) {
		w, err = tx.Webhooks().Get(ctx, id)
		return err
	})
	if errors.Is(err, catalog.ErrNotFound) || err == nil && w.State != catalog.WebhookDisabled {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	site := m.Site()
	return mail.NewDisabled(site.Name, site.BaseURL, w).Message(m.Operator, jobID)
}
