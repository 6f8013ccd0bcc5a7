package query

import (
	"strings"

	"github.com/assay-register/assay/render/snapshot"
)

// setters put the values of a filter into the query.
var setters = map[string]func(*snapshot.Query, []string){
	"type":               func(q *snapshot.Query, v []string) { q.Types = words(q.Types, v) },
	"country_code":       func(q *snapshot.Query, v []string) { q.Countries = v },
	"institution_type":   func(q *snapshot.Query, v []string) { q.InstTypes = words(q.InstTypes, v) },
	"institution_id":     func(q *snapshot.Query, v []string) { q.Institutions = v },
	"tags":               func(q *snapshot.Query, v []string) { q.Tags = v },
	"verification_state": func(q *snapshot.Query, v []string) { q.States = words(q.States, v) },
	"status":             func(q *snapshot.Query, v []string) { q.Statuses = words(q.Statuses, v) },
	"free_access_class":  func(q *snapshot.Query, v []string) { q.FreeAccess = words(q.FreeAccess, v) },
	"auth_type":          func(q *snapshot.Query, v []string) { q.Auth = words(q.Auth, v) },
	"access_rights":      func(q *snapshot.Query, v []string) { q.Rights = words(q.Rights, v) },
	"mqa_tier":           func(q *snapshot.Query, v []string) { q.Tiers = words(q.Tiers, v) },
	"maturity":           func(q *snapshot.Query, v []string) { q.Maturities = words(q.Maturities, v) },
	"format":             func(q *snapshot.Query, v []string) { q.Formats = both(v, strings.ToUpper) },
	"series":             func(q *snapshot.Query, v []string) { q.Series = v },
	"collapse":           func(q *snapshot.Query, v []string) { q.Collapse = true },
	"license":            func(q *snapshot.Query, v []string) { q.Licenses = v },
	"theme":              func(q *snapshot.Query, v []string) { q.Themes = both(v, strings.ToUpper) },
	"lang":               func(q *snapshot.Query, v []string) { q.Langs = both(v, strings.ToLower) },
}

func words[T ~string](_ []T, values []string) []T {
	out := make([]T, len(values))
	for i, v := range values {
		out[i] = T(v)
	}
	return out
}

// both accepts a code as it is written and in the register's own case.
func both(values []string, own func(string) string) []string {
	out := values
	for _, v := range values {
		if o := own(v); o != v {
			out = append(out[:len(out):len(out)], o)
		}
	}
	return out
}

// known puts tags into lower case, in which the register keeps them, unless an
// entry carries one as it is written.
func (s *Snapshot) known(q snapshot.Query) snapshot.Query {
	tags := make([]string, len(q.Tags))
	for i, t := range q.Tags {
		tags[i] = t
		if lower := strings.ToLower(t); lower != t {
			if _, ok := s.tags()[t]; !ok {
				tags[i] = lower
			}
		}
	}
	q.Tags = tags
	return s.Resolve(q)
}
