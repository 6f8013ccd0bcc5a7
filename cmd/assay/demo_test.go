package main

import (
	"encoding/json"
	"io"
	"net"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/assay-register/assay/build/submission"
	"github.com/assay-register/assay/cmd/internal/sample"
	"github.com/assay-register/assay/cmd/internal/tour"
	"github.com/assay-register/assay/render/catalog"
	"github.com/assay-register/assay/render/wire"
)

// visitor goes by what the demo says.
type visitor struct {
	t                         *testing.T
	base, suggest, hook, mail string
	moderator, admin          string
}

func visit(t *testing.T, demo *launched) *visitor {
	t.Helper()
	v := &visitor{t: t, base: demo.base}
	for _, find := range []struct {
		into    *string
		pattern string
	}{
		{&v.suggest, `Suggest +(http:\S+)`}, {&v.hook, `Webhook +(http:\S+)`}, {&v.mail, `Mail +(\S+),`},
		{&v.moderator, `of a moderator\s+(assay_\S+)`}, {&v.admin, `that of an administrator.*\s+(assay_\S+)`},
	} {
		m := regexp.MustCompile(find.pattern).FindStringSubmatch(demo.said)
		if m == nil {
			t.Fatalf("the demo does not say %s:\n%s", find.pattern, demo.said)
		}
		*find.into = m[1]
	}
	return v
}

// ask asks the register and reads the answer into out, if there is one to read.
func (v *visitor) ask(method, path, token, body string, out any) int {
	v.t.Helper()
	r, err := http.NewRequestWithContext(v.t.Context(), method, v.base+path, strings.NewReader(body))
	if err != nil {
		v.t.Fatal(err)
	}
	if body != "" {
		r.Header.Set("Content-Type", "application/json")
	}
	if token != "" {
		r.Header.Set("Authorization", "Bearer "+token)
	}
	resp, err := http.DefaultClient.Do(r)
	if err != nil {
		v.t.Fatal(err)
	}
	defer resp.Body.Close()
	doc, err := io.ReadAll(resp.Body)
	if err != nil {
		v.t.Fatal(err)
	}
	if out != nil && resp.StatusCode < 300 {
		if err := json.Unmarshal(doc, out); err != nil {
			v.t.Fatalf("%s %s: %v: %.300s", method, path, err, doc)
		}
	}
	return resp.StatusCode
}

// until waits for something: how fast the demo is, the browser's
// test judges on a machine that does nothing else.
func (v *visitor) until(what string, ok func() bool) {
	v.t.Helper()
	for end := time.Now().Add(hang); time.Now().Before(end); time.Sleep(50 * time.Millisecond) {
		if ok() {
			return
		}
	}
	v.t.Fatalf("%s: not in time", what)
}

func (v *visitor) contains(address, text string) bool {
	_, body := fetch(v.t, address)
	return strings.Contains(string(body), text)
}

// waiting tells that a candidate of the name waits for a moderator, and gives its id.
func (v *visitor) waiting(name string) (id string) {
	v.t.Helper()
	v.until(name+" in the queue", func() bool {
		var queue wire.QueuePage
		v.ask("GET", "/api/v1/admin/queue", v.moderator, "", &queue)
		for _, c := range queue.Candidates {
			if c.Name == name {
				id = c.ID
			}
		}
		return id != ""
	})
	return id
}

// TestDemo takes the tour that the demo offers, by the interfaces of programs, beside the file of another register,
// which is not its own. What it is asked to do it does, but it probes nothing, and nothing of it is left.
func TestDemo(t *testing.T) {
	t.Parallel()
	temporary, other := t.TempDir(), t.TempDir()
	if err := os.WriteFile(filepath.Join(other, "assay.yaml"), []byte("db: sqlite:real.db\nout: real\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	cmd := child(t, other, "demo", "--addr", "127.0.0.1:0")
	cmd.Env = append(cmd.Env, "TMPDIR="+temporary)
	s := launchAs(t, cmd)
	visit(t, s).takeTour()
	standsStill(t, temporary)
	if code := s.end(syscall.SIGINT); code != 130 {
		t.Errorf("after Ctrl-C: exit code %d", code)
	}
	if left, err := os.ReadDir(temporary); err != nil || len(left) > 0 {
		t.Errorf("it leaves %v, %v", left, err)
	}
	if left, err := os.ReadDir(other); err != nil || len(left) != 1 {
		t.Errorf("beside the file of another register it leaves %v, %v", left, err)
	}
}

// standsStill: the demo whose files lie in a folder does queued work, but probes nothing.
func standsStill(t *testing.T, temporary string) {
	t.Helper()
	stores, err := filepath.Glob(filepath.Join(temporary, "assay-demo-*", "assay.db"))
	if err != nil || len(stores) != 1 {
		t.Fatalf("the stores of the demo are %v, %v", stores, err)
	}
	db := "sqlite:" + stores[0]
	before := probed(t, db)
	carriedOut(t, db, catalog.Job{ID: "queued", Kind: submission.JobSweep})
	if after := probed(t, db); after != before {
		t.Errorf("%d checks before, %d after", before, after)
	}
	if o := (serveFlags{work: true, still: true, worker: workerFlags{probe: true}}); o.probes() {
		t.Error("a register that stands still would be probed")
	}
}

func (v *visitor) takeTour() {
	t := v.t
	v.somethingWaits()
	// Its clock is not the reader's, beside which all would be some days old.
	for _, page := range []string{"/", "/submit", "/admin"} {
		if !v.contains(v.base+page, ` data-times="own"`) {
			t.Errorf("%s shows ages by the clock of the reader", page)
		}
	}
	var receipt wire.SubmissionReceipt
	if status := v.ask("POST", "/api/v1/submissions", "", `{"url":"`+v.suggest+`"}`, &receipt); status != http.StatusCreated {
		t.Fatalf("suggested: status %d", status)
	}
	id := v.waiting("River gauges")
	if status := v.ask("POST", "/api/v1/admin/submissions/"+id+"/approve", v.moderator, `{"reason":"seen at the office"}`, nil); status != http.StatusOK {
		t.Fatalf("approved: status %d", status)
	}
	var entry struct{ Slug, Name string }
	v.until("the entry", func() bool { return v.ask("GET", "/api/v1/entries/"+id, "", "", &entry) == http.StatusOK })
	v.until("its page", func() bool { return v.contains(v.base+"/entry/"+entry.Slug, entry.Name) })
	v.until("the list", func() bool { return v.contains(v.base+"/api/v1/entries?limit=100&sort_by=created_at", id) })
	v.until("the search", func() bool { return v.contains(v.base+"/api/v1/entries/search?q="+url.QueryEscape(entry.Name), id) })
	v.until("the change feed", func() bool { return v.contains(v.base+"/api/v1/webhooks/feed/events?entry="+id, "entry.created") })
	v.until("the webhook", func() bool { return v.contains(v.hook, id) })
	v.until("the mail", func() bool { return strings.Contains(v.letters(), entry.Name) })
	v.agentsKnow(id, entry.Name)
	v.stands()
	v.refusesTheRest()
}

// somethingWaits: the desk is not empty, and jobs are in every state that lasts.
func (v *visitor) somethingWaits() {
	v.waiting("Bathing water quality")
	v.waiting("Groundwater wells")
	var queue wire.QueuePage
	if v.ask("GET", "/api/v1/admin/queue", v.moderator, "", &queue); len(queue.Reports) != 2 {
		v.t.Errorf("%d reports wait", len(queue.Reports))
	}
	for _, state := range []catalog.JobState{catalog.JobDone, catalog.JobFailed, catalog.JobQueued} {
		v.until("a job that is "+string(state), func() bool {
			var jobs wire.JobsPage
			v.ask("GET", "/api/v1/admin/jobs?state="+string(state), v.admin, "", &jobs)
			return len(jobs.Items) > 0
		})
	}
}

func (v *visitor) letters() string {
	var all strings.Builder
	names, _ := filepath.Glob(filepath.Join(v.mail, "*.eml"))
	for _, name := range names {
		b, err := os.ReadFile(name)
		if err != nil {
			v.t.Fatal(err)
		}
		all.Write(b)
	}
	return strings.ReplaceAll(strings.ReplaceAll(all.String(), "=\r\n", ""), "=\n", "")
}

func (v *visitor) agentsKnow(id, name string) {
	session, err := sdk.NewClient(&sdk.Implementation{Name: "test", Version: "1"}, nil).
		Connect(v.t.Context(), &sdk.StreamableClientTransport{Endpoint: v.base + wire.MCPPath}, nil)
	if err != nil {
		v.t.Fatal(err)
	}
	defer session.Close()
	found, err := session.CallTool(v.t.Context(), &sdk.CallToolParams{Name: "search_entries", Arguments: map[string]any{"q": name}})
	if err != nil {
		v.t.Fatal(err)
	}
	if doc, err := json.Marshal(found); err != nil || !strings.Contains(string(doc), name) {
		v.t.Errorf("agents do not find it: %v, %.500s", err, doc)
	}
}

// stands: the sample's verdicts are those of the site that is built and not served.
func (v *visitor) stands() {
	_, site := sampleSite(v.t)
	still, err := os.ReadFile(filepath.Join(site, "api", "v1", "status", "index.json"))
	if err != nil {
		v.t.Fatal(err)
	}
	type figures struct {
		Days    int `json:"observed_days"`
		Failing int `json:"failing_verdicts"`
		False   int `json:"false_failing_verdicts"`
	}
	var want, got struct {
		AsOf    time.Time `json:"as_of"`
		Figures figures
	}
	if err := json.Unmarshal(still, &want); err != nil {
		v.t.Fatal(err)
	}
	if v.ask("GET", "/api/v1/status", "", "", &got); got.Figures != want.Figures || want.Figures.Failing == 0 {
		v.t.Errorf("the demo serves %+v, the sample is %+v", got, want)
	}
	if past := got.AsOf.Sub(sample.Instant); past < 0 || past > time.Hour {
		v.t.Errorf("the demo's register is as of %s", got.AsOf)
	}
}

// refusesTheRest: no other address is reached, not even one of this machine.
func (v *visitor) refusesTheRest() {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		v.t.Fatal(err)
	}
	defer l.Close()
	asked := make(chan struct{})
	go func() {
		if c, err := l.Accept(); err == nil {
			c.Close()
			close(asked)
		}
	}()
	var receipt wire.SubmissionReceipt
	v.ask("POST", "/api/v1/submissions", "", `{"url":"http://`+l.Addr().String()+`/api"}`, &receipt)
	v.until("the other address", func() bool {
		var s wire.SubmissionStatus
		v.ask("GET", "/api/v1/submissions/"+receipt.ID, "", "", &s)
		return s.Status == catalog.SubmissionRejected
	})
	select {
	case <-asked:
		v.t.Error("another address was asked")
	default:
	}
}

// TestDemoOnATakenPort: a second one on the same port says what helps, and leaves nothing.
func TestDemoOnATakenPort(t *testing.T) {
	t.Parallel()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	dir := t.TempDir()
	second := child(t, dir, "demo", "--addr", l.Addr().String())
	second.Env = append(second.Env, "TMPDIR="+dir)
	if code, _, said := ended(t, second); code != 1 || !strings.Contains(said, "--addr 127.0.0.1:0") {
		t.Errorf("exit code %d, %s", code, said)
	}
	if left, err := os.ReadDir(dir); err != nil || len(left) > 0 {
		t.Errorf("it leaves %v, %v", left, err)
	}
}

// TestGuideOfTheDemo: what the demo names is there.
func TestGuideOfTheDemo(t *testing.T) {
	t.Parallel()
	o, err := tour.Open(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer o.Close()
	text := tour.Guide{Site: "http://127.0.0.1:1", Office: o, Moderator: "assay_M", Admin: "assay_A", Mail: "mail"}.String()
	for _, address := range regexp.MustCompile(regexp.QuoteMeta(o.URL("/"))+`\S*`).FindAllString(text, -1) {
		if resp, _ := fetch(t, strings.TrimRight(address, ".,;")); resp.StatusCode != http.StatusOK {
			t.Errorf("%s: status %d", address, resp.StatusCode)
		}
	}
}

// TestDemoNamesAnAddressThatBrowsersReach: also where it listens everywhere, or
// on IPv6.
func TestDemoNamesAnAddressThatBrowsersReach(t *testing.T) {
	t.Parallel()
	for at, want := range map[string]string{"127.0.0.1:8080": "http://127.0.0.1:8080", "[::]:8080": "http://localhost:8080", "0.0.0.0:9000": "http://localhost:9000", "[::1]:80": "http://localhost:80"} {
		addr, err := net.ResolveTCPAddr("tcp", at)
		if err != nil {
			t.Fatal(err)
		}
		if got := demoURL(addr); got != want {
			t.Errorf("%s: %s, want %s", at, got, want)
		}
	}
}
