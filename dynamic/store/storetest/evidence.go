package storetest

import (
	"context"
	"crypto/sha256"
	"fmt"
	"testing"
	"time"

	"github.com/assay-register/assay/render/catalog"
)

var evidenceTests = map[string]func(*testing.T, catalog.Store){
	"EvidenceKeepsEveryField": testEvidenceRoundTrip,
	"EvidenceOncePerHash":     testEvidenceOnce,
	"EvidenceScan":            testEvidenceScan,
	"EvidenceByHash":          testEvidenceByHash,
}

func newEvidence(entry, id string, body []byte) catalog.Evidence {
	return catalog.Evidence{ID: id, EntryID: entry, SHA256: fmt.Sprintf("%x", sha256.Sum256(body)), Body: body, CreatedAt: day}
}

func putEvidence(t *testing.T, s catalog.Store, list ...catalog.Evidence) {
	t.Helper()
	update(t, s, func(ctx context.Context, tx catalog.Tx) error { return tx.Evidences().Put(ctx, list...) })
}

func readEvidence(t *testing.T, s catalog.Store, r catalog.Range) (list []catalog.Evidence) {
	t.Helper()
	view(t, s, func(ctx context.Context, tx catalog.Tx) error {
		return tx.Evidences().Scan(ctx, r, func(e *catalog.Evidence) error { list = append(list, *e); return nil })
	})
	return list
}

func testEvidenceRoundTrip(t *testing.T, s catalog.Store) {
	e := filled[catalog.Evidence](t, 1)
	for b := range 256 {
		e.Body = append(e.Body, byte(b))
	}
	empty := newEvidence("a", "empty", nil)
	putEvidence(t, s, e, empty)
	view(t, s, func(ctx context.Context, tx catalog.Tx) error {
		got, err := tx.Evidences().Get(ctx, e.ID)
		if err != nil {
			return err
		}
		wantEqual(t, "evidence", got, &e)
		got, err = tx.Evidences().Get(ctx, "empty")
		wantEqual(t, "empty", got, &empty)
		if err != nil {
			return err
		}
		_, err = tx.Evidences().Get(ctx, "nobody")
		wantErr(t, "unknown", err, catalog.ErrNotFound)
		return nil
	})
}

// testEvidenceOnce also turns kept on, which a later put may do, and never off.
func testEvidenceOnce(t *testing.T, s catalog.Store) {
	first := newEvidence("a", "1", []byte("x"))
	later := first
	later.CreatedAt, later.Kept = day.Add(time.Hour), true
	putEvidence(t, s, first, first)
	putEvidence(t, s, later)
	putEvidence(t, s, first)
	other := newEvidence("b", "2", []byte("x"))
	putEvidence(t, s, other)
	first.Kept = true
	wantEqual(t, "all", readEvidence(t, s, catalog.Range{}), []catalog.Evidence{first, other})
	stolen := newEvidence("c", "1", []byte("y"))
	err := tryUpdate(t, s, func(ctx context.Context, tx catalog.Tx) error { return tx.Evidences().Put(ctx, stolen) })
	wantErr(t, "the id of another evidence", err, catalog.ErrConflict)
}

func testEvidenceScan(t *testing.T, s catalog.Store) {
	var want []catalog.Evidence
	for _, entry := range []string{"A", "a", "é"} {
		for n := range 20 {
			want = append(want, newEvidence(entry, fmt.Sprintf("%s%02d", entry, n), fmt.Append(nil, entry, n)))
		}
	}
	putEvidence(t, s, append(want[25:60:60], want[:25]...)...)
	wantEqual(t, "all", readEvidence(t, s, catalog.Range{}), want)
	wantEqual(t, "range", readEvidence(t, s, catalog.Range{After: "A", Through: "a"}), want[20:40])
}

func testEvidenceByHash(t *testing.T, s catalog.Store) {
	one, two, both := newEvidence("a", "1", []byte("x")), newEvidence("b", "2", []byte("x")), newEvidence("c", "3", []byte("y"))
	one.AnswerSHA256, both.AnswerSHA256 = both.SHA256, both.SHA256
	putEvidence(t, s, both, two, one)
	for sum, want := range map[string][]catalog.Evidence{one.SHA256: {one, two}, both.SHA256: {one, both}, "": nil, "none": nil} {
		view(t, s, func(ctx context.Context, tx catalog.Tx) error {
			got, err := tx.Evidences().ByHash(ctx, sum)
			if err != nil {
				return err
			}
			wantEqual(t, "citations of "+sum, got, want)
			return nil
		})
	}
}
