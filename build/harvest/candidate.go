package harvest

import (
	"slices"
	"strings"

	"github.com/assay-register/assay/build/harvest/identity"
	"github.com/assay-register/assay/build/harvest/source"
	"github.com/assay-register/assay/render/catalog"
)

// candidate is a draft made ready for the register: its publisher, licence and
// country are resolved, its proof signals taken.
type candidate struct {
	place string
	entry catalog.Entry
	rows  []catalog.FieldRow
	// institution is the known institution behind it, or nil.
	institution *catalog.Institution
	// stated is the institution that its catalogue names instead, or nil.
	stated    *catalog.Institution
	rejection *source.Rejection
	// refs are all references of the record, best first; ambiguous those of
	// them that others have too; former and edition as in the draft.
	refs      []source.Ref
	ambiguous []string
	former    []string
	edition   bool
	// raw is the record as it came, is the entry that it became or belongs to, "" while it
	// is none.
	raw catalog.RawRecord
	is  string
	// last tells that the run has no further record.
	last bool
}

// prepare makes a draft ready. It needs no transaction.
func (r *resolver) prepare(d source.Draft) *candidate {
	c := &candidate{place: d.Place, entry: d.Entry, rows: d.Rows, refs: d.Refs, ambiguous: d.Ambiguous, former: d.FormerRefs, edition: d.Edition, raw: rawOf(&d)}
	if e := &c.entry; len(c.refs) == 0 && e.UpstreamRef != "" {
		c.refs = []source.Ref{{Basis: source.RefIRI, Ref: e.UpstreamRef}}
	}
	e := &c.entry
	e.SourceID = r.in.Source.ID
	e.ExtractionConfidence = d.Confidence()
	if e.SourceSeedURL == "" {
		e.SourceSeedURL = r.in.PageURL()
	}
	if e.FreeAccessClass == "" {
		e.FreeAccessClass = catalog.AccessUnknown
	}
	if e.AuthType == "" {
		e.AuthType = catalog.AuthUnknown
	}
	e.Formats = formats(e.Formats)
	r.resolveInstitution(c, &d)
	r.checkOperator(c)
	r.resolveCountry(c)
	r.resolveLicence(c, &d)
	identity.Keys(e)
	e.Signals = r.signals(c)
	if host := r.blocked(e); host != "" {
		c.rejection = &source.Rejection{Place: c.place, Code: CodeBlocklisted, Reason: host + " is on the blocklist",
			Remedy: "ask the administrator of the register to lift the block", UpstreamRef: e.UpstreamRef}
	}
	return c
}

// checkOperator takes an MCP server for a third party's unless something proves
// that a public body runs it: most servers that wrap official data are not
// official. Only a source that is official itself is taken at its word.
func (r *resolver) checkOperator(c *candidate) {
	e := &c.entry
	if e.Type != catalog.TypeMCPServer || e.ThirdParty || r.in.Source.Official != "" {
		return
	}
	for _, s := range mergeSignals(e.Signals, r.prove(e, c.institution)) {
		if s.Held && (s.Kind == catalog.SignalDomain || s.Kind == catalog.SignalGithub) {
			return
		}
	}
	e.ThirdParty, e.InstitutionID, c.institution, c.stated = true, "", nil, nil
	c.rows = slices.DeleteFunc(c.rows, func(row catalog.FieldRow) bool { return row.Field == "institution_id" })
	r.compute(c, "third_party", "the operator of the server, by its endpoint and repository",
		"neither lies under an official domain or in a GitHub organisation of a known institution")
}

// compute records where the run got a field from.
func (r *resolver) compute(c *candidate, field, transform, note string) {
	c.rows = append(c.rows, catalog.FieldRow{Field: field, Basis: catalog.BasisComputed, SourceID: r.in.Source.ID,
		SourceURL: c.entry.SourceSeedURL, Transform: transform, Note: note, ObservedAt: r.opts.Now})
}

// formats writes format codes in upper case, sorted and distinct.
func formats(raw []string) []string {
	var out []string
	for _, f := range raw {
		f, _ = source.Line(f)
		if f = strings.ToUpper(strings.TrimLeft(f, ".")); f != "" && len(f) <= catalog.TagMax {
			out = append(out, f)
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// blocked returns the host of the entry that is on the blocklist, or "".
func (r *resolver) blocked(e *catalog.Entry) string {
	for _, host := range hosts(e) {
		for _, b := range r.opts.Blocklist {
			b = strings.ToLower(strings.Trim(b, ". "))
			if b != "" && (host == b || strings.HasSuffix(host, "."+b)) {
				return host
			}
		}
	}
	return ""
}

// addresses lists where the source itself is reached, the base first.
func addresses(e *catalog.Entry) []string {
	var all []string
	if e.API != nil {
		all = append(all, e.API.BaseURL)
	}
	if e.MCP != nil {
		all = append(all, e.MCP.EndpointURL)
	}
	all = append(all, e.PrimarySourceURL)
	if e.API != nil {
		all = append(all, e.API.OpenAPIURL)
	}
	if e.Dataset != nil {
		all = append(all, e.Dataset.LandingPage)
	}
	return slices.DeleteFunc(all, func(u string) bool { return u == "" })
}

// hosts lists the hosts of the source, without repetition.
func hosts(e *catalog.Entry) []string {
	var all []string
	for _, u := range append(addresses(e), e.HomepageURL) {
		if h := catalog.Host(u); h != "" && !slices.Contains(all, h) {
			all = append(all, h)
		}
	}
	return all
}
