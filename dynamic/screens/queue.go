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
	"github.com/assay-register/assay/templates/desk"
)

// queueParams are what the page of the queue passes on.
var queueParams = []string{"cursor", "limit", "kind", "sort", "group", "source", "publisher", "signals", "type", "country", "assigned", "officialness_min", "waiting_days", "q"}

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

func loadQueue(c *Config, r *http.Request) (desk.Content, *problem, error) {
	out, p, err := read[desk.Queue](c, r, admin+"/queue", queueParams...)
	if p != nil || err != nil {
		return nil, p, err
	}
	asked := r.URL.Query()
	out.Back, out.Links, out.Batch, out.Sorts, out.Grouping = queueOf(asked).Encode(), map[string]string{}, -1, wire.QueueSorts(), wire.QueueGroups()
	for _, t := range catalog.EntryTypes() {
		out.Types = append(out.Types, string(t))
	}
	for _, g := range out.Groups {
		q := queueOf(asked, "group")
		q.Set("kind", "candidates")
		q.Set(g.By, g.Key)
		q.Set("limit", "100")
		out.Links[g.Key] = "/admin/queue?" + q.Encode()
	}
	if out.Reasons, p, err = savedReasons(c, r); p != nil || err != nil {
		return nil, p, err
	}
	if batch := asked.Get("batch"); batch != "" {
		made, p, err := get[desk.Decisions](c, r, admin+"/decisions", url.Values{"batch": {batch}})
		if p != nil || err != nil {
			return nil, p, err
		}
		out.Batch = len(made.Items)
		out.Undo = slices.ContainsFunc(made.Items, func(d desk.Decision) bool { return d.UndoneAt == "" && d.Kind != string(catalog.DecisionReopened) })
	}
	return out, nil, nil
}

func savedReasons(c *Config, r *http.Request) ([]desk.SavedReason, *problem, error) {
	page, p, err := get[struct {
		Items []desk.SavedReason `json:"items"`
	}](c, r, admin+"/reasons", nil)
	if p != nil || err != nil {
		return nil, p, err
	}
	return page.Items, nil, nil
}

func loadDecisions(c *Config, r *http.Request) (desk.Content, *problem, error) {
	out, p, err := read[desk.Decisions](c, r, admin+"/decisions", "cursor", "limit", "batch")
	if p != nil || err != nil {
		return nil, p, err
	}
	out.Reasons, p, err = savedReasons(c, r)
	return out, p, err
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

// afterBulk shows what a preview says and what was refused; when all is done, the queue again.
func afterBulk(_ *Config, _ *http.Request, f url.Values, answer *inside.Answer) (string, desk.Content, string, error) {
	out := &desk.Outcome{To: "/admin/queue/bulk", Back: backTo(f.Get("back"), ""), Form: again(f)}
	if err := json.Unmarshal(answer.Body, &out.Result); err != nil {
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
func again(f url.Values) []desk.Hidden {
	var out []desk.Hidden
	for name, list := range f {
		for _, value := range list {
			if name != "preview" && name != csrfField {
				out = append(out, desk.Hidden{Name: name, Value: value})
			}
		}
	}
	slices.SortStableFunc(out, func(a, b desk.Hidden) int { return strings.Compare(a.Name, b.Name) })
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

func afterTrust(_ *Config, _ *http.Request, f url.Values, answer *inside.Answer) (string, desk.Content, string, error) {
	var made struct {
		Result desk.Result `json:"result"`
		Left   int         `json:"left"`
	}
	if err := json.Unmarshal(answer.Body, &made); err != nil {
		return "", nil, "", err
	}
	if !made.Result.Preview && made.Result.Refused == 0 {
		return "", nil, "/admin/trust?done=trust", nil
	}
	return "desk-bulk", &desk.Outcome{Result: made.Result, Left: made.Left, To: "/admin/trust", Back: "/admin/trust", Form: again(f)}, "", nil
}

func loadTrust(c *Config, r *http.Request) (desk.Content, *problem, error) {
	out, p, err := get[desk.Trust](c, r, admin+"/trust-rules", nil)
	if p != nil || err != nil {
		return nil, p, err
	}
	asked := r.URL.Query()
	out.Form.Values = map[string]string{"source": asked.Get("source"), "institution": asked.Get("institution"), "publisher_name": asked.Get("publisher_name")}
	return out, nil, nil
}
