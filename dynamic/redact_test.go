package dynamic

import (
	"context"
	"encoding/json"
	"net/url"
	"path"
	"strings"
	"testing"

	"github.com/assay-register/assay/render/catalog"
)

// TestASpamSubmissionIsNeverPublicAndCanBeRedacted: from its receipt over the
// rejection of its candidate to its redaction, no public answer holds its name or
// address; after the redaction the store holds neither.
func TestASpamSubmissionIsNeverPublicAndCanBeRedacted(t *testing.T) {
	b := newBrowser(t)
	const spam = "cheap-pills"
	w := b.want(303, "POST", "/submit", url.Values{"url": {"https://spam.example/" + spam}, "name": {"Cheap-Pills"}, "notes": {"cheap-pills"}, "contact_email": {"cheap-pills@spam.example"}})
	own := w.Header().Get("Location")
	id, _, _ := strings.Cut(path.Base(own), ".")
	if w := b.want(200, "GET", own, nil, "Cheap-Pills", spam, "Keep this address"); w.Header().Get("Referrer-Policy") != "no-referrer" || w.Header().Get("X-Robots-Tag") != "noindex" {
		t.Errorf("the submitter's page: %v", w.Header())
	}
	e := b.entry(catalog.StatusPending)
	b.update(func(ctx context.Context, tx catalog.Tx) error {
		before, err := tx.Entries().Get(ctx, e.ID)
		if err != nil {
			return err
		}
		x := before[0]
		x.Name, x.Slug, x.Description, x.PrimarySourceURL = "Cheap-Pills", spam, spam, "https://spam.example/"+spam
		s, err := tx.Submissions().Get(ctx, id)
		if err != nil {
			return err
		}
		s.State, s.EntryID, s.Findings = catalog.SubmissionQuarantined, e.ID, []string{spam}
		s.Steps = append(s.Steps, catalog.SubmissionStep{State: s.State, Class: catalog.ReasonProofs, Reason: spam, At: s.CreatedAt})
		if err := tx.Submissions().Put(ctx, *s); err != nil {
			return err
		}
		return tx.Entries().Put(ctx, catalog.Write{Entry: &x, Provenance: &catalog.Provenance{EntryID: e.ID, Rows: []catalog.FieldRow{{Field: "name", Basis: catalog.BasisInherited, Note: spam}}},
			Events: []catalog.Event{{Type: catalog.EventUpdated, OccurredAt: s.CreatedAt, Changes: []catalog.FieldChange{{Field: "name", To: json.RawMessage(`"cheap-pills"`)}}}}})
	})
	public := func(when string) {
		t.Helper()
		for _, at := range []string{"/api/v1/submissions", "/api/v1/submissions/" + id, "/submission/" + id, "/api/v1/entries/" + e.ID, "/api/v1/entries/" + spam, "/entry/" + spam,
			"/api/v1/entries/" + e.ID + "/provenance", "/api/v1/entries/" + e.ID + "/checks", "/api/v1/evidence/" + e.ID, "/api/v1/badges/" + spam + "/status.json", "/id/" + e.ID,
			"/api/v1/changes", "/api/v1/entries/search?q=cheap", "/api/v1/entries?limit=100", "/api/v1/entries/search/suggestions?q=cheap"} {
			body := strings.ToLower(get(b.s, "GET", at, "Accept", "application/json").Body.String())
			if strings.Contains(strings.ReplaceAll(body, strings.ToLower(at), ""), "pills") {
				t.Errorf("%s, %s: %s", when, at, body)
			}
		}
	}
	public("waiting")
	admin := *b
	admin.login(catalog.RoleAdmin)
	csrf := admin.csrf("/admin/queue")
	redact := "/admin/submissions/" + id + "/redact"
	admin.want(303, "POST", redact, url.Values{"csrf": {csrf}, "reason": {"spam"}})
	b.update(func(ctx context.Context, tx catalog.Tx) error {
		s, err := tx.Submissions().Get(ctx, id)
		if err == nil && (s.ContactEmail != "" || s.Notes != "" || s.URL == "" || s.State != catalog.SubmissionQuarantined || s.RedactedAt.IsZero()) {
			t.Errorf("redacted while it waits: %+v", s)
		}
		return err
	})
	admin.want(303, "POST", "/admin/candidates/"+id+"/reject", url.Values{"csrf": {csrf}, "reason": {"no official source"}})
	public("rejected")
	admin.want(200, "GET", "/admin/submissions", nil, "Cheap-Pills", redact)
	admin.want(422, "POST", redact, url.Values{"csrf": {csrf}})
	w = admin.want(303, "POST", redact, url.Values{"csrf": {csrf}, "reason": {"spam"}})
	if page := admin.want(200, "GET", w.Header().Get("Location"), nil, "redacted", id); strings.Contains(strings.ToLower(page.Body.String()), "pills") {
		t.Errorf("the desk still shows %s", page.Body)
	}
	public("redacted")
	if page := b.want(200, "GET", own, nil, "Rejected"); strings.Contains(strings.ToLower(page.Body.String()), "pills") {
		t.Errorf("the submitter still sees %s", page.Body)
	}
	b.leftOver(id, e.ID)
}

// leftOver looks in what the store holds of a redacted submission.
func (b *browser) leftOver(id, entryID string) {
	b.t.Helper()
	b.update(func(ctx context.Context, tx catalog.Tx) error {
		s, err := tx.Submissions().Get(ctx, id)
		if err != nil {
			return err
		}
		list, err := tx.Entries().Get(ctx, entryID)
		if err != nil {
			return err
		}
		p, err := tx.Provenances().Get(ctx, entryID)
		if err != nil {
			return err
		}
		events, err := tx.Events().After(ctx, 0, 1000)
		if err != nil {
			return err
		}
		owners, err := tx.Entries().BySlug(ctx, "cheap-pills")
		if err != nil || len(owners) > 0 {
			b.t.Errorf("the slug is still known: %v", owners)
		}
		rows, err := tx.Audits().Before(ctx, 0, id, 10)
		if err != nil {
			return err
		}
		if len(rows) != 2 || rows[0].Action != "redactSubmission" || rows[0].Reason != "spam" || rows[0].Name != "admin Ada" {
			b.t.Errorf("the audit log says %+v", rows)
		}
		kept, err := json.Marshal([]any{s, list, p, events, rows})
		if strings.Contains(strings.ToLower(string(kept)), "pills") {
			b.t.Errorf("the store still holds %s", kept)
		}
		if s.State != catalog.SubmissionRejected || len(s.Steps) != 3 || list[0].Status != catalog.StatusRemoved {
			b.t.Errorf("state and times are gone: %+v", s)
		}
		return err
	})
}

// TestRedactingWhatWasApproved takes out what the submitter wrote and leaves the
// entry, which is public, alone.
func TestRedactingWhatWasApproved(t *testing.T) {
	t.Parallel()
	b := newBrowser(t)
	e := b.entry(catalog.StatusActive)
	s := catalog.Submission{ID: catalog.NewID("submission", "approved"), URL: "https://gauges.example/", Address: "gauges.example", Name: "Gauges of Ada", Notes: "ada",
		ContactEmail: "ada@gauges.example", State: catalog.SubmissionApproved, EntryID: e.ID, CreatedAt: e.CreatedAt, UpdatedAt: e.CreatedAt,
		Steps: []catalog.SubmissionStep{{State: catalog.SubmissionApproved, Class: catalog.ReasonDecision, Reason: "Ada is known", At: e.CreatedAt}}}
	b.update(func(ctx context.Context, tx catalog.Tx) error { return tx.Submissions().Put(ctx, s) })
	b.login(catalog.RoleAdmin)
	b.want(200, "GET", "/admin/submissions", nil, "Gauges of Ada", "/redact")
	b.want(303, "POST", "/admin/submissions/"+s.ID+"/redact", url.Values{"csrf": {b.csrf("/admin/submissions")}, "reason": {"asked by the submitter"}})
	b.update(func(ctx context.Context, tx catalog.Tx) error {
		now, err := tx.Submissions().Get(ctx, s.ID)
		if err != nil {
			return err
		}
		kept, err := json.Marshal(now)
		if err != nil || strings.Contains(strings.ToLower(string(kept)), "ada") || strings.Contains(string(kept), "gauges") || now.State != catalog.SubmissionApproved || now.EntryID != e.ID || len(now.Steps) != 1 {
			t.Errorf("the store holds %s, %v", kept, err)
		}
		list, err := tx.Entries().Get(ctx, e.ID)
		if err == nil && (list[0].Name != e.Name || list[0].Slug != e.Slug || list[0].Status != catalog.StatusActive || list[0].Revision != e.Revision) {
			t.Errorf("the entry is %+v", list[0])
		}
		return err
	})
	b.want(200, "GET", "/submission/"+s.ID, nil)
}
