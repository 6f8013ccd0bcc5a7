package admin

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"

	"github.com/assay-register/assay/dynamic/web"
	"github.com/assay-register/assay/render/catalog"
	"github.com/assay-register/assay/render/wire"
)

const actionBulk = "bulkSubmissions"

// errPreview undoes a transaction that was only to tell what it would change.
var errPreview = errors.New("preview")

// Bulk decides on many candidates in one transaction. A row that cannot be done leaves
// nothing behind and stops no other.
func (o *API) Bulk() web.Handler {
	return func(w http.ResponseWriter, r *http.Request) error {
		key, err := web.Idempotency(r, actionBulk)
		if err != nil {
			return err
		}
		req, err := decoded[wire.BulkRequest](r)
		if err != nil {
			return err
		}
		if err := checkBulk(req); err != nil {
			return err
		}
		if n := len(req.Items); n > 1 && !req.Preview {
			if err := o.spend(r.Context(), n-1); err != nil {
				return err
			}
		}
		var body []byte
		err = o.change(r, actionBulk, func(a *act) (err error) {
			body, err = a.replay(key, req, func() (any, error) { return a.bulk(req) })
			if err == nil && req.Preview {
				return errPreview
			}
			return err
		})
		if err != nil && !errors.Is(err, errPreview) {
			return err
		}
		web.ReplyBytes(w, r, http.StatusOK, body)
		return nil
	}
}

func (o *API) spend(ctx context.Context, items int) error {
	if o.Spend == nil {
		return nil
	}
	return o.Spend(ctx, items)
}

// replay gives the answer to a request whose key came before; else it makes one and keeps
// it under the key, unless it is of a preview.
func (a *act) replay(key string, req *wire.BulkRequest, answer func() (any, error)) ([]byte, error) {
	if key == "" || req.Preview {
		v, err := answer()
		if err != nil {
			return nil, err
		}
		return web.JSON(v)
	}
	doc, err := web.JSON(req)
	if err != nil {
		return nil, err
	}
	request := web.Digest(string(doc))
	before, err := a.tx.Replays().Get(a.ctx, key)
	if err != nil {
		return nil, err
	}
	if b, ok := before[key]; ok {
		if b.Request != request {
			return nil, web.KeyReused()
		}
		return []byte(b.Body), nil
	}
	v, err := answer()
	if err != nil {
		return nil, err
	}
	body, err := web.JSON(v)
	if err != nil {
		return nil, err
	}
	return body, a.tx.Replays().Put(a.ctx, catalog.Replay{Key: key, Request: request, Status: http.StatusOK, Body: string(body), At: a.now})
}

// checkBulk looks whether the request as a whole makes sense.
func checkBulk(req *wire.BulkRequest) error {
	if !slices.Contains(wire.BulkActions(), req.Action) {
		return invalid("action", req.Action, "use "+strings.Join(wire.BulkActions(), ", "))
	}
	if req.Action != wire.BulkAssign && req.Action != wire.BulkRelease {
		why, err := reason(req.Reason)
		if err != nil {
			return err
		}
		req.Reason = why
	}
	switch {
	case req.Batch != "" && (req.Action != wire.BulkReopen || len(req.Items) > 0):
		return invalid("batch", req.Batch, "a batch stands in place of items, and can only be reopened")
	case req.Batch == "" && len(req.Items) == 0:
		return invalid("items", "", "name the candidates")
	case len(req.Items) > wire.BulkMax:
		return invalid("items", fmt.Sprint(len(req.Items)), fmt.Sprintf("name at most %d candidates in one request", wire.BulkMax))
	}
	return nil
}

// bulk decides row by row.
func (a *act) bulk(req *wire.BulkRequest) (*wire.BulkResult, error) {
	out := &wire.BulkResult{Batch: a.batch, Action: req.Action, Preview: req.Preview, Items: []wire.BulkRow{}}
	items := req.Items
	if req.Batch != "" {
		list, err := a.tx.Moderations().Batch(a.ctx, req.Batch)
		if err != nil {
			return nil, err
		}
		if len(list) == 0 {
			return nil, invalid("batch", req.Batch, "no decision is of this batch; the list of decisions has those that are")
		}
		for i := range list {
			items = append(items, wire.BulkItem{ID: list[i].Subject})
		}
		if len(items) > 1 && !req.Preview {
			if err := a.api.spend(a.ctx, len(items)-1); err != nil {
				return nil, err
			}
		}
	}
	if req.Action == wire.BulkAssign {
		if err := a.moderator(&req.To); err != nil {
			return nil, err
		}
	}
	for i := range items {
		row, err := a.bulkRow(req, &items[i])
		if err != nil {
			return nil, err
		}
		if row.Status == http.StatusOK {
			out.Done++
		} else {
			out.Refused++
		}
		out.Items = append(out.Items, row)
	}
	return out, nil
}

// bulkRow decides on one item. What refuses the item is told in its row; an error is one of
// the whole, such as a store that is away.
func (a *act) bulkRow(req *wire.BulkRequest, item *wire.BulkItem) (wire.BulkRow, error) {
	row := wire.BulkRow{ID: item.ID, Status: http.StatusOK}
	err := a.tx.Try(a.ctx, func() error { return a.bulkItem(req, item, &row) })
	if err == nil {
		return row, nil
	}
	problem := web.ProblemOf(err)
	if problem.Status >= http.StatusInternalServerError || a.ctx.Err() != nil {
		return row, err
	}
	refused := wire.BulkRow{ID: item.ID, Status: problem.Status, Entry: row.Entry, Submission: row.Submission, Name: row.Name, From: row.From, Href: row.Href}
	detail := problem.Detail
	for _, e := range problem.Errors {
		detail = strings.TrimSpace(detail + " " + e.Location + ": " + e.Message + ".")
	}
	refused.Detail = &detail
	return refused, nil
}

func (a *act) bulkItem(req *wire.BulkRequest, item *wire.BulkItem, row *wire.BulkRow) error {
	if req.Action == wire.BulkReopen {
		return a.reopen(row, req.Reason)
	}
	c, err := a.candidate(item.ID)
	if err != nil {
		return err
	}
	from := c.state()
	fillRow(a.api, row, &c, from)
	if err := changed(&c, item.Version); err != nil {
		return err
	}
	into := req.Into
	if item.Into != "" {
		into = item.Into
	}
	switch req.Action {
	case wire.BulkApprove:
		err = a.approve(&c, req.Reason, nil)
	case wire.BulkReject:
		err = a.reject(&c, req.Reason, &wire.RejectionReceipt{})
	case wire.BulkMerge:
		err = a.mergeCandidate(&c, into, req.Reason)
	default:
		return a.assign(&c, req)
	}
	if err != nil {
		return err
	}
	fillRow(a.api, row, &c, from)
	row.Decision = &a.noted.ID
	return nil
}

// state is the status of the entry, or of a submission that has none.
func (c *candidate) state() string {
	if c.entry != nil {
		return string(c.entry.Status)
	}
	return string(c.submission.State)
}

// fillRow says what a row is about and how it stands now.
func fillRow(o *API, row *wire.BulkRow, c *candidate, from string) {
	to := c.state()
	row.From, row.To, row.Submission = &from, &to, id(c.submission)
	if c.entry == nil {
		row.Name = &c.submission.URL
		return
	}
	href := o.path("/api/v1/entries/" + c.entry.Slug)
	row.Entry, row.Name, row.Href, row.Version = &c.entry.ID, &c.entry.Name, &href, c.entry.Revision
	if !c.entry.PublishedAt.IsZero() && c.entry.Status == catalog.StatusActive {
		at := wire.NewEntryChange(c.entry, href).PublishedAt
		row.PublishedAt = at
	}
}

// moderator makes the name of a moderator of the one that a request means: the caller, or a
// holder of a token.
func (a *act) moderator(to *string) error {
	if *to == "" {
		*to = a.who()
		return nil
	}
	all, err := a.tx.Tokens().All(a.ctx)
	if err != nil {
		return err
	}
	if !slices.ContainsFunc(all, func(t catalog.Token) bool {
		return t.Name == *to && t.RevokedAt.IsZero() && t.Role.May(catalog.RoleModerator)
	}) {
		return invalid("to", *to, "name a moderator as the tokens do, or leave it out to take them yourself")
	}
	return nil
}

// assign gives a candidate to a moderator, or takes it from who has it.
func (a *act) assign(c *candidate, req *wire.BulkRequest) error {
	if c.state() != string(catalog.StatusPending) {
		return a.decided("Only what waits for a moderator can be taken.", c)
	}
	all, err := a.assignments()
	if err != nil {
		return err
	}
	old, taken := all[c.subject()]
	if taken && !req.Take && old.Holder != a.who() && (req.Action == wire.BulkRelease || old.Holder != req.To) {
		return conflict("%s has taken this candidate at %s; take it from there only when you know of each other.", old.Holder, old.At.UTC().Format("2006-01-02 15:04"))
	}
	to := req.To
	if req.Action == wire.BulkRelease {
		to = ""
		err = a.tx.Moderations().Release(a.ctx, c.subject())
		delete(all, c.subject())
	} else {
		fresh := catalog.Assignment{Subject: c.subject(), Holder: to, By: a.who(), At: a.now}
		err = a.tx.Moderations().Assign(a.ctx, fresh)
		all[c.subject()] = fresh
	}
	if err != nil {
		return err
	}
	return a.audit(c.subject(), req.Reason, map[string]any{"action": req.Action, "from": old.Holder, "to": to, "batch": a.batch})
}

// assignments are read once in a transaction.
func (a *act) assignments() (map[string]catalog.Assignment, error) {
	var err error
	if a.taken == nil {
		a.taken, err = a.tx.Moderations().Assignments(a.ctx)
	}
	return a.taken, err
}
