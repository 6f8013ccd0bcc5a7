package mcp

import (
	"context"
	"encoding/json"
	"net/url"
	"slices"
	"strconv"
	"strings"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/assay-register/assay/render/catalog"
	"github.com/assay-register/assay/render/wire"
)

// foundDefault and foundMax are how many entries find_data gives.
const (
	foundDefault = 5
	foundMax     = 20
)

// findTool takes a question as a person asks it.
func findTool() *sdk.Tool {
	return &sdk.Tool{Name: "find_data", Annotations: readOnly("Find data"),
		Description: "Takes a whole question, unchanged: \"find me data about X in Y that I may use for Z\". Understands the country, the format, API or MCP server, and what the licence must allow; " +
			"says what it understood and what it had to give up. Begin here; then get_entry.",
		InputSchema: schema{"type": "object", "additionalProperties": false, "required": []any{"question"}, "properties": schema{
			"question": schema{"type": "string", "description": "The question as it was asked."},
			"limit":    schema{"type": "integer", "minimum": 1, "maximum": foundMax, "default": foundDefault}}},
		OutputSchema: schema{"type": "object", "properties": schema{"items": schema{"type": "array", "items": schema{"type": "object"}}}, "required": []any{"items"}}}
}

// attempt is one search for a question: with which of its conditions.
type attempt struct {
	country, format, kind, licence bool
}

// attempts give up one condition after the other: first what can be changed (the format),
// then what is told with each entry (the licence), the place last.
var attempts = []attempt{{true, true, true, true}, {true, false, true, true}, {true, true, true, false}, {true, false, false, true}, {true, false, false, false}, {false, false, false, false}}

// find answers a question.
func (a *asker) find(licences func() map[string]*catalog.Licence) sdk.ToolHandler {
	list := tools()
	rows := &list[slices.IndexFunc(list, func(t tool) bool { return t.name == "search_entries" })]
	return func(ctx context.Context, r *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
		var args struct {
			Question string `json:"question"`
			Limit    int    `json:"limit"`
		}
		if err := json.Unmarshal(r.Params.Arguments, &args); err != nil || strings.TrimSpace(args.Question) == "" {
			return advice("Give the question as a text: {\"question\": \"…\"}."), nil //nolint:nilerr // the advice tells it
		}
		if args.Limit <= 0 || args.Limit > foundMax {
			args.Limit = foundDefault
		}
		if len(args.Question) > questionMax {
			args.Question = shorten(args.Question, questionMax)
		}
		q := understand(args.Question)
		var terms []string
		if licences != nil && len(q.purposes) > 0 {
			terms = q.licences(licences())
		}
		found, how, failed, err := a.try(ctx, q, terms, foundMax)
		if err != nil || failed != nil {
			return failed, err
		}
		if found, err = a.reorder(ctx, q, how, terms, found, args.Limit); err != nil {
			return nil, err
		}
		short, err := rows.shorter(found, nil, a.page)
		if err != nil {
			return nil, err
		}
		return told(q, how, short)
	}
}

// questionMax is how much of a question is read, in bytes.
const questionMax = 500

// try searches until an attempt has an entry with all words; else it is the first that has any.
//
// Where nothing at the place has the words, one of them after the other is left out, before
// the place is.
func (a *asker) try(ctx context.Context, q *question, terms []string, limit int) (found []byte, how attempt, failed *sdk.CallToolResult, err error) {
	found, how, failed, err = a.tryAll(ctx, q, terms, limit, attempts[:len(attempts)-1])
	words := strings.Fields(q.words)
	if err != nil || failed != nil || !isEmpty(found) {
		return found, how, failed, err
	}
	for i := range words[:min(len(words), wordsTried)] {
		fewer := *q
		fewer.words = strings.Join(slices.Concat(words[:i], words[i+1:]), " ")
		if q.country == "" || fewer.words == "" {
			break
		}
		if found, how, failed, err = a.tryAll(ctx, &fewer, terms, limit, attempts[3:5]); err != nil || failed != nil || !isEmpty(found) {
			q.words = fewer.words
			return found, how, failed, err
		}
	}
	return a.tryAll(ctx, q, terms, limit, attempts[len(attempts)-1:])
}

// wordsTried is how many words are left out, one at a time.
const wordsTried = 6

func (a *asker) tryAll(ctx context.Context, q *question, terms []string, limit int, attempts []attempt) (found []byte, how attempt, failed *sdk.CallToolResult, err error) {
	asked := map[string]bool{}
	for _, x := range attempts {
		target := q.target(x, terms, limit)
		if asked[target] {
			continue
		}
		asked[target] = true
		got, err := a.get(ctx, target)
		if err != nil {
			return nil, how, nil, err
		}
		if p := got.Problem(); p != nil {
			return nil, how, advice(problem(p)), nil
		}
		var page struct {
			Total int
			Match string
		}
		if err := json.Unmarshal(got.Body, &page); err != nil {
			return nil, how, nil, err
		}
		if page.Total > 0 && page.Match != wire.MatchSome {
			return got.Body, x, nil, nil
		}
		if found == nil || page.Total > 0 && isEmpty(found) {
			found, how = got.Body, x
		}
	}
	return found, how, nil, nil
}

func isEmpty(page []byte) bool {
	var p struct{ Total int }
	return json.Unmarshal(page, &p) == nil && p.Total == 0
}

// target is the address of a search, or of a list where nothing but conditions is asked for.
func (q *question) target(x attempt, terms []string, limit int) string {
	v := url.Values{"limit": {strconv.Itoa(limit)}}
	if x.country && q.country != "" {
		v.Set("country_code", q.country)
	}
	if x.format && len(q.formats) > 0 {
		v.Set("format", strings.Join(q.formats, ","))
	}
	if x.kind && q.kind != "" {
		v.Set("type", string(q.kind))
	}
	if x.licence && len(terms) > 0 {
		v.Set("license", strings.Join(terms[:min(len(terms), wire.ValuesMax)], ","))
	}
	if q.words == "" {
		return "/api/v1/entries?" + v.Encode()
	}
	v.Set("q", q.words)
	return "/api/v1/entries/search?" + v.Encode()
}

// told puts what was understood before what was found.
func told(q *question, how attempt, short []byte) (*sdk.CallToolResult, error) {
	var out map[string]any
	if err := json.Unmarshal(short, &out); err != nil {
		return nil, err
	}
	understood, gaveUp := map[string]any{"words": q.words}, []string{}
	note := func(name string, value any, given, kept bool) {
		switch {
		case given && kept:
			understood[name] = value
		case given:
			gaveUp = append(gaveUp, name)
		}
	}
	note("country_code", q.country, q.country != "", how.country)
	note("format", q.formats, len(q.formats) > 0, how.format)
	note("type", q.kind, q.kind != "", how.kind)
	note("licence_allows", q.purposes, len(q.purposes) > 0, how.licence)
	out["understood"] = understood
	if len(gaveUp) > 0 {
		out["gave_up"] = gaveUp
	}
	body, err := json.Marshal(out)
	if err != nil {
		return nil, err
	}
	return result(body), nil
}
