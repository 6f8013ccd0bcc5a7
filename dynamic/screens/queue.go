package screens

import (
	"encoding/json"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/assay-register/assay/dynamic/inside"
	"github.com/assay-register/assay/render/catalog"
	"github.com/assay-register/assay/render/wire"
)

// queueParams are what the page of the queue passes on.
var queueParams = []string{"cursor", "limit", "kind", "sort", "group", "source", "publisher", "signals", "type", "country", "assigned", "officialness_min", "waiting_days", "q"}

// queued is the queue with what is decided with.
type queued struct {
	*wire.QueuePage
	Reasons []wire.SavedReasonItem
	// Batch are the decisions that were just made, Undo tells that they can be taken back.
	Batch *wire.DecisionsList
	Undo  bool
	// Back is the query of the page, so that it is shown again after a decision. Groups lead
	// to the parts of the queue by it.
	Back  string
	Links map[string]string
	// Sorts, Grouping and Types are what can be chosen.
	Sorts, Grouping []string
	Types           []catalog.EntryType
}

// queueOf is the query of a page of the queue without where it stands and what was just done.
func queueOf(asked url.Values, but ...string) url.Values {
	out := url.Values{}
	for _, name := range queueParams {
		if v := asked.Get(name); v != "" && name != "cursor" && !slices.Contains(but, name) {
			out.Set(name, v)
		}
	}
	return out
}

func loadQueue(c *Config, r *http.Request) (any, *problem, error) {
	page, p, err := load[wire.QueuePage](admin+"/queue", queueParams...)(c, r)
	if p != nil || err != nil {
		return nil, p, err
	}
	asked := r.URL.Query()
	out := &queued{Back: queueOf(asked).Encode(), Links: map[string]string{}, Sorts: wire.QueueSorts(), Grouping: wire.QueueGroups(), Types: catalog.EntryTypes()}
	out.QueuePage, _ = page.(*wire.QueuePage)
	for _, g := range out.Groups {
		q := queueOf(asked, "group")
		q.Set("kind", "candidates")
		q.Set(g.By, g.Key)
		q.Set("limit", "100")
		out.Links[g.Key] = "/admin/queue?" + q.Encode()
	}
	reasons, p, err := get[wire.SavedReasonsPage](c, r, admin+"/reasons", nil)
	if p != nil || err != nil {
		return nil, p, err
	}
	out.Reasons = reasons.Items
	if batch := asked.Get("batch"); batch != "" {
		if out.Batch, p, err = get[wire.DecisionsList](c, r, admin+"/decisions", url.Values{"batch": {batch}}); p != nil || err != nil {
			return nil, p, err
		}
		out.Undo = slices.ContainsFunc(out.Batch.Items, func(d wire.DecisionItem) bool { return d.UndoneAt == nil && d.Kind != catalog.DecisionReopened })
	}
	return out, nil, nil
}

// decisionsPage are the decisions with the reasons that are saved.
type decisionsPage struct {
	*wire.DecisionsList
	Reasons []wire.SavedReasonItem
	Kinds   []catalog.DecisionKind
}

func loadDecisions(c *Config, r *http.Request) (any, *problem, error) {
	list, p, err := load[wire.DecisionsList](admin+"/decisions", "cursor", "limit", "batch")(c, r)
	if p != nil || err != nil {
		return nil, p, err
	}
	out := &decisionsPage{Kinds: catalog.DecisionKinds()}
	out.DecisionsList, _ = list.(*wire.DecisionsList)
	reasons, p, err := get[wire.SavedReasonsPage](c, r, admin+"/reasons", nil)
	if p != nil || err != nil {
		return nil, p, err
	}
	out.Reasons = reasons.Items
	return out, nil, nil
}

// bulk makes the request of a form on many candidates: each item is an id, and its version
// behind an @.
func bulk(f url.Values) (any, error) {
	req := wire.BulkRequest{Action: f.Get("action"), Reason: f.Get("reason"), Batch: f.Get("batch"), Into: f.Get("into"), To: f.Get("to"), Take: f.Get("take") != "", Preview: f.Get("preview") != ""}
	for _, item := range f["item"] {
		id, version, _ := strings.Cut(item, "@")
		n, _ := strconv.ParseInt(version, 10, 64)
		req.Items = append(req.Items, wire.BulkItem{ID: id, Version: n})
	}
	return req, nil
}

// outcome is what came, or would come, of a form on many candidates; Form has what confirms it.
type outcome struct {
	Result *wire.BulkResult
	Rule   *wire.TrustRuleItem
	Left   int
	// To is where the form goes, Form its fields but for preview, Back the page that follows.
	To, Back string
	Form     []pair
}

type pair struct{ Name, Value string }

// afterBulk shows what a preview says and what was refused; when all is done, the queue again.
func afterBulk(c *Config, r *http.Request, f url.Values, answer *inside.Answer) (string, any, string, error) {
	out := &outcome{Result: new(wire.BulkResult), To: "/admin/queue/bulk", Back: backTo(f.Get("back"), ""), Form: again(f)}
	if err := json.Unmarshal(answer.Body, out.Result); err != nil {
		return "", nil, "", err
	}
	if out.Result.Preview || out.Result.Refused > 0 {
		if !out.Result.Preview {
			out.Back = backTo(f.Get("back"), out.Result.Batch)
		}
		return "desk-bulk", out, "", nil
	}
	return "", nil, backTo(f.Get("back"), out.Result.Batch) + "&done=bulk", nil
}

// backTo is the page of the queue that a form came from.
func backTo(query, batch string) string {
	asked, err := url.ParseQuery(query)
	if err != nil {
		asked = url.Values{}
	}
	q := queueOf(asked)
	if batch != "" {
		q.Set("batch", batch)
	}
	return "/admin/queue?" + q.Encode()
}

// again are the fields of a form, in the order of names, without that it is a preview.
func again(f url.Values) []pair {
	var out []pair
	for name, list := range f {
		for _, value := range list {
			if name != "preview" && name != csrfField {
				out = append(out, pair{name, value})
			}
		}
	}
	slices.SortStableFunc(out, func(a, b pair) int { return strings.Compare(a.Name, b.Name) })
	return out
}

func savedReason(f url.Values) (any, error) {
	return wire.SavedReasonRequest{Text: f.Get("text"), Kind: catalog.DecisionKind(f.Get("kind"))}, nil
}

func trustRule(f url.Values) (any, error) {
	expires := f.Get("expires_at")
	if len(expires) == len("2006-01-02") {
		expires += "T00:00:00Z"
	}
	return wire.TrustRuleRequest{Source: f.Get("source"), Institution: f.Get("institution"), PublisherName: f.Get("publisher_name"), Reason: f.Get("reason"),
		ExpiresAt: expires, Preview: f.Get("preview") != ""}, nil
}

func afterTrust(c *Config, r *http.Request, f url.Values, answer *inside.Answer) (string, any, string, error) {
	var made wire.TrustRuleResult
	if err := json.Unmarshal(answer.Body, &made); err != nil {
		return "", nil, "", err
	}
	if !made.Result.Preview && made.Result.Refused == 0 {
		return "", nil, "/admin/trust?done=trust", nil
	}
	return "desk-bulk", &outcome{Result: &made.Result, Rule: &made.Rule, Left: made.Left, To: "/admin/trust", Back: "/admin/trust", Form: again(f)}, "", nil
}

// trusting are the rules of trust with what a new one begins with.
type trusting struct {
	*wire.TrustRulesPage
	Form form
}

func loadTrust(c *Config, r *http.Request) (any, *problem, error) {
	page, p, err := get[wire.TrustRulesPage](c, r, admin+"/trust-rules", nil)
	if p != nil || err != nil {
		return nil, p, err
	}
	asked := r.URL.Query()
	return &trusting{page, form{Values: map[string]string{"source": asked.Get("source"), "institution": asked.Get("institution"), "publisher_name": asked.Get("publisher_name")}}}, nil, nil
}
