package mcp

import (
	"cmp"
	"context"
	"encoding/json"
	"slices"
)

// scored is what the order of an answer is made of.
type scored struct {
	Score float64
	Entry struct{ ID string }
}

// reorder puts what was found into the order of how well it fits what the question is about and, as
// much, how well it fits all that it says: the place, the institution and the formats are conditions,
// and what has them in its title is rather meant than what has them by the way. At most limit entries remain.
func (a *asker) reorder(ctx context.Context, q *question, how attempt, terms []string, found []byte, limit int) ([]byte, error) {
	var answer map[string]json.RawMessage
	if err := json.Unmarshal(found, &answer); err != nil {
		return nil, err
	}
	var items []json.RawMessage
	if err := json.Unmarshal(answer["items"], &items); err != nil {
		return nil, err
	}
	if q.whole != q.words && q.words != "" && len(items) > 0 {
		all := *q
		all.words = q.whole
		got, err := a.get(ctx, all.target(how, terms, foundMax))
		if err != nil {
			return nil, err
		}
		var more struct{ Items []json.RawMessage }
		if got.Problem() == nil { // a question that is too long as a whole has its order already
			if err := json.Unmarshal(got.Body, &more); err != nil {
				return nil, err
			}
		}
		if items, err = sum(items, more.Items); err != nil {
			return nil, err
		}
	}
	var err error
	if answer["items"], err = json.Marshal(items[:min(len(items), limit)]); err != nil {
		return nil, err
	}
	return json.Marshal(answer)
}

// sum orders the entries of two answers by the sums of their scores; those with equal ones stay in their order.
func sum(a, b []json.RawMessage) ([]json.RawMessage, error) {
	scores, places, out := map[string]float64{}, map[string]int{}, []json.RawMessage{}
	var order []string
	for _, raw := range slices.Concat(a, b) {
		var x scored
		if err := json.Unmarshal(raw, &x); err != nil {
			return nil, err
		}
		if _, known := places[x.Entry.ID]; !known {
			places[x.Entry.ID] = len(out)
			order, out = append(order, x.Entry.ID), append(out, raw)
		}
		scores[x.Entry.ID] += x.Score
	}
	slices.SortStableFunc(order, func(x, y string) int { return cmp.Compare(scores[y], scores[x]) })
	sorted := make([]json.RawMessage, len(out))
	for i, id := range order {
		sorted[i] = out[places[id]]
	}
	return sorted, nil
}
