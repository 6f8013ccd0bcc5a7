package admin

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/assay-register/assay/dynamic/query"
	"github.com/assay-register/assay/dynamic/web"
	"github.com/assay-register/assay/render/catalog"
	"github.com/assay-register/assay/render/wire"
)

// Jobs lists queued work.
func (o *API) Jobs() web.Handler {
	return func(w http.ResponseWriter, r *http.Request) error {
		q, err := query.ReadPlain(r, wire.JobParams())
		if err != nil {
			return err
		}
		limit := q.Int("limit")
		f := catalog.JobFilter{Kind: q["kind"], State: catalog.JobState(q["state"]), Limit: limit + 1}
		if f.After, err = place(q["cursor"]); err != nil {
			return err
		}
		var list []catalog.Job
		err = o.view(r, func(ctx context.Context, tx catalog.Tx) (err error) {
			list, err = tx.Jobs().List(ctx, f)
			return err
		})
		if err != nil {
			return err
		}
		page := wire.JobsPage{Items: []wire.JobItem{}}
		if len(list) > limit {
			list = list[:limit]
			values := url.Values{"limit": {strconv.Itoa(limit)}}
			for name, value := range map[string]string{"kind": f.Kind, "state": string(f.State)} {
				if value != "" {
					values.Set(name, value)
				}
			}
			page.Next = o.next("/api/v1/admin/jobs", list[limit-1].ID, values)
		}
		for i := range list {
			page.Items = append(page.Items, wire.NewJobItem(&list[i]))
		}
		return web.Reply(w, r, http.StatusOK, page)
	}
}

// noJob is a 404 where err says that there is none.
func noJob(err error) error {
	if errors.Is(err, catalog.ErrNotFound) {
		return web.NotFound("There is no job with this id.")
	}
	return err
}

// Job shows one job with its progress.
func (o *API) Job() web.Handler {
	return func(w http.ResponseWriter, r *http.Request) error {
		if _, err := query.ReadPlain(r, nil); err != nil {
			return err
		}
		var job *catalog.Job
		err := o.view(r, func(ctx context.Context, tx catalog.Tx) (err error) {
			job, err = tx.Jobs().Get(ctx, r.PathValue("id"))
			return err
		})
		if err != nil {
			return noJob(err)
		}
		return web.Reply(w, r, http.StatusOK, wire.NewJobItem(job))
	}
}

// CancelJob ends a job.
func (o *API) CancelJob() web.Handler {
	return func(w http.ResponseWriter, r *http.Request) error {
		var job *catalog.Job
		err := o.change(r, "cancelJob", func(a *act) error {
			id := r.PathValue("id")
			if err := a.tx.Jobs().Cancel(a.ctx, id, a.now); errors.Is(err, catalog.ErrConflict) {
				return conflict("This job has ended already.")
			} else if err != nil {
				return noJob(err)
			}
			var err error
			if job, err = a.tx.Jobs().Get(a.ctx, id); err != nil {
				return err
			}
			return a.audit(id, "", map[string]string{"kind": job.Kind})
		})
		if err != nil {
			return err
		}
		return web.Reply(w, r, http.StatusOK, wire.NewJobItem(job))
	}
}

// namesMax is how many sources or entries a trigger may name, nameMax how long
// a name may be, in bytes.
const namesMax, nameMax = 500, 200

func checkNames(field string, names []string) error {
	if len(names) > namesMax {
		return invalid(field, "", "name at most 500")
	}
	for _, n := range names {
		if n == "" {
			return invalid(field, n, "leave out empty names")
		}
		if err := catalog.CheckText(field, n, nameMax); err != nil {
			return err
		}
	}
	return nil
}

// Discovery queues a harvest.
func (o *API) Discovery() web.Handler {
	return func(w http.ResponseWriter, r *http.Request) error {
		req, err := decoded[wire.DiscoveryRequest](r)
		if err != nil {
			return err
		}
		if err := checkNames("sources", req.Sources); err != nil {
			return err
		}
		names := slices.Compact(slices.Sorted(slices.Values(req.Sources)))
		return o.trigger(w, r, "triggerDiscovery", catalog.JobDiscovery, names, catalog.DiscoveryPayload{Sources: names}, func(a *act) error {
			return a.knownSources(names)
		})
	}
}

// knownSources refuses names that no source has.
func (a *act) knownSources(names []string) error {
	all, err := a.tx.Sources().All(a.ctx)
	if err != nil {
		return err
	}
	for _, n := range names {
		if !slices.ContainsFunc(all, func(s catalog.Source) bool { return s.Key == n || s.ID == n }) {
			return invalid("sources", n, "use the key or the id of a source of the register")
		}
	}
	return nil
}

// Verification queues checks.
func (o *API) Verification() web.Handler {
	return func(w http.ResponseWriter, r *http.Request) error {
		req, err := decoded[wire.VerificationRequest](r)
		if err != nil {
			return err
		}
		if err := checkNames("entries", req.Entries); err != nil {
			return err
		}
		if req.All && len(req.Entries) > 0 {
			return invalid("all", "true", "name entries, or all, not both")
		}
		names := slices.Compact(slices.Sorted(slices.Values(req.Entries)))
		key := names
		if req.All {
			key = []string{"*"}
		}
		return o.trigger(w, r, "triggerVerification", catalog.JobVerification, key, catalog.VerificationPayload{Entries: names, All: req.All}, func(a *act) error {
			for _, n := range names {
				if _, err := find(a.ctx, a.tx, n); err != nil {
					return invalid("entries", n, "use the id or the slug of an entry of the register")
				}
			}
			return nil
		})
	}
}

// triggerAttempts is how often a triggered job is tried.
const triggerAttempts = 3

// trigger queues a job once and answers where its progress is seen.
func (o *API) trigger(w http.ResponseWriter, r *http.Request, action, kind string, names []string, payload any, check func(*act) error) error {
	doc, err := json.Marshal(payload)
	if err != nil {
		return err
	}
	var receipt wire.JobReceipt
	err = o.change(r, action, func(a *act) error {
		if err := check(a); err != nil {
			return err
		}
		unique := kind + " triggered " + catalog.NewID("names", strings.Join(names, "\n"))
		job := catalog.Job{ID: catalog.NewID("job", unique+a.now.Format(time.RFC3339Nano)), Kind: kind, UniqueKey: unique, Payload: doc,
			RunAt: a.now, CreatedAt: a.now, MaxAttempts: triggerAttempts}
		stored, err := a.tx.Jobs().Enqueue(a.ctx, job)
		if err != nil {
			return err
		}
		if len(stored) == 0 {
			return conflict("The same work is queued or running already.")
		}
		receipt = wire.JobReceipt{Job: job.ID, StatusURL: o.url("/api/v1/admin/jobs/" + job.ID)}
		return a.audit(job.ID, "", payload)
	})
	if err != nil {
		return err
	}
	w.Header()["Location"] = []string{receipt.StatusURL}
	return web.Reply(w, r, http.StatusAccepted, receipt)
}

// Stats is the register in numbers.
func (o *API) Stats() web.Handler {
	return func(w http.ResponseWriter, r *http.Request) error {
		if _, err := query.ReadPlain(r, nil); err != nil {
			return err
		}
		var s wire.AdminStats
		_, s.Snapshot = o.Site()
		err := o.view(r, func(ctx context.Context, tx catalog.Tx) error {
			entries, err := tx.Candidates().Count(ctx)
			if err != nil {
				return err
			}
			submissions, err := tx.Submissions().Count(ctx)
			if err != nil {
				return err
			}
			jobs, err := tx.Jobs().Count(ctx)
			if err != nil {
				return err
			}
			s.Entries, s.Submissions, s.Jobs = counts(catalog.Statuses(), entries), counts(catalog.SubmissionStates(), submissions), counts(catalog.JobStates(), jobs)
			s.Candidates = entries[catalog.StatusPending]
			return o.tally(ctx, tx, &s)
		})
		if err != nil {
			return err
		}
		return web.Reply(w, r, http.StatusOK, s)
	}
}

// tally counts the tables of the register.
func (o *API) tally(ctx context.Context, tx catalog.Tx, s *wire.AdminStats) error {
	institutions, err := tx.Institutions().All(ctx)
	if err != nil {
		return err
	}
	sources, err := tx.Sources().All(ctx)
	if err != nil {
		return err
	}
	s.Institutions, s.Sources = len(institutions), len(sources)
	if s.OpenReports, err = tx.Reports().CountOpen(ctx); err != nil {
		return err
	}
	s.LastEvent, err = tx.Events().Last(ctx)
	return err
}

// counts lists the numbers of all states in their documented order.
func counts[T ~string](states []T, by map[T]int) []wire.StateCount {
	out := make([]wire.StateCount, len(states))
	for i, s := range states {
		out[i] = wire.StateCount{State: string(s), Count: by[s]}
	}
	return out
}
