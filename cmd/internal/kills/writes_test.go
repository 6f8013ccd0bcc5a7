package kills

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/assay-register/assay/dynamic/store/sqlite"
	"github.com/assay-register/assay/dynamic/web"
	"github.com/assay-register/assay/render/catalog"
)

// offices is how many institutions are claimed in turn.
const offices = 40

// ownerSecret is that of a claim of the first of them, which is proved.
const ownerSecret = "assay_owner_KILLS"

// writer sends one write after the other to a service, and keeps what was acknowledged.
type writer struct {
	base, token, claim string
	n                  int
	// claims, statements, digests and decided are the ids and addresses that were acknowledged.
	claims, statements, digests, decided []string
}

// TestWrites kills a service while claims, statements, digests and decisions are written: all that it
// acknowledged is there once, and nothing is there twice.
func TestWrites(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.must("import", b.offices())
	w := &writer{token: b.moderator(), claim: b.claimed()}
	// A busy machine kills services that have answered nothing yet: such kills are not all.
	for b.more() || w.lacksAKind() && b.tally.kills < 20+rounds() {
		addr := free(t)
		w.base = "http://" + addr
		ctx, stop := context.WithCancel(t.Context())
		done := make(chan struct{})
		go func() {
			defer close(done)
			for ctx.Err() == nil {
				w.write(ctx)
			}
		}()
		b.within = 0 // a service never ends by itself
		b.kill(b.command("serve", "--addr", addr, "--site", b.path("site"), "--probe=false", "--limit-writes", "0", "--limit-moderation", "0",
			"--smtp", "127.0.0.1:9", "--smtp-tls", "none", "--mail-from", "register@register.example"), time.Duration(4+b.tally.kills/2)*time.Second)
		stop()
		<-done
	}
	b.report("writes")
	t.Logf("acknowledged: %d claims, %d statements, %d digests, %d decisions", len(w.claims), len(w.statements), len(w.digests), len(w.decided))
	if w.lacksAKind() {
		t.Error("the test says nothing: not every kind of write was acknowledged")
	}
	b.kept(w)
}

// lacksAKind tells whether no write of some kind was acknowledged.
func (w *writer) lacksAKind() bool {
	return min(len(w.claims), len(w.statements), len(w.digests), len(w.decided)) == 0
}

// offices are institutions, and entries of the first one.
func (b *bench) offices() string {
	b.t.Helper()
	var out bytes.Buffer
	for i := range offices {
		fmt.Fprintf(&out, `{"kind":"institution","institution":{"id":%q,"key":"gb-office-%d","name":"Office %d","country_code":"GB","official_domains":["office%d.example"],"state":"known"}}`+"\n", officeID(i), i, i, i)
	}
	for i := range entriesFirst {
		fmt.Fprintf(&out, `{"kind":"entry","entry":{"id":%q,"type":"API","name":"Own %d","description":"Of the office.","institution_id":%q,"primary_source_url":"https://own%d.office0.example/api",`+
			`"created_at":"2026-11-01T00:00:00Z","updated_at":"2026-11-01T00:00:00Z","published_at":"2026-11-01T00:00:00Z"}}`+"\n", ownID(i), i, officeID(0), i)
	}
	path := b.path("offices.ndjson")
	if err := os.WriteFile(path, out.Bytes(), 0o644); err != nil {
		b.t.Fatal(err)
	}
	return path
}

func officeID(i int) string { return fmt.Sprintf("0191e2a0-0000-5000-8001-%012d", i) }
func ownID(i int) string    { return fmt.Sprintf("0191e2a0-0000-5000-8002-%012d", i) }

func (b *bench) moderator() string {
	b.t.Helper()
	out, err := b.command("admin", "token", "create", "--role", "admin").Output()
	if err != nil {
		b.t.Fatal(err)
	}
	return strings.TrimSpace(string(out))
}

// store runs fn on the store.
func (b *bench) store(fn func(tx catalog.Tx) error) {
	b.t.Helper()
	st, err := sqlite.Open(b.t.Context(), b.path("assay.db"))
	if err != nil {
		b.t.Fatal(err)
	}
	defer st.Close()
	if err := st.Update(b.t.Context(), fn); err != nil {
		b.t.Fatal(err)
	}
}

// claimed proves the claim of the first office.
func (b *bench) claimed() string {
	b.t.Helper()
	now := time.Now().UTC()
	c := catalog.Claim{ID: catalog.NewID("claim", "kills"), SubjectID: officeID(0), Method: catalog.ClaimMail, Domain: "office0.example", Email: "data@office0.example", Value: "kills", SecretHash: web.Digest(ownerSecret),
		State: catalog.ClaimVerified, VerifiedAt: now, CreatedAt: now}
	b.store(func(tx catalog.Tx) error { return tx.Claims().Put(b.t.Context(), c) })
	return c.ID
}

// write sends the next write.
func (w *writer) write(ctx context.Context) {
	w.n++
	var made struct {
		ID    string
		Claim struct{ ID string }
		Items []struct {
			ID     string
			Status int
		}
	}
	n, office := w.n, 1+w.n%(offices-1)
	switch n % 4 {
	case 0:
		if w.ask(ctx, "", "/api/v1/claims", fmt.Sprintf(`{"institution":"gb-office-%d","method":"dns","domain":"office%d.example"}`, office, office), &made) {
			w.claims = append(w.claims, officeID(office)+" "+made.Claim.ID)
		}
	case 1:
		if entry := ownID(n / 4 % entriesFirst); w.ask(ctx, ownerSecret, "/api/v1/claims/"+w.claim+"/statements", fmt.Sprintf(`{"entry":%q,"kind":"contact","text":"Number %d","url":"https://office0.example/%d"}`, entry, n, n), &made) {
			w.statements = append(w.statements, entry+" "+made.ID)
		}
	case 2:
		address := fmt.Sprintf("d%d@office0.example", n)
		if w.ask(ctx, ownerSecret, "/api/v1/claims/"+w.claim+"/digest", fmt.Sprintf(`{"email":%q,"frequency":"daily"}`, address), nil) {
			w.digests = append(w.digests, address)
		}
	case 3:
		var ids []string
		for i := range 3 {
			if w.ask(ctx, "", "/api/v1/submissions", fmt.Sprintf(`{"url":"https://p%d-%d.example.gov/new","name":"Proposed %d %d","type":"API"}`, n, i, n, i), &made) {
				ids = append(ids, fmt.Sprintf(`{"id":%q}`, made.ID))
			}
		}
		if len(ids) > 0 && w.ask(ctx, w.token, "/api/v1/admin/submissions/bulk", fmt.Sprintf(`{"action":"reject","reason":"not official","items":[%s]}`, strings.Join(ids, ",")), &made) {
			for _, x := range made.Items {
				if x.Status == http.StatusOK {
					w.decided = append(w.decided, x.ID)
				}
			}
		}
	}
}

// ask posts, and tells whether it was acknowledged.
func (w *writer) ask(ctx context.Context, token, route, body string, v any) bool {
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, w.base+route, strings.NewReader(body))
	if err != nil {
		return false
	}
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Idempotency-Key", fmt.Sprintf("kills-%d", w.n))
	if token != "" {
		r.Header.Set("Authorization", "Bearer "+token)
	}
	resp, err := http.DefaultClient.Do(r)
	if err != nil {
		select {
		case <-ctx.Done():
		case <-time.After(20 * time.Millisecond): // it does not listen yet, or any more
		}
		return false
	}
	defer resp.Body.Close()
	if resp.StatusCode >= 300 {
		return false
	}
	return v == nil || json.NewDecoder(resp.Body).Decode(v) == nil
}

// kept sees that what was acknowledged is in the store once.
func (b *bench) kept(w *writer) {
	b.t.Helper()
	ctx := b.t.Context()
	b.store(func(tx catalog.Tx) error {
		for _, x := range w.claims {
			subject, id, _ := strings.Cut(x, " ")
			list, err := tx.Claims().Of(ctx, subject)
			if err != nil {
				return err
			}
			b.once("claim "+id, len(list), func(i int) bool { return list[i].ID == id })
		}
		stored := 0
		texts := map[string]bool{}
		byID := map[string]int{}
		for i := range entriesFirst {
			list, err := tx.Claims().Statements(ctx, ownID(i))
			if err != nil {
				return err
			}
			stored += len(list)
			for k := range list {
				byID[list[k].EntryID+" "+list[k].ID]++
				if texts[list[k].Text] {
					b.t.Errorf("%q is stated twice", list[k].Text)
				}
				texts[list[k].Text] = true
			}
		}
		for _, x := range w.statements {
			if byID[x] != 1 {
				b.t.Errorf("statement %s is there %d times", x, byID[x])
			}
		}
		if stored > len(w.statements)+b.tally.kills {
			b.t.Errorf("%d statements, %d were acknowledged and %d kills could hide one each", stored, len(w.statements), b.tally.kills)
		}
		for _, address := range w.digests {
			list, err := tx.Watches().Of(ctx, address)
			if err != nil {
				return err
			}
			b.once("digest to "+address, len(list), func(i int) bool { return list[i].Digest != nil })
		}
		for _, id := range w.decided {
			rows, err := tx.Audits().Before(ctx, 0, id, 10)
			if err != nil {
				return err
			}
			b.once("decision on "+id, len(rows), func(i int) bool { return rows[i].Reason == "not official" })
		}
		return nil
	})
}

// once sees that one of n things is what is looked for.
func (b *bench) once(what string, n int, is func(i int) bool) {
	b.t.Helper()
	found := 0
	for i := range n {
		if is(i) {
			found++
		}
	}
	if found != 1 {
		b.t.Errorf("%s is there %d times", what, found)
	}
}
