package build_test

import (
	"context"
	"log/slog"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/assay-register/assay/build"
	"github.com/assay-register/assay/build/buildtest"
	"github.com/assay-register/assay/render/catalog"
	"github.com/assay-register/assay/render/snapshot"
)

// TestWhatIsSaidIsOnThePageAtOnce: what an owner says, and what is answered to a report, lie over
// the snapshot as soon as they are stored, and the next build says the same.
func TestWhatIsSaidIsOnThePageAtOnce(t *testing.T) {
	r := register(t, 12)
	o := options(filepath.Join(tempDir(t), "site"), r.Now)
	mustBuild(t, r.Store, o)
	f := &build.Tailer{Store: r.Store, Folder: o.Out, Clock: func() time.Time { return r.Now }, Max: 9, Log: slog.New(slog.DiscardHandler),
		Refresh: func(ctx context.Context, _ snapshot.Site, at time.Time, ids []string) (build.Refreshed, error) {
			return build.Refresh(ctx, r.Store, options(o.Out, at), ids)
		}}
	id := mustChange(t, r, buildtest.Edit)
	c := catalog.Claim{ID: catalog.NewID("claim", "1"), SubjectID: catalog.NewID("institution", "office"), Method: catalog.ClaimDNS, Domain: "office.example", Value: "v", SecretHash: "h",
		State: catalog.ClaimVerified, VerifiedAt: r.Now, CreatedAt: r.Now}
	s := catalog.Statement{ID: catalog.NewID("statement", "1"), ClaimID: c.ID, EntryID: id, Kind: catalog.StateDispute, Field: "name", Text: "It has quite another name.", State: catalog.StatementOpen, CreatedAt: r.Now}
	v := catalog.Report{ID: catalog.NewID("report", "1"), EntryID: id, Message: "The second file is empty.", State: catalog.ReportOpen, CreatedAt: r.Now}
	if err := v.Answer(c.ID, "We filled it.", r.Now); err != nil {
		t.Fatal(err)
	}
	err := r.Store.Update(t.Context(), func(tx catalog.Tx) error {
		for _, err := range []error{tx.Claims().Put(t.Context(), c), tx.Claims().PutStatement(t.Context(), s), tx.Reports().Put(t.Context(), v)} {
			if err != nil {
				return err
			}
		}
		return tx.Events().Append(t.Context(), catalog.SaidEvent(id, catalog.FieldStatements, "", string(s.State), r.Now), catalog.SaidEvent(id, catalog.FieldReports, "", string(v.State), r.Now))
	})
	if err != nil {
		t.Fatal(err)
	}
	if err := f.Follow(t.Context()); err != nil {
		t.Fatal(err)
	}
	says := func(what, page string) {
		t.Helper()
		for _, want := range []string{s.Text, v.Message, "We filled it."} {
			if !strings.Contains(page, want) {
				t.Errorf("%s lacks %q", what, want)
			}
		}
	}
	if err := build.NewLinker().Link(t.Context(), r.Store, options(o.Out, r.Now), []string{id}); err != nil { // as the rebuilder does next
		t.Fatal(err)
	}
	over, _ := overlaid(t, o.Out)
	page := ""
	for route, document := range over {
		if strings.HasPrefix(route, "/entry/") && strings.Contains(document, s.Text) {
			page = route
		}
	}
	says("what lies over the snapshot", over[page])
	mustBuild(t, r.Store, o)
	built, err := buildtest.ReadRoute(o.Out, page)
	if err != nil {
		t.Fatal(err)
	}
	says("the build", string(built))
}
