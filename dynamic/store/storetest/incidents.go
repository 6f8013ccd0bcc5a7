package storetest

import (
	"context"
	"testing"
	"time"

	"github.com/assay-register/assay/render/catalog"
)

var incidentTests = map[string]func(*testing.T, catalog.Store){"Incidents": testIncidents}

func testIncidents(t *testing.T, s catalog.Store) {
	at := func(hours int) time.Time { return day.Add(time.Duration(hours) * time.Hour) }
	full := filled[catalog.Incident](t, 1)
	full.EntryID, full.Host, full.From = "b", "two.example", at(9)
	open := catalog.Incident{ID: "i1", EntryID: "a", Host: "one.example", Cause: catalog.CauseSource, From: at(1), OpenedAt: at(2)}
	ended := catalog.Incident{ID: "i2", EntryID: "a", Host: "one.example", Cause: catalog.CauseSource, From: at(0), OpenedAt: at(1), Until: at(3)}
	whole := catalog.Incident{ID: "i3", Host: "one.example", Cause: catalog.CauseUnreachable, From: at(4), OpenedAt: at(5)}
	update(t, s, func(ctx context.Context, tx catalog.Tx) error {
		return tx.Incidents().Put(ctx, open, ended, whole, full)
	})
	view(t, s, func(ctx context.Context, tx catalog.Tx) error {
		for name, c := range map[string]struct {
			read func() ([]catalog.Incident, error)
			want []catalog.Incident
		}{
			"open ones of entries": {func() ([]catalog.Incident, error) { return tx.Incidents().OpenOf(ctx, "a", "b", "nobody") }, []catalog.Incident{open}},
			"open ones on a host":  {func() ([]catalog.Incident, error) { return tx.Incidents().OpenOn(ctx, "one.example") }, []catalog.Incident{open, whole}},
			"a scan": {func() (list []catalog.Incident, err error) {
				err = tx.Incidents().Scan(ctx, catalog.Range{}, func(i *catalog.Incident) error { list = append(list, *i); return nil })
				return list, err
			}, []catalog.Incident{ended, open, full}},
			"those of hosts": {func() (list []catalog.Incident, err error) {
				err = tx.Incidents().OfHosts(ctx, func(i *catalog.Incident) error { list = append(list, *i); return nil })
				return list, err
			}, []catalog.Incident{whole}},
		} {
			got, err := c.read()
			if err != nil {
				return err
			}
			wantEqual(t, name, got, c.want)
		}
		for name, c := range map[string]struct {
			filter catalog.IncidentFilter
			want   []catalog.Incident
		}{
			"the latest":     {catalog.IncidentFilter{Limit: 2}, []catalog.Incident{full, whole}},
			"those behind":   {catalog.IncidentFilter{Before: whole.ID, Limit: 5}, []catalog.Incident{open, ended}},
			"of an entry":    {catalog.IncidentFilter{EntryID: "a", Limit: 5}, []catalog.Incident{open, ended}},
			"of a host":      {catalog.IncidentFilter{Host: "one.example", Limit: 5}, []catalog.Incident{whole, open, ended}},
			"open":           {catalog.IncidentFilter{Host: "one.example", Open: true, Limit: 5}, []catalog.Incident{whole, open}},
			"not over since": {catalog.IncidentFilter{EntryID: "a", Since: at(4), Limit: 5}, []catalog.Incident{open}},
		} {
			got, err := tx.Incidents().List(ctx, c.filter)
			if err != nil {
				return err
			}
			wantEqual(t, name, got, c.want)
		}
		return nil
	})
	open.Until = at(7)
	update(t, s, func(ctx context.Context, tx catalog.Tx) error { return tx.Incidents().Put(ctx, open) })
	view(t, s, func(ctx context.Context, tx catalog.Tx) error {
		got, err := tx.Incidents().OpenOf(ctx, "a")
		wantEqual(t, "when it is over", len(got), 0)
		return err
	})
}
