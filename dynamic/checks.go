package dynamic

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/assay-register/assay/dynamic/health"
	"github.com/assay-register/assay/render/catalog"
)

// lateAfter is for how long a due job may wait before the queue counts as
// stuck.
const lateAfter = 15 * time.Minute

// standing tells which snapshot answers, for the metrics.
func (s *Service) standing() (id string, asOf, built time.Time, entries int) {
	if c := s.library.Current(); c != nil {
		return c.ID, c.AsOf, s.library.Since(), len(c.Order)
	}
	return "", time.Time{}, time.Time{}, 0
}

// checks lists the components whose state /health/detailed shows.
func (s *Service) checks() []health.Check {
	return append([]health.Check{
		{Name: "snapshot", Look: s.lookAtSnapshot},
		{Name: "search", Look: s.lookAtSearch},
		{Name: "agents", Look: s.lookAtAgents},
		{Name: "store", Look: s.lookAtStore},
		{Name: "jobs", Look: s.lookAtJobs},
		{Name: "webhooks", Look: present(s.config.Store != nil && s.config.Outbound != nil, "events are delivered", "no deliveries from this process")},
		{Name: "proxy", Look: present(s.config.Store != nil && s.config.ProxyClient != nil, "requests are forwarded", "not configured")},
	}, s.config.Checks...)
}

// present is a component that is there or not.
func present(is bool, on, off string) func(context.Context) (string, error) {
	return func(context.Context) (string, error) {
		if !is {
			return off, health.ErrOff
		}
		return on, nil
	}
}

func (s *Service) lookAtSnapshot(context.Context) (string, error) {
	id, asOf, _, entries := s.standing()
	if id == "" {
		return "no snapshot could be read", health.ErrDown
	}
	return fmt.Sprintf("%s with %d entries, as of %s", id, entries, asOf.UTC().Format(time.RFC3339)), nil
}

func (s *Service) lookAtSearch(context.Context) (string, error) {
	if c := s.library.Current(); c == nil || !c.Searchable() {
		return "the snapshot has no search index", health.ErrDown
	}
	return "the index of the snapshot is open", nil
}

func (s *Service) lookAtAgents(ctx context.Context) (string, error) {
	handler, err := s.agents.get()
	if err != nil {
		return "the interface description cannot be read", err
	}
	return present(handler != nil, "MCP is served", "the site has no interface description")(ctx)
}

func (s *Service) lookAtStore(ctx context.Context) (string, error) {
	if s.config.Store == nil {
		return "this service reads the snapshot only", health.ErrOff
	}
	err := s.config.Store.View(ctx, func(tx catalog.Tx) error {
		_, err := tx.Events().Last(ctx)
		return err
	})
	if err != nil {
		return "does not answer", err
	}
	switch err := s.trial.write(ctx); {
	case errors.Is(err, context.DeadlineExceeded):
		return "answers; writes wait for a long one", nil
	case err != nil:
		return "answers, but takes no writes", err
	}
	return "answers and takes writes", nil
}

// lookAtJobs looks for due jobs that nobody takes.
func (s *Service) lookAtJobs(ctx context.Context) (string, error) {
	if s.config.Store == nil {
		return "this service reads the snapshot only", health.ErrOff
	}
	var waiting int
	var since time.Time
	err := s.config.Store.View(ctx, func(tx catalog.Tx) error {
		counts, err := tx.Jobs().Depth(ctx)
		if err != nil {
			return err
		}
		waiting, since = 0, s.config.Now()
		for _, c := range counts {
			if c.State != catalog.JobQueued {
				continue
			}
			if waiting += c.Jobs; c.Since.Before(since) {
				since = c.Since
			}
		}
		return nil
	})
	if err != nil {
		return "the queue cannot be read", err
	}
	if late := s.config.Now().Sub(since); late > lateAfter {
		return fmt.Sprintf("%d wait, one of them is due for %s: no worker takes it", waiting, late.Round(time.Minute)), health.ErrDown
	}
	return fmt.Sprintf("%d wait", waiting), nil
}
