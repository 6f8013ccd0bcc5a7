package okf

import (
	"cmp"
	"strconv"
	"strings"
	"time"

	"github.com/assay-register/assay/render/catalog"
	"github.com/assay-register/assay/render/score"
)

// intro shows what the source says of itself, in its language and in English.
func (d *doc) intro() {
	d.line()
	if d.e.Status == catalog.StatusDeprecated {
		d.line("**Deprecated**: ", inline(cmp.Or(d.e.StatusReason, "no reason was given")), "\n")
	}
	shown := 0
	for _, text := range []string{d.e.Description, d.e.DescriptionEn} {
		for _, p := range paragraphs(text) {
			if shown++; shown > 1 {
				d.line()
			}
			d.line(paragraph(p))
		}
	}
	if shown == 0 {
		d.line(paragraph(summaryOf(d.s)))
	}
}

// terms say in words what a reader needs (decisions §5, "Access").
var terms = map[catalog.FreeAccessClass]string{
	catalog.AccessFreeNoAuth: "Free, without registration.",
	catalog.AccessFreeKey:    "Free, with a key that the publisher gives out.",
	catalog.AccessFreeTrial:  "Free on trial.",
	catalog.AccessFreeOSSEdu: "Free for open source and education.",
	catalog.AccessNotFree:    "Not free of charge.",
	catalog.AccessUnknown:    "Terms of access are not known.",
}

// use lists what can be done with the source, the most direct way first.
func (d *doc) use() {
	d.heading("How to use")
	d.line(cmp.Or(terms[d.e.FreeAccessClass], terms[catalog.AccessUnknown]), " Authentication: ", code(string(d.e.AuthType)),
		". Access level: ", code(string(d.s.Result.Access.Level)), ".")
	actions := d.s.Result.Access.Actions
	if len(actions) == 0 {
		return
	}
	d.line()
	for i := range actions[:min(len(actions), partsMax)] {
		a := &actions[i]
		note := ""
		if a.Runnable && a.Direct {
			note = ", no credentials needed"
		}
		d.line("* ", link(a.Label, a.URL), " (", code(a.Method), note, ")")
	}
	for _, l := range d.e.Limits {
		d.line("* Limit: ", inline(l.Text))
	}
}

// handshake asks an MCP server to begin a session.
const handshake = `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"curl","version":"1"}}}`

// curlOf is a command that does an action, "" when none can.
func curlOf(a *score.Action) string {
	if !isWeb(a.URL) || !a.Direct {
		return ""
	}
	switch a.Kind {
	case "mcp":
		return "curl -sS " + shell(a.URL) + " -H 'Content-Type: application/json' -H 'Accept: application/json, text/event-stream' \\\n  -d " + shell(handshake)
	case "graphql":
		return "curl -sS " + shell(a.URL) + " -H 'Content-Type: application/json' -d '{\"query\":\"{ __typename }\"}'"
	}
	return "curl -sSL " + shell(a.URL)
}

// licence says what may be done with the data.
func (d *doc) licence() {
	d.heading("Licence")
	l := d.s.Licence
	if l == nil {
		if text := oneLine(d.e.LicenseRaw); text != "" {
			d.line("The publisher states: ", inline(text), " (not recognised).")
		} else {
			d.line("No licence is stated.")
		}
		return
	}
	d.line(link(cmp.Or(l.Title, l.ID), l.URL), ", id ", code(l.ID), ".\n")
	d.b.WriteString(table("Right", "Answer"))
	for _, r := range []struct {
		name  string
		value catalog.Right
	}{
		{"Open licence", l.Open}, {"Commercial use", l.CommercialUse}, {"Redistribution", l.Redistribution},
		{"Modification", l.Modification}, {"Attribution required", l.AttributionRequired}, {"Share alike", l.ShareAlike},
	} {
		d.b.WriteString(row(r.name, inline(cmp.Or(string(r.value), "unknown"))))
	}
}

// verdicts shows the scores of the frontmatter's day with their axes.
func (d *doc) verdicts() {
	v := verdictOf(d.s, sourceChanged(d.s))
	d.heading("Verdicts")
	d.line("As of ", v.day, ", the first recorded day on or after the last change of the source. [The live verdicts](", liveURL(d.e),
		") may differ; [quality-score](", liveURL(d.e), "/quality-score) explains them.\n")
	d.b.WriteString(table("Score", "Value"))
	d.b.WriteString(row("Metadata quality", v.mqa.String()+" ("+string(score.TierOf(v.mqa))+")"))
	d.b.WriteString(row("Trust", v.trust.String()))
	for i, label := range []string{"Officialness", "Availability", "Metadata completeness", "Licence clarity", "Agent readiness"} {
		value := "unknown"
		if v.axes[i] != nil {
			value = strconv.FormatFloat(*v.axes[i], 'f', 1, 64)
		}
		d.b.WriteString(row(label, value))
	}
	if d.s.Result.Proof != "" {
		d.line("\n", paragraph(d.s.Result.Proof))
	}
}

// ties links to the country, the institution and the entries of its service.
func (d *doc) ties() {
	var lines []string
	if c := d.e.CountryCode; catalog.CountryShape(c) {
		lines = append(lines, "* Country: ["+inline(countryName(c))+"](/"+countryPath(c)+")")
	}
	if i := d.s.Institution; i != nil {
		lines = append(lines, "* Publisher: ["+inline(publisher(d.s))+"](/"+institutionPath(i)+")")
	} else if p := publisher(d.s); p != "" {
		lines = append(lines, "* Publisher: "+inline(p))
	}
	if !d.e.SourceModifiedAt.IsZero() {
		lines = append(lines, "* Changed by the publisher: "+d.e.SourceModifiedAt.UTC().Format(time.DateOnly))
	}
	if d.e.SuccessorID != "" {
		lines = append(lines, "* Successor: [its live entry]("+base+"/api/v1/entries/"+target(d.e.SuccessorID)+")")
	}
	if len(lines) > 0 {
		d.heading("Context")
		d.line(strings.Join(lines, "\n"))
	}
}

// citations number what the concept was made from, at the bottom.
func (d *doc) citations() {
	d.cite("Primary source", d.e.PrimarySourceURL)
	d.cite("Documentation", d.e.DocsURL)
	d.cite("Home page", d.e.HomepageURL)
	if src := d.s.Source; src != nil {
		d.cite(cmp.Or(src.Title, "Catalogue"), cmp.Or(d.e.SourceSeedURL, src.URL))
	}
	if d.s.Licence != nil {
		d.cite("Licence: "+cmp.Or(d.s.Licence.Title, d.s.Licence.ID), d.s.Licence.URL)
	}
	d.sources = append(d.sources, source{title: "Entry in the register", url: liveURL(d.e), own: true},
		source{title: "Origin of each field", url: liveURL(d.e) + "/provenance", own: true})
	d.heading("Citations")
	for i, s := range d.sources {
		d.line("[", strconv.Itoa(i+1), "] ", s.link(), "\n")
	}
}
