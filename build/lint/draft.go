package lint

import (
	"cmp"
	"strings"

	"github.com/assay-register/assay/build/harvest/dcatap"
	"github.com/assay-register/assay/build/harvest/mcpregistry"
	"github.com/assay-register/assay/build/harvest/openapidoc"
	"github.com/assay-register/assay/build/harvest/source"
	"github.com/assay-register/assay/build/rdf"
	"github.com/assay-register/assay/render/catalog"
	"github.com/assay-register/assay/render/lint"
	"github.com/assay-register/assay/render/score"
)

// draft tells what nobody filled in of a record that a register would list, with
// what that costs its score.
func (l *linter) draft(d *source.Draft) {
	l.drafts++
	e := &d.Entry
	defer func() { l.mapped = nil }()
	at := l.described(d.Place)
	if ref := e.UpstreamRef; ref != "" && at.ID == "" && !l.anonymous() {
		at.ID = own(ref)
		if at.Subject == "" {
			l.all.identifier(ref, at)
		}
	}
	at.Title = clip(e.Name)
	l.all.page(e.PrimarySourceURL, at)
	in := score.Input{Row: &catalog.Row{Entry: *e}, Day: l.o.Input.Now}
	entry := &in.Row.Entry
	if id, ok := l.licences.Resolve(e.LicenseRaw); ok && !d.OtherLicence {
		entry.LicenseID, in.Licence = id, l.terms[id]
	}
	if entry.PublisherName == "" {
		entry.PublisherName = d.PublisherName
	}
	result := score.Of(&in)
	for _, g := range lint.Gaps(&result) {
		// The description of an API states what its format has members for.
		if l.kind != openapidoc.Kind || g.Rule == "licence.clarity" || lint.TemplateOf(l.kind, e.Type, g.Field) != nil {
			l.gap(at, d, &g)
		}
	}
}

// own is the publisher's name of a record in its reference, HOST:KIND:ID: it may be an address, with colons of its own,
// and the host may have a port.
func own(ref string) string {
	parts := strings.SplitN(ref, ":", 4)
	switch {
	case len(parts) < 3:
		return parts[len(parts)-1]
	case len(parts) == 4 && strings.Trim(parts[1], "0123456789") == "":
		return parts[3]
	}
	return strings.Join(parts[2:], ":")
}

// described is where a draft or rejection is; in RDF it is the subject, which the connector may call by its
// address where it is a blank node.
func (l *linter) described(place string) lint.Record {
	at := l.record(place)
	if l.mapped != nil {
		at.Subject = subject(l.mapped.Subject)
	}
	return at
}

// anonymous tells that the record of RDF has neither an IRI nor an identifier, so that others know it by its address.
func (l *linter) anonymous() bool {
	return l.mapped != nil && l.mapped.Subject.Kind == rdf.Blank && len(l.mapped.Values["dct:identifier"]) == 0
}

// gap tells one thing that a record does not state.
func (l *linter) gap(at lint.Record, d *source.Draft, g *lint.Gap) {
	f := lint.New(g.Rule, at, "", "", g.Message)
	f.Points = g.Points
	for i := range d.Rows {
		if r := &d.Rows[i]; r.Basis == catalog.BasisNotDelivered && lint.SameField(r.Field, g.Field) {
			f.Message += "; what was stated cannot be used: " + r.Note
			break
		}
	}
	if g.Rule == "licence.clarity" {
		f.Value = clip(d.Entry.LicenseRaw)
	}
	m := mending{l: l, f: &f, d: d}
	m.field(g.Field)
	l.add(f)
}

// byCode are the rules for the records that connectors refuse.
var byCode = map[source.Code]string{
	source.CodeMissingName: "record.no-title", source.CodeMissingURL: "record.no-address", source.CodeBadURL: "record.no-address",
	source.CodeBrokenJSON: "document.syntax", source.CodeBrokenXML: "document.syntax", source.CodeFrontMatter: "document.yaml",
	source.CodeUnbalancedQuotes: "document.csv", source.CodeColumnCount: "document.csv", source.CodeMissingHeader: "document.csv",
	source.CodeDeleted: "record.hidden", source.CodePrivate: "record.hidden", source.CodeDraft: "record.hidden", source.CodeHidden: "record.hidden", source.CodeNotData: "record.hidden",
	mcpregistry.CodeSuperseded: "mcp.superseded",
	source.CodeTest:            "record.trial", source.CodeNoRecords: "catalogue.empty", dcatap.CodeSyntax: "document.rdf", dcatap.CodeNoRDF: "document.unreadable",
	source.CodeTruncatedGzip: "document.unreadable", source.CodeCorruptGzip: "document.unreadable", source.CodeTruncated: "document.unreadable",
	source.CodeInputTooLarge: "document.unreadable", source.CodeDecompressionBomb: "document.unreadable", source.CodeUnreadable: "document.unreadable",
	source.CodeRepeatedPage: "document.unreadable", source.CodeUpstreamError: "document.unreadable", source.CodeInvalidUTF8: "text.control", source.CodeControlCharacter: "text.control",
}

// rejection tells of a record that a register would not list.
func (l *linter) rejection(bad *source.Rejection) {
	l.drafts++
	if l.told[bad.Place] {
		return
	}
	rule := cmp.Or(byCode[bad.Code], "record.refused")
	if at := l.record(bad.Place); rule == "catalogue.empty" && l.unread[at.Document] {
		return // it has been told why nothing is read
	}
	if strings.HasPrefix(rule, "document.") {
		l.told[bad.Place] = true
	}
	defer func() { l.mapped = nil }()
	at := l.described(bad.Place)
	if ref := bad.UpstreamRef; ref != "" && !l.anonymous() {
		at.ID = own(ref)
	}
	f := lint.New(rule, at, "", "", bad.Reason)
	if bad.Remedy != "" {
		f.Remedy = bad.Remedy
	}
	if rule == "record.no-title" {
		l.untitled(&f)
	}
	l.add(f)
}
