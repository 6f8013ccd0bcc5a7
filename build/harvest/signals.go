package harvest

import (
	"fmt"
	"net/url"
	"slices"
	"strings"

	"github.com/assay-register/assay/render/catalog"
)

// signals takes the proof signals of a candidate (decisions §5) and keeps
// those that its connector recorded.
func (r *resolver) signals(c *candidate) []catalog.Signal {
	var list []catalog.Signal
	for _, s := range []*catalog.Signal{r.domainSignal(c), r.backlinkSignal(c), r.githubSignal(c)} {
		if s != nil {
			s.ObservedAt = r.opts.Now
			list = append(list, *s)
		}
	}
	return mergeSignals(c.entry.Signals, list)
}

// domainSignal proves that the source's host lies under an official domain of
// the institution. A longer domain of another institution wins.
func (r *resolver) domainSignal(c *candidate) *catalog.Signal {
	all := addresses(&c.entry)
	if c.institution == nil || len(all) == 0 {
		return nil
	}
	for _, u := range all {
		host := catalog.Host(u)
		domain := under(host, c.institution.OfficialDomains)
		key, longest, ok := r.domains.Owner(host)
		if domain != "" && (!ok || key == c.institution.Key || len(longest) <= len(domain)) {
			return &catalog.Signal{Kind: catalog.SignalDomain, Held: true, EvidenceURL: u, Detail: domain}
		}
	}
	return &catalog.Signal{Kind: catalog.SignalDomain, EvidenceURL: all[0],
		Detail: fmt.Sprintf("%s is under no official domain of %s", catalog.Host(all[0]), c.institution.Key)}
}

// under returns the longest of the domains that host equals or is below.
func under(host string, domains []string) string {
	longest := ""
	for _, d := range domains {
		d = strings.ToLower(d)
		if len(d) > len(longest) && (host == d || strings.HasSuffix(host, "."+d)) {
			longest = d
		}
	}
	return longest
}

// backlinkSignal proves that an official source lists the entry.
func (r *resolver) backlinkSignal(c *candidate) *catalog.Signal {
	if r.in.Source.Official == "" {
		return nil
	}
	return &catalog.Signal{Kind: catalog.SignalBacklink, Held: true,
		EvidenceURL: first(c.entry.SourceSeedURL, r.in.Source.URL), Detail: first(r.in.Source.Title, r.in.Source.ID)}
}

// githubSignal proves that the repository belongs to the institution.
func (r *resolver) githubSignal(c *candidate) *catalog.Signal {
	if c.institution == nil || c.entry.RepoURL == "" {
		return nil
	}
	u, err := url.Parse(c.entry.RepoURL)
	if err != nil || catalog.Host(c.entry.RepoURL) != "github.com" {
		return nil
	}
	org, _, _ := strings.Cut(strings.TrimPrefix(u.Path, "/"), "/")
	s := &catalog.Signal{Kind: catalog.SignalGithub, EvidenceURL: c.entry.RepoURL, Detail: org}
	for _, known := range c.institution.GithubOrgs {
		s.Held = s.Held || strings.EqualFold(known, org)
	}
	return s
}

// addSignals adds what a further listing proves: a proof that held already is
// not replaced by another.
func addSignals(known, fresh []catalog.Signal) []catalog.Signal {
	var more []catalog.Signal
	for _, f := range fresh {
		if f.Held && !slices.ContainsFunc(known, func(k catalog.Signal) bool { return k.Kind == f.Kind && k.Held }) {
			more = append(more, f)
		}
	}
	return mergeSignals(known, more)
}

// mergeSignals lays fresh signals over known ones. A kind that was not tried
// again stays; one with the same outcome keeps the time it was first observed.
func mergeSignals(known, fresh []catalog.Signal) []catalog.Signal {
	out := append([]catalog.Signal(nil), known...)
	for _, f := range fresh {
		found := false
		for i := range out {
			if out[i].Kind != f.Kind {
				continue
			}
			found = true
			same := out[i].Held == f.Held && out[i].EvidenceURL == f.EvidenceURL && out[i].Detail == f.Detail
			if !same {
				out[i] = f
			}
			break
		}
		if !found {
			out = append(out, f)
		}
	}
	return out
}
