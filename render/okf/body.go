package okf

import (
	"cmp"
	"strconv"
	"time"

	"github.com/assay-register/assay/render/catalog"
	"github.com/assay-register/assay/render/score"
)

// intro shows what the source says of itself, in its language and in English.
func (d *doc) intro() {
	d.raw("\n")
	if d.e.Status == catalog.StatusDeprecated {
		d.raw("**Deprecated**: ").inline(cmp.Or(d.e.StatusReason, "no reason was given")).raw("\n\n")
	}
	separator := ""
	for _, text := range [...]string{d.e.Description, d.e.DescriptionEn} {
		for p := range paragraphs(text) {
			d.raw(separator).paragraph(p).raw("\n")
			separator = "\n"
		}
	}
	if separator == "" {
		d.paragraph(d.facts.Description).raw("\n")
	}
}

// terms say in words what a reader needs (decisions §5, "Access").
var terms = map[catalog.FreeAccessClass]string{
	catalog.AccessFreeNoAuth: "Free, without registration.",
	catalog.AccessFreeKey:    "Free, with a key that the publisher gives out.",
	catalog.AccessFreeTrial:  "Free on trial.",
	catalog.AccessFreeOSSEdu: "Free for open source and education.",
	catalog.AccessNotFree:    "Not free of charge.",
	catalog.AccessUnknown:    "It is not known who gets in, nor how.",
}

// rights say who may have it where it is not known how.
var rights = map[catalog.AccessRights]string{
	catalog.RightsPublic:     "The publisher says that everybody may have it; the register has not got any data itself yet.",
	catalog.RightsRestricted: "The publisher restricts who may have it.",
	catalog.RightsNonPublic:  "The publisher says that it is not for the public.",
}

func (d *doc) access() string {
	if text := rights[d.e.AccessRights]; text != "" && d.e.FreeAccessClass == catalog.AccessUnknown {
		return text
	}
	return cmp.Or(terms[d.e.FreeAccessClass], terms[catalog.AccessUnknown])
}

// use lists what can be done with the source, the most direct way first.
func (d *doc) use() {
	d.heading("How to use")
	d.raw(d.access(), " Authentication: ").code(string(d.e.AuthType)).
		raw(". Access level: ").code(string(d.s.Result.Access.Level)).raw(".\n")
	actions := d.s.Result.Access.Actions
	if len(actions) == 0 {
		return
	}
	d.raw("\n")
	for i := range actions[:min(len(actions), partsMax)] {
		a := &actions[i]
		note := ""
		if a.Runnable && a.Direct {
			note = ", no credentials needed"
		}
		d.raw("* ").link(a.Label, a.URL).raw(" (").code(a.Method).raw(note, ")\n")
	}
	for i := range d.e.Limits {
		d.raw("* Limit: ").inline(d.e.Limits[i].Text).raw("\n")
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
			d.raw("The publisher states: ").inline(text).raw(" (not recognised).\n")
		} else {
			d.raw("No licence is stated.\n")
		}
		return
	}
	d.link(cmp.Or(l.Title, l.ID), l.URL).raw(", id ").code(l.ID).raw(".\n\n")
	d.table("Right", "Answer")
	for _, r := range [...]struct {
		name  string
		value catalog.Right
	}{
		{"Open licence", l.Open}, {"Commercial use", l.CommercialUse}, {"Redistribution", l.Redistribution},
		{"Modification", l.Modification}, {"Attribution required", l.AttributionRequired}, {"Share alike", l.ShareAlike},
	} {
		d.raw("| ", r.name, " | ").inline(cmp.Or(string(r.value), "unknown")).raw(" |\n")
	}
}

// axes are the labels of a verdict's axes.
var axes = [...]string{"Officialness", "Availability", "Metadata completeness", "Licence clarity", "Agent readiness"}

// verdicts shows the scores of the frontmatter's day with their axes.
func (d *doc) verdicts() {
	v := &d.verdict
	d.heading("Verdicts")
	d.raw("As of ", v.day, ", the first recorded day on or after the last change of the source. [The live verdicts](").live(d.e.ID).
		raw(") may differ; [quality-score](").live(d.e.ID).raw("/quality-score) explains them.\n\n")
	d.table("Score", "Value")
	d.raw("| Metadata quality | ", v.mqa.String(), " (", string(score.TierOf(v.mqa)), ") |\n")
	d.row("Trust", v.trust.String())
	for i, label := range axes {
		value := "unknown"
		if v.axes[i] != nil {
			value = strconv.FormatFloat(*v.axes[i], 'f', 1, 64)
		}
		d.row(label, value)
	}
	if d.s.Result.Proof != "" {
		d.raw("\n").paragraph(d.s.Result.Proof).raw("\n")
	}
}

// ties links to the country, the institution and the entries of its service.
func (d *doc) ties() {
	began := false
	tie := func(name string) *markdown {
		if !began {
			d.heading("Context")
			began = true
		}
		return d.raw("* ", name, ": ")
	}
	if c := d.e.CountryCode; catalog.CountryShape(c) {
		tie("Country").raw("[").inline(countryName(c)).raw("](/", countryPath(c), ")\n")
	}
	name, _ := publisher(d.s)
	if i := d.s.Institution; i != nil {
		tie("Publisher").raw("[").inline(name).raw("](/", institutionPath(i), ")\n")
	} else if name != "" {
		tie("Publisher").inline(name).raw("\n")
	}
	if at := d.e.SourceModifiedAt; !at.IsZero() {
		tie("Changed by the publisher").raw(at.UTC().Format(time.DateOnly), "\n")
	}
	if id := d.e.SuccessorID; id != "" {
		tie("Successor").raw("[its live entry](").live(id).raw(")\n")
	}
}

// citations number the sources, at the bottom.
func (d *doc) citations() {
	d.heading("Citations")
	for i := range d.sources {
		s := &d.sources[i]
		d.raw("[").number(i + 1).raw("] [").inline(cmp.Or(s.title, s.url)).raw("](").address(s).raw(")\n\n")
	}
}
