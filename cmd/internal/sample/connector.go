package sample

import (
	"context"
	"strings"
	"time"

	"github.com/assay-register/assay/build/harvest/source"
	"github.com/assay-register/assay/render/catalog"
)

// connector hands records to the harvest as if a catalogue had listed them.
type connector struct{ records []*record }

// Run implements source.Connector.
func (c connector) Run(_ context.Context, in source.Input, emit func(source.Draft) error, _ func(source.Rejection) error) error {
	for _, r := range c.records {
		if err := emit(r.draft(in)); err != nil {
			return err
		}
	}
	return nil
}

func (r *record) draft(in source.Input) source.Draft {
	d := source.Draft{Place: r.place, PublisherKey: r.Institution, Entry: catalog.Entry{
		Type: catalog.EntryType(r.Type), Name: r.Name, NameEn: r.NameEn, NativeLang: r.Lang, Description: r.Description,
		DescriptionEn: r.DescriptionEn, HomepageURL: r.Homepage, DocsURL: r.Docs, RepoURL: r.Repo, LogoURL: r.Logo, PrimarySourceURL: r.URL,
		Tags: source.Tags(r.Tags...), Formats: r.Formats, Themes: r.Themes, CountryCode: r.Country, ThirdParty: r.ThirdParty,
		FreeAccessClass: catalog.FreeAccessClass(r.Access), AuthType: catalog.AuthType(r.Auth), LicenseRaw: r.License,
		UpstreamRef: r.UpstreamRef, SourceIssuedAt: r.Issued, SourceModifiedAt: r.Modified,
	}}
	e := &d.Entry
	if r.Contact != nil {
		e.Contact = &catalog.Contact{Name: r.Contact.Name, URL: r.Contact.URL}
	}
	if r.Lifecycle.Moderated != "" {
		e.Admission = &catalog.Admission{Rule: catalog.AdmittedByModerator, Reason: r.Lifecycle.Moderated, By: "sample", At: in.Now}
	}
	r.details(e)
	r.proofs(e, in.Now)
	stated(&d, in)
	return d
}

func (r *record) details(e *catalog.Entry) {
	if a := r.API; a != nil {
		e.API = &catalog.APIDetails{BaseURL: a.BaseURL, OpenAPIURL: a.OpenAPIURL, GraphQLURL: a.GraphQLURL,
			SpecFormat: a.SpecFormat, Version: a.Version, PingURL: a.PingURL, RateLimitInfo: a.RateLimit, FreeTierLimits: a.FreeTier, TermsURL: a.TermsURL}
		for _, p := range a.Endpoints {
			e.API.Endpoints = append(e.API.Endpoints, catalog.Endpoint{Method: p.Method, Path: p.Path, Summary: p.Summary})
		}
		if a.RateLimit != "" {
			e.Limits = []catalog.Limit{{Kind: "requests", Text: a.RateLimit}}
		}
	}
	if s := r.Dataset; s != nil {
		e.Dataset = &catalog.DatasetDetails{LandingPage: s.LandingPage, Frequency: s.Frequency, Spatial: s.Spatial,
			TemporalStart: s.Temporal.Start, TemporalEnd: s.Temporal.End}
		for _, x := range s.Distributions {
			e.Dataset.Distributions = append(e.Dataset.Distributions, catalog.Distribution{Title: x.Title, AccessURL: x.URL,
				DownloadURL: x.URL, Format: x.Format, MediaType: x.MediaType, ByteSize: x.Bytes})
		}
	}
	if m := r.MCP; m != nil {
		e.MCP = &catalog.MCPDetails{EndpointURL: m.Endpoint, Transport: m.Transport, Version: m.Version}
		for _, t := range m.Tools {
			e.MCP.Tools = append(e.MCP.Tools, catalog.MCPTool{Name: t.Name, Description: t.Description})
		}
	}
	for _, m := range r.Members {
		e.Members = append(e.Members, catalog.Member{Name: m.Name, Title: m.Title, URL: m.URL, Formats: m.Formats})
	}
}

// proofs adds the recorded signals; the harvest proves the rest itself.
func (r *record) proofs(e *catalog.Entry, at time.Time) {
	for _, s := range []struct {
		kind  catalog.SignalKind
		value string
	}{
		{catalog.SignalBacklink, r.Signals.Backlink}, {catalog.SignalGithub, r.Signals.Github},
		{catalog.SignalReciprocal, r.Signals.Reciprocal}, {catalog.SignalPolicy, r.Signals.Policy},
	} {
		if s.value == "" {
			continue
		}
		signal := catalog.Signal{Kind: s.kind, Held: true, EvidenceURL: s.value, ObservedAt: at}
		if s.kind == catalog.SignalGithub {
			signal.EvidenceURL, signal.Detail = "https://github.com/"+s.value, s.value
		}
		e.Signals = append(e.Signals, signal)
	}
}

// stated records for each delivered field where the sample register has it.
func stated(d *source.Draft, in source.Input) {
	e := &d.Entry
	for _, f := range []struct{ field, value string }{
		{"name", e.Name}, {"name_en", e.NameEn}, {"native_lang", e.NativeLang}, {"description", e.Description},
		{"description_en", e.DescriptionEn}, {"homepage_url", e.HomepageURL}, {"docs_url", e.DocsURL}, {"repo_url", e.RepoURL}, {"logo_url", e.LogoURL},
		{"primary_source_url", e.PrimarySourceURL}, {"tags", strings.Join(e.Tags, "")}, {"formats", strings.Join(e.Formats, "")},
		{"country_code", e.CountryCode}, {"free_access_class", string(e.FreeAccessClass)}, {"auth_type", string(e.AuthType)},
		{"license_raw", e.LicenseRaw}, {"upstream_ref", e.UpstreamRef},
	} {
		if f.value == "" {
			continue
		}
		d.Delivered++
		d.Rows = append(d.Rows, catalog.FieldRow{Field: f.field, Basis: catalog.BasisPublisher, SourceID: in.Source.ID,
			SourceURL: in.Source.URL, UpstreamField: f.field, Note: "sample register, " + d.Place, ObservedAt: in.Now})
	}
}
