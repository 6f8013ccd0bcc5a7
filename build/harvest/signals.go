package harvest

import (
	"cmp"
	"fmt"
	"net/url"
	"slices"
	"strings"

	"github.com/assay-register/assay/render/catalog"
)

// signals takes the proof signals of a listing (decisions §5): what its
// connector recorded, what follows from the entry, and that the source lists it.
func (r *resolver) signals(c *candidate) []catalog.Signal {
	fresh := r.prove(&c.entry, c.institution)
	if r.in.Source.Official != "" {
		fresh = append(fresh, catalog.Signal{Kind: catalog.SignalBacklink, Held: true, SourceID: r.in.Source.ID, ObservedAt: r.opts.Now,
			EvidenceURL: cmp.Or(c.entry.SourceSeedURL, r.in.Source.URL), Detail: cmp.Or(r.in.Source.Title, r.in.Source.ID)})
	}
	return ownSignals(&c.entry, mergeSignals(c.entry.Signals, fresh))
}

// prove takes the signals that follow from the entry and its institution
// alone, so that they are proved again whenever either is seen.
func (r *resolver) prove(e *catalog.Entry, inst *catalog.Institution) []catalog.Signal {
	var list []catalog.Signal
	for _, s := range []*catalog.Signal{r.domainSignal(e, inst), githubSignal(e, inst), r.policySignal(e, inst)} {
		if s != nil {
			s.ObservedAt = r.opts.Now
			list = append(list, *s)
		}
	}
	return list
}

// served lists where the source itself is used, the main address first. A page
// that an API or a server names beside its endpoint proves nothing about who
// runs it; a server without an endpoint has none. Nothing is served under the
// IRI of a blank node.
func served(e *catalog.Entry) []string {
	var all []string
	switch {
	case e.MCP != nil:
		all = []string{e.MCP.EndpointURL}
	case e.API != nil && e.API.BaseURL != "":
		all = []string{e.API.BaseURL, e.API.OpenAPIURL}
	case e.API != nil:
		all = []string{e.PrimarySourceURL, e.API.OpenAPIURL}
	case e.Dataset != nil:
		all = []string{e.PrimarySourceURL, e.Dataset.LandingPage}
	default:
		all = []string{e.PrimarySourceURL}
	}
	return slices.DeleteFunc(all, func(u string) bool { return u == "" || catalog.Skolem(u) })
}

// domainSignal proves that the source is served under an official domain of
// the institution.
func (r *resolver) domainSignal(e *catalog.Entry, inst *catalog.Institution) *catalog.Signal {
	all := served(e)
	if inst == nil || len(all) == 0 {
		return nil
	}
	for _, u := range all {
		if domain, ok := r.ownDomain(inst, u); ok && (e.PublisherName != "" || !r.portal(catalog.Host(u))) {
			return &catalog.Signal{Kind: catalog.SignalDomain, Held: true, EvidenceURL: u, Detail: domain}
		}
	}
	return &catalog.Signal{Kind: catalog.SignalDomain, EvidenceURL: all[0],
		Detail: fmt.Sprintf("%s is under no official domain of %s", catalog.Host(all[0]), inst.Key)}
}

// partsMax bounds how many bodies a part may lie below.
const partsMax = 5

// ownDomain is the official domain of the institution, or of a body that it is
// a part of, under which an address lies. The address of a blank node lies
// nowhere.
func (r *resolver) ownDomain(inst *catalog.Institution, u string) (string, bool) {
	if catalog.Skolem(u) {
		return "", false
	}
	for n := 0; inst != nil && n < partsMax; n++ {
		if domain, ok := r.domains.Covers(inst.Key, inst.OfficialDomains, catalog.Host(u)); ok {
			return domain, true
		}
		inst = r.byID[inst.ParentID]
	}
	return "", false
}

// githubSignal proves that the repository belongs to the institution.
func githubSignal(e *catalog.Entry, inst *catalog.Institution) *catalog.Signal {
	org := githubOrg(e.RepoURL)
	if inst == nil || org == "" {
		return nil
	}
	s := &catalog.Signal{Kind: catalog.SignalGithub, EvidenceURL: e.RepoURL, Detail: org}
	s.Held = slices.ContainsFunc(inst.GithubOrgs, func(known string) bool { return strings.EqualFold(known, org) })
	return s
}

// githubOrg is the owner of a repository on GitHub, or "".
func githubOrg(repo string) string {
	u, err := url.Parse(repo)
	if err != nil || strings.TrimPrefix(catalog.Host(repo), "www.") != "github.com" {
		return ""
	}
	org, _, _ := strings.Cut(strings.TrimPrefix(u.Path, "/"), "/")
	return org
}

// statedPolicy begins the detail of a policy that the record itself names.
const statedPolicy = "named by the record, under "

// policySignal proves that the record names terms of use or a licence on a
// page under an official domain of the institution. A page elsewhere, such as
// the text of a common licence, says nothing either way.
func (r *resolver) policySignal(e *catalog.Entry, inst *catalog.Institution) *catalog.Signal {
	if inst == nil {
		return nil
	}
	pages := []string{e.LicenseRaw}
	if e.API != nil {
		pages = []string{e.API.TermsURL, e.LicenseRaw}
	}
	for _, u := range pages {
		if domain, ok := r.domains.Covers(inst.Key, inst.OfficialDomains, catalog.Host(u)); ok {
			return &catalog.Signal{Kind: catalog.SignalPolicy, Held: true, EvidenceURL: u, Detail: statedPolicy + domain}
		}
	}
	return nil
}
