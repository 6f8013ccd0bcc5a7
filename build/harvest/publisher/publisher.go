// Package publisher finds the institution that a source means by its publisher.
// It goes by what identifies a body: its number in a register, or its name to
// the letter within its country. A host or a GitHub organisation tells who
// publishes only where nobody is named. The outcome says why.
package publisher

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/assay-register/assay/build/reference"
	"github.com/assay-register/assay/render/catalog"
)

// Rule is the kind of evidence by which an institution is found, in the order
// in which they are asked.
type Rule string

// Rules.
const (
	// ByIdentifier is a persistent identifier that both have.
	ByIdentifier Rule = "identifier"
	// ByName is a name or an alias in any language, within the country.
	ByName Rule = "name"
	// ByDomain is an official domain, where no publisher is named.
	ByDomain Rule = "domain"
	// ByOrganisation is an organisation on GitHub, where no publisher is named.
	ByOrganisation Rule = "organisation"
)

// Query is what a record says about its publisher. Every member may be empty.
type Query struct {
	// Names are the publisher's names in all languages, the one shown first.
	Names []string
	// Domains are bare domains that stand in place of a name.
	Domains []string
	// Identifiers are its IRI and whatever else identifies it, as stated.
	Identifiers []string
	// Country is where the record or its source places it, ISO 3166-1 alpha-2.
	Country string
	// Source is the id of the catalogue: what one catalogue names is known
	// again by its name in that one only.
	Source string
	// Local tells that the catalogue is a municipality's or a region's: the
	// "Department of Education" that it names is most likely its own.
	Local bool
	// HomeHost is the host of the publisher's own page: below the domain of a
	// municipality or a region it is no national body.
	HomeHost string
	// Hosts are the hosts under which the source itself is reached, and
	// HomeHost. Hosts of portals are not among them.
	Hosts []string
	// GithubOrg owns the repository of the source.
	GithubOrg string
}

// Result is the outcome of a match.
type Result struct {
	// Match is the institution that was found, nil for none.
	Match *catalog.Institution
	Rule  Rule
	// Evidence says what was found, such as "known alias “HMRC”".
	Evidence string
	// Rivals are the institutions that the evidence fits alike, so that none
	// is taken.
	Rivals []*catalog.Institution
}

// Text explains the result in one line, "" when nothing was found.
func (r *Result) Text() string {
	switch {
	case r.Match != nil:
		return string(r.Rule) + ": " + r.Evidence
	case len(r.Rivals) == 0:
		return ""
	}
	keys := make([]string, len(r.Rivals))
	for i, inst := range r.Rivals {
		keys[i] = inst.Key
	}
	slices.Sort(keys)
	return fmt.Sprintf("ambiguous: %s fits %s", r.Evidence, strings.Join(keys, ", "))
}

// Matcher knows the institutions of the register. It is for one goroutine.
type Matcher struct {
	institutions []*catalog.Institution
	byKey        map[string]int32
	identifiers  map[string]int32
	domains      *reference.Domains
	orgs         map[string][]int32
	names        nameIndex
}

// New indexes institutions. aliases are further names by institution key.
func New(institutions []catalog.Institution, aliases map[string][]string, domains *reference.Domains) *Matcher {
	m := &Matcher{byKey: make(map[string]int32, len(institutions)), identifiers: map[string]int32{}, domains: domains,
		orgs: map[string][]int32{}, names: nameIndex{}}
	for i := range institutions {
		m.Add(&institutions[i], aliases[institutions[i].Key]...)
	}
	return m
}

// Add files an institution, or the further identifiers and names of one that is
// there.
func (m *Matcher) Add(inst *catalog.Institution, aliases ...string) {
	i, ok := m.byKey[inst.Key]
	if !ok {
		i = int32(len(m.institutions))
		m.institutions = append(m.institutions, nil)
		m.byKey[inst.Key] = i
	}
	m.institutions[i] = inst
	for _, raw := range inst.Identifiers {
		if id, ok := reference.BodyIdentifier(raw); ok {
			if _, taken := m.identifiers[id]; !taken {
				m.identifiers[id] = i
			}
		}
	}
	for _, org := range inst.GithubOrgs {
		if org = strings.ToLower(org); !slices.Contains(m.orgs[org], i) {
			m.orgs[org] = append(m.orgs[org], i)
		}
	}
	m.names.add(i, inst, aliases)
}

// Alias files the names and numbers of an institution under that which it was
// merged into.
func (m *Matcher) Alias(key string, from *catalog.Institution) {
	i, ok := m.byKey[key]
	if !ok {
		return
	}
	for _, raw := range from.Identifiers {
		if id, ok := reference.BodyIdentifier(raw); ok {
			m.identifiers[id] = i
		}
	}
	names := slices.Concat([]string{from.Name, from.NameEn}, from.Aliases, slices.Collect(maps.Values(from.Names)))
	for _, name := range names {
		m.names.addName(i, name, kindAlias)
	}
}

// Match finds the institution that a record means. Where the evidence fits
// several alike, none is taken.
func (m *Matcher) Match(q Query) Result {
	if r := m.byIdentifier(q); r.Match != nil {
		return r
	}
	q.Local = q.Local || m.localHost(q.HomeHost, local) || slices.ContainsFunc(q.Hosts, func(h string) bool { return m.localHost(h, municipal) })
	if named(q.Names) {
		return m.byName(q)
	}
	if q.Names = q.Domains; named(q.Domains) {
		if r := m.byName(q); r.Match != nil {
			return r
		}
	}
	if r := m.byDomain(q); r.Match != nil || len(r.Rivals) > 0 {
		return r
	}
	return m.byOrg(q)
}

// named tells whether a publisher is named at all.
func named(names []string) bool {
	return slices.ContainsFunc(names, func(n string) bool { return strings.TrimSpace(n) != "" })
}

func (m *Matcher) byIdentifier(q Query) Result {
	for _, raw := range q.Identifiers {
		if id, ok := reference.BodyIdentifier(raw); ok {
			if i, known := m.identifiers[id]; known {
				return m.result(ByIdentifier, id, i)
			}
		}
	}
	return Result{}
}

func (m *Matcher) byName(q Query) Result {
	var best hits
	for _, name := range q.Names {
		for _, r := range readings(name) {
			if found := m.lookUp(r, &q); found.rank > best.rank {
				best = found
			} else if found.rank == best.rank {
				best.merge(found)
			}
		}
	}
	if len(best.list) > 1 {
		best.list = m.onHosts(m.knownOf(best.list), q.Hosts)
	}
	return m.result(ByName, best.evidence, best.list...)
}

// knownOf keeps of several bodies of one name those that the register knows, if
// there are any: a catalogue that names one of them states no other.
func (m *Matcher) knownOf(list []int32) []int32 {
	var known []int32
	for _, i := range list {
		if m.institutions[i].State != catalog.InstitutionStated {
			known = append(known, i)
		}
	}
	if len(known) > 0 {
		return known
	}
	return list
}

// onHosts keeps of several bodies of one name those whose domain serves the
// source, if there are any.
func (m *Matcher) onHosts(list []int32, hosts []string) []int32 {
	var own []int32
	for _, host := range hosts {
		if key, _, ok := m.domains.Owner(host); ok && slices.Contains(list, m.byKey[key]) && !slices.Contains(own, m.byKey[key]) {
			own = append(own, m.byKey[key])
		}
	}
	if len(own) > 0 {
		return own
	}
	return list
}

func (m *Matcher) byDomain(q Query) Result {
	var list []int32
	evidence := ""
	for _, host := range q.Hosts {
		key, domain, ok := m.domains.Owner(host)
		i, known := m.byKey[key]
		if !ok || !known || slices.Contains(list, i) {
			continue
		}
		list = append(list, i)
		if evidence == "" {
			evidence = "official domain " + domain
		}
	}
	return m.result(ByDomain, evidence, list...)
}

func (m *Matcher) byOrg(q Query) Result {
	if q.GithubOrg == "" {
		return Result{}
	}
	return m.result(ByOrganisation, "GitHub organisation "+q.GithubOrg, m.orgs[strings.ToLower(q.GithubOrg)]...)
}

// result is the one institution of the list, or all as rivals.
func (m *Matcher) result(rule Rule, evidence string, list ...int32) Result {
	r := Result{Rule: rule, Evidence: evidence}
	switch len(list) {
	case 0:
		return Result{}
	case 1:
		r.Match = m.institutions[list[0]]
		return r
	}
	for _, i := range list {
		r.Rivals = append(r.Rivals, m.institutions[i])
	}
	return r
}

// localHost tells whether a host belongs to a local body. A region's host also
// serves what national bodies have of the region, a city's does not.
func (m *Matcher) localHost(host string, kind func(*catalog.Institution) bool) bool {
	key, _, ok := m.domains.Owner(host)
	i, known := m.byKey[key]
	return ok && known && kind(m.institutions[i])
}

func municipal(inst *catalog.Institution) bool { return inst.Type == catalog.InstMunicipality }

func local(inst *catalog.Institution) bool {
	return inst.Type == catalog.InstMunicipality || inst.Type == catalog.InstRegion
}
