package store

import (
	"context"
	"fmt"
	"time"

	"github.com/assay-register/assay/render/catalog"
)

// Rewind changes hosts before probes, in the order in which a worker that
// settles takes them.
func (a probes) Rewind(ctx context.Context, now, latest, survey time.Time) (int64, error) {
	at, slack, last := micros(now), micros(now.Add(catalog.ClockSlack)), micros(latest)
	var held, down, due int64
	err := a.c.atomic(ctx, func() (err error) {
		const free = "UPDATE probe_hosts SET worker = '', free_at = $1 WHERE worker <> '' AND free_at > $2 OR free_at > $3"
		if held, err = a.c.exec(ctx, free, at, slack, last); err != nil {
			return err
		}
		const since = "UPDATE probe_hosts SET down_since = CASE WHEN down_since > $2 THEN $1 ELSE down_since END," +
			" failing_at = CASE WHEN failing_at > $2 THEN $1 ELSE failing_at END WHERE down_since > $2 OR failing_at > $2"
		if down, err = a.c.exec(ctx, since, at, slack); err != nil {
			return err
		}
		due, err = a.rewindProbes(ctx, at, slack, last, survey)
		return err
	})
	if err != nil {
		return 0, fmt.Errorf("rewind probes: %w", err)
	}
	return held + down + due, nil
}

// rewindProbes brings the probes back, and with them when their hosts are due.
func (a probes) rewindProbes(ctx context.Context, at, slack, last int64, survey time.Time) (int64, error) {
	looks := int64(0)
	if !survey.IsZero() {
		n, err := a.c.exec(ctx, "UPDATE probes SET survey_at = NULL WHERE survey_at > $1", micros(survey))
		if err != nil {
			return 0, err
		}
		looks = n
	}
	n, err := a.c.exec(ctx, "UPDATE probes SET due_at = $1, failed_at = NULL WHERE due_at > $3 OR failed_at > $2", at, slack, last)
	if err == nil && n > 0 {
		_, err = a.c.exec(ctx, "UPDATE probe_hosts SET due_at = (SELECT MIN(p.due_at) FROM probes p WHERE p.host = probe_hosts.host)")
	}
	return looks + n, err
}
