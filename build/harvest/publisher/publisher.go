// Package publisher finds the public institution that a source means by its
// publisher. It weighs what a record says (a name in any script, addresses, a
// GitHub organisation) against the register of institutions and explains the
// outcome, so that provenance can tell why an institution was taken or not.
package publisher

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/assay-register/assay/build/reference"
	"github.com/assay-register/assay/render/catalog"
)

const (
	// Threshold is the score from which a match counts: an exact name in an
	// unknown country (85), an official domain (80) or an acronym within the
	// known country (75) reach it alone; half of a name's words do not.
	Threshold = 70
	// margin is by how much the best institution must lead the second one.
	margin = 10
	// plausible is the score from which a candidate is worth recording.
	plausible = 40
	// recorded bounds the candidates that a result lists.
	recorded = 3
)

// Query is what a record says about its publisher. Every member may be empty.
type Query struct {
	// Name is the publisher as the source writes it.
	Name string
	// Country is where the record or its source places it, ISO 3166-1 alpha-2.
	Country string
	// Local tells that the catalogue is a municipality's or a region's: the
	// "Department of Education" that it names is most likely its own.
	Local bool
	// Hosts are the hosts under which the source itself is reached.
	Hosts []string
	// HomeHost is the host of the publisher's own page.
	HomeHost string
	// GithubOrg owns the repository of the source.
	GithubOrg string
}

// Reason is one piece of evidence for an institution.
type Reason struct {
	// Points are 0 to 100.
	Points int
	// Text says what was found, such as "official domain hmrc.gov.uk".
	Text string
	// kind groups what is not independent: of each kind only the best counts.
	kind evidence
}

// Candidate is an institution with the evidence for it.
type Candidate struct {
	Institution *catalog.Institution
	// Score is 0 to 100: each kind of evidence takes its share off the doubt
	// that the others left.
	Score   int
	Reasons []Reason
}

// String explains the candidate in one line.
func (c *Candidate) String() string {
	parts := make([]string, len(c.Reasons))
	for i, r := range c.Reasons {
		parts[i] = fmt.Sprintf("%s (%d)", r.Text, r.Points)
	}
	return fmt.Sprintf("score %d of 100: %s", c.Score, strings.Join(parts, ", "))
}

// Result is the outcome of a match.
type Result struct {
	// Match is the institution that was found, nil for none.
	Match *Candidate
	// Candidates are the best ones that came near, the match included; a
	// result with candidates and no match says by its Text why.
	Candidates []Candidate
}

// Text explains the result in one line, "" when nothing came near.
func (r *Result) Text() string {
	switch {
	case r.Match != nil:
		return r.Match.String()
	case len(r.Candidates) == 0:
		return ""
	}
	parts := make([]string, len(r.Candidates))
	for i := range r.Candidates {
		parts[i] = r.Candidates[i].Institution.Key + " " + r.Candidates[i].String()
	}
	why := "no match, below " + fmt.Sprint(Threshold)
	if r.Candidates[0].Score >= Threshold {
		why = "ambiguous"
	}
	return why + ": " + strings.Join(parts, "; ")
}

// Matcher knows the institutions of the register. It is safe for concurrent
// use once made.
type Matcher struct {
	institutions []catalog.Institution
	byKey        map[string]int32
	domains      *reference.Domains
	orgs         map[string][]int32
	names        nameIndex
}

// New indexes institutions. aliases are further names by institution key.
func New(institutions []catalog.Institution, aliases map[string][]string, domains *reference.Domains) *Matcher {
	m := &Matcher{institutions: institutions, byKey: make(map[string]int32, len(institutions)), domains: domains,
		orgs: map[string][]int32{}, names: newNameIndex()}
	for i := range institutions {
		inst := &institutions[i]
		m.byKey[inst.Key] = int32(i)
		for _, org := range inst.GithubOrgs {
			org = strings.ToLower(org)
			m.orgs[org] = append(m.orgs[org], int32(i))
		}
		m.names.add(int32(i), inst, aliases[inst.Key])
	}
	m.names.finish()
	return m
}

// Match finds the institution that a record means. Two institutions that come
// close to each other are ambiguous, and none is taken.
func (m *Matcher) Match(q Query) Result {
	found := map[int32][]Reason{}
	m.byDomain(q, found)
	q.Local = q.Local || m.anyLocal(found)
	m.byOrg(q, found)
	m.byName(q, found)
	list := make([]Candidate, 0, len(found))
	for i, reasons := range found {
		c := Candidate{Institution: &m.institutions[i]}
		c.Reasons, c.Score = combine(reasons)
		if c.Score >= plausible {
			list = append(list, c)
		}
	}
	slices.SortFunc(list, func(a, b Candidate) int {
		return cmp.Or(cmp.Compare(b.Score, a.Score), cmp.Compare(a.Institution.Key, b.Institution.Key))
	})
	r := Result{Candidates: list[:min(len(list), recorded)]}
	if len(list) > 0 && list[0].Score >= Threshold && (len(list) == 1 || list[0].Score-list[1].Score >= margin) {
		r.Match = &list[0]
	}
	return r
}

func (m *Matcher) byDomain(q Query, found map[int32][]Reason) {
	add := func(host string, points int, what string) {
		key, domain, ok := m.domains.Owner(host)
		if i, known := m.byKey[key]; ok && known {
			found[i] = append(found[i], Reason{Points: points, Text: what + domain, kind: evidenceDomain})
		}
	}
	if q.HomeHost != "" {
		add(q.HomeHost, pointsHome, "publisher's page under the official domain ")
	}
	for _, host := range q.Hosts {
		add(host, pointsDomain, "source under the official domain ")
	}
}

func (m *Matcher) byOrg(q Query, found map[int32][]Reason) {
	if q.GithubOrg == "" {
		return
	}
	for _, i := range m.orgs[strings.ToLower(q.GithubOrg)] {
		found[i] = append(found[i], Reason{Points: pointsOrg, Text: "GitHub organisation " + q.GithubOrg, kind: evidenceOrg})
	}
}

func (m *Matcher) byName(q Query, found map[int32][]Reason) {
	for _, part := range variants(q.Name) {
		country := cmp.Or(q.Country, part.country)
		m.names.find(part.words, func(i int32, kind nameKind, points int, text string) {
			points -= part.loss
			points = placed(points, kind, country, m.institutions[i].CountryCode)
			if q.Local && !local(&m.institutions[i]) {
				points -= localLoss
			}
			if points > 0 {
				found[i] = append(found[i], Reason{Points: points, Text: text, kind: evidenceName})
			}
		})
	}
}

// anyLocal tells whether a host belongs to a municipality or a region.
func (m *Matcher) anyLocal(found map[int32][]Reason) bool {
	for i := range found {
		if local(&m.institutions[i]) {
			return true
		}
	}
	return false
}

func local(inst *catalog.Institution) bool {
	return inst.Type == catalog.InstMunicipality || inst.Type == catalog.InstRegion
}
