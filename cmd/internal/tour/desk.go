package tour

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"time"

	"github.com/assay-register/assay/build/harvest"
	"github.com/assay-register/assay/dynamic/notify"
	"github.com/assay-register/assay/render/catalog"
)

// Reader is who watches the office.
const Reader = "reader@example.org"

// Suggested is the route of the office that nobody has suggested yet.
const Suggested = "/gauges/openapi.json"

// Furnish puts into the store of the sample register what a newcomer finds at the
// desk: the office as an institution, which owns its address; submissions whose
// checks are queued; reports; a harvest that cannot succeed; a webhook that leads
// to the receiver; and a watch of the office. What becomes of the jobs is decided
// by those who carry them out.
func Furnish(ctx context.Context, st catalog.Store, o *Office, now time.Time) error {
	now = now.UTC().Truncate(time.Microsecond)
	err := st.Update(ctx, func(tx catalog.Tx) error {
		office, err := institution(o, now)
		if err != nil {
			return err
		}
		err = tx.Institutions().Put(ctx, office)
		return errors.Join(err, propose(ctx, tx, o, now), report(ctx, tx, now), failing(ctx, tx, o, now), tell(ctx, tx, o, office.ID, now))
	})
	if err != nil {
		return fmt.Errorf("furnish the desk: %w", err)
	}
	return nil
}

func institution(o *Office, now time.Time) (catalog.Institution, error) {
	host, _, err := net.SplitHostPort(o.Address())
	key := "demo-water-office"
	return catalog.Institution{ID: harvest.InstitutionID(key), Key: key, Name: "Demo Water Office", NativeLang: "en", Type: catalog.InstAgency,
		HomepageURL: o.URL("/"), OfficialDomains: []string{host}, Managed: true, CreatedAt: now, UpdatedAt: now}, err
}

// propose files what others have suggested: two sources that wait for a
// moderator once they are checked, and one that cannot be had.
func propose(ctx context.Context, tx catalog.Tx, o *Office, now time.Time) error {
	for _, s := range []catalog.Submission{
		{URL: o.URL("/bathing"), Notes: "I swim there."},
		{URL: o.URL("/wells.csv"), Name: "Groundwater wells", Type: catalog.TypeDataset, Description: "Depth and level of the wells.", ContactEmail: "wells@example.org"},
		{URL: o.URL("/archive.csv"), Name: "Archive of levels"},
	} {
		s.ID, s.Address, s.State, s.CreatedAt, s.UpdatedAt = catalog.NewID("submission", s.URL), catalog.NormalURL(s.URL), catalog.SubmissionReceived, now, now
		s.Steps = []catalog.SubmissionStep{{State: s.State, At: now}}
		if err := s.Validate(); err != nil {
			return err
		}
		if err := tx.Submissions().Put(ctx, s); err != nil {
			return err
		}
		if _, err := tx.Jobs().Enqueue(ctx, catalog.NewCheckJob(s.ID, now)); err != nil {
			return err
		}
		data, err := json.Marshal(map[string]string{"submission": s.ID, "status": string(s.State)})
		if err != nil {
			return err
		}
		if err := tx.Events().Append(ctx, catalog.Event{Type: catalog.EventSubmissionReceived, OccurredAt: now, Data: data}); err != nil {
			return err
		}
	}
	return nil
}

// report files reports on the first entries of the register.
func report(ctx context.Context, tx catalog.Tx, now time.Time) error {
	messages := []catalog.Report{
		{Field: "license_id", Message: "The licence page names another version of the licence.", ContactEmail: Reader},
		{Message: "The description reads as if this were a draft."},
	}
	var ids []string
	err := tx.Entries().Keys(ctx, func(k *catalog.Key) error {
		if k.Visible(now) && len(ids) < len(messages) {
			ids = append(ids, k.ID)
		}
		return nil
	})
	for i, id := range ids {
		r := messages[i]
		r.ID, r.EntryID, r.State, r.CreatedAt = catalog.NewID("report", id), id, catalog.ReportOpen, now
		err = errors.Join(err, r.Validate(), tx.Reports().Put(ctx, r))
	}
	return err
}

// failing queues one harvest, tried once, of a catalogue that the office does not
// have.
func failing(ctx context.Context, tx catalog.Tx, o *Office, now time.Time) error {
	s := catalog.Source{ID: harvest.SourceID("demo-water-catalogue"), Key: "demo-water-catalogue", Kind: "datajson", Title: "Catalogue of the Demo Water Office",
		URL: o.URL("/data.json"), Managed: true, CreatedAt: now, UpdatedAt: now}
	payload, err := json.Marshal(catalog.DiscoveryPayload{Sources: []string{s.Key}})
	if err != nil {
		return err
	}
	job := catalog.Job{ID: catalog.NewID("job", s.ID), Kind: catalog.JobDiscovery, Payload: payload, RunAt: now, CreatedAt: now, MaxAttempts: 1}
	_, err = tx.Jobs().Enqueue(ctx, job)
	return errors.Join(err, tx.Sources().Put(ctx, s))
}

// tell lets the receiver and a reader know of what happens from now on.
func tell(ctx context.Context, tx catalog.Tx, o *Office, office string, now time.Time) error {
	last, err := tx.Events().Last(ctx)
	if err != nil {
		return err
	}
	hook := catalog.Webhook{ID: catalog.NewID("webhook", o.URL("/hook")), URL: o.URL("/hook"), Description: "the receiver of the demo", State: catalog.WebhookActive,
		Secrets: []catalog.WebhookSecret{{Value: notify.NewSecret(), CreatedAt: now}}, Cursor: last, VerifiedAt: now, CreatedAt: now, UpdatedAt: now}
	watch := catalog.Watch{ID: catalog.NewID("watch", Reader), Email: Reader, Filter: catalog.EventFilter{Institutions: []string{office}},
		Frequency: catalog.FrequencyImmediate, State: catalog.WatchActive, Since: last, CreatedAt: now, VerifiedAt: now, UpdatedAt: now}
	return errors.Join(watch.Validate(), hook.Validate(true), tx.Webhooks().Put(ctx, hook), tx.Watches().Put(ctx, watch))
}
