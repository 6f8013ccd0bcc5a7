package fleet

import (
	"encoding/json"
	"fmt"
	"html"
	"io"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"github.com/assay-register/assay/render/catalog"
	"github.com/assay-register/assay/render/wire"
)

// pair is two services on one store.
type pair struct {
	*fleet
	services [2]string
}

func newPair(t *testing.T) *pair {
	t.Helper()
	f := newFleet(t)
	if out, err := f.command("build").CombinedOutput(); err != nil {
		t.Fatalf("build: %v\n%s", err, out)
	}
	return &pair{f, [2]string{f.serve(), f.serve()}}
}

// answer is one of two that were asked for at once.
type answer struct {
	status int
	body   []byte
	err    error
}

// atOnce posts to both services at the same time.
func (p *pair) atOnce(key string, paths, bodies [2]string) (answers [2]answer) {
	p.t.Helper()
	done := make(chan struct{})
	for i := range answers {
		go func() {
			answers[i] = p.post(p.services[i]+paths[i], key, bodies[i])
			done <- struct{}{}
		}()
	}
	<-done
	<-done
	for _, a := range answers {
		if a.err != nil {
			p.t.Fatal(a.err)
		}
	}
	return answers
}

func (p *pair) post(address, key, body string) (a answer) {
	r, err := http.NewRequestWithContext(p.t.Context(), http.MethodPost, address, strings.NewReader(body))
	if err != nil {
		return answer{err: err}
	}
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Authorization", "Bearer "+p.token)
	if key != "" {
		r.Header.Set("Idempotency-Key", key)
	}
	resp, err := http.DefaultClient.Do(r)
	if err != nil {
		return answer{err: err}
	}
	defer resp.Body.Close()
	a.status = resp.StatusCode
	a.body, a.err = io.ReadAll(resp.Body)
	return a
}

// TestOneKeyAtTwoServices: a submission that a client sends to both services at the same
// time, under one key, is one; another one under its key is none at either.
func TestOneKeyAtTwoServices(t *testing.T) {
	t.Parallel()
	p := newPair(t)
	const path = "/api/v1/submissions"
	for i := range 25 {
		key, body := fmt.Sprint("key-", i), fmt.Sprintf(`{"url":"https://%d.data.example/"}`, i)
		ids := map[string]int{}
		for _, a := range p.atOnce(key, [2]string{path, path}, [2]string{body, body}) {
			var receipt wire.SubmissionReceipt
			if err := json.Unmarshal(a.body, &receipt); a.status != http.StatusCreated || err != nil || receipt.ID == "" {
				t.Fatalf("%d %s, %v", a.status, a.body, err)
			}
			ids[receipt.ID]++
		}
		if len(ids) != 1 {
			t.Errorf("one key made %v", ids)
		}
		other := `{"url":"https://other.example/"}`
		for _, a := range p.atOnce(key, [2]string{path, path}, [2]string{other, other}) {
			if a.status != http.StatusUnprocessableEntity {
				t.Errorf("another body under the key: %d %s", a.status, a.body)
			}
		}
	}
}

// TestOneDecisionOfTwo: of two moderators who decide on a candidate at the same time, at
// different services, one does and the other is told so; there is one audit row.
func TestOneDecisionOfTwo(t *testing.T) {
	t.Parallel()
	p := newPair(t)
	for i := range 20 {
		e := p.pending(i)
		verbs := [2]string{"approve", "reject"}
		if i%2 == 0 {
			verbs[1] = "approve"
		}
		path := "/api/v1/admin/submissions/" + e.ID + "/"
		answers := p.atOnce("", [2]string{path + verbs[0], path + verbs[1]}, [2]string{`{"reason":"the office confirmed it"}`, `{"reason":"no office has it"}`})
		won := -1
		for n, a := range answers {
			switch a.status {
			case http.StatusOK:
				if won >= 0 {
					t.Errorf("both decided, %v", verbs)
				}
				won = n
			case http.StatusConflict:
			default:
				t.Errorf("%s: %d %s", verbs[n], a.status, a.body)
			}
		}
		if won >= 0 {
			p.decided(e, verbs[won])
		} else {
			t.Errorf("nobody decided, %v", verbs)
		}
	}
}

// decided looks for what a decision leaves.
func (p *pair) decided(e *catalog.Entry, verb string) {
	p.t.Helper()
	err := p.store.View(p.t.Context(), func(tx catalog.Tx) error {
		list, err := tx.Entries().Get(p.t.Context(), e.ID)
		if err != nil {
			return err
		}
		want := map[string]catalog.Status{"approve": catalog.StatusActive, "reject": catalog.StatusRemoved}[verb]
		if len(list) != 1 || list[0].Status != want {
			p.t.Errorf("after %s the entry is %+v", verb, list)
		}
		audits, err := tx.Audits().Before(p.t.Context(), 0, e.ID, 10)
		if len(audits) != 1 {
			p.t.Errorf("after %s the audit log has %+v", verb, audits)
		}
		return err
	})
	if err != nil {
		p.t.Fatal(err)
	}
}

var formToken = regexp.MustCompile(`(?s)action="[^"]*/admin/logout".*?name="(\w+)" value="([^"]*)"`)

// TestALoginIsThatOfAllServices: who logs in at one service is known at the other, and
// at none after a logout at either.
func TestALoginIsThatOfAllServices(t *testing.T) {
	t.Parallel()
	p := newPair(t)
	client := &http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	ask := func(method, address, cookie string, form url.Values) (status int, set, body string) {
		t.Helper()
		r, err := http.NewRequestWithContext(t.Context(), method, address, strings.NewReader(form.Encode()))
		if err != nil {
			t.Fatal(err)
		}
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		r.Header.Set("Sec-Fetch-Site", "same-origin")
		if cookie != "" {
			r.Header.Set("Cookie", cookie)
		}
		resp, err := client.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		defer resp.Body.Close()
		text, err := io.ReadAll(resp.Body)
		if err != nil {
			t.Fatal(err)
		}
		set, _, _ = strings.Cut(resp.Header.Get("Set-Cookie"), ";")
		return resp.StatusCode, set, string(text)
	}
	for i, first := range p.services {
		other := p.services[1-i]
		status, cookie, _ := ask("POST", first+"/admin/login", "", url.Values{"token": {p.token}})
		if status != http.StatusSeeOther || cookie == "" {
			t.Fatalf("login: %d, %q", status, cookie)
		}
		status, _, page := ask("GET", other+"/admin", cookie, nil)
		field := formToken.FindStringSubmatch(page)
		if status != http.StatusOK || field == nil {
			t.Fatalf("the desk of the other service: %d\n%.2000s", status, page)
		}
		if status, _, page := ask("POST", other+"/admin/logout", cookie, url.Values{field[1]: {html.UnescapeString(field[2])}}); status != http.StatusSeeOther {
			t.Fatalf("logout: %d\n%.500s", status, page)
		}
		for _, at := range p.services {
			if status, _, _ := ask("GET", at+"/admin", cookie, nil); status != http.StatusSeeOther {
				t.Errorf("after the logout the desk answers %d", status)
			}
		}
	}
}
