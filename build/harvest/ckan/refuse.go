package ckan

import (
	"cmp"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/assay-register/assay/build/harvest/source"
	"github.com/assay-register/assay/render/catalog"
)

// others are the types of packages that are no data: extensions keep their own
// pages and lists as packages.
var others = map[string]bool{"harvest": true, "showcase": true, "application": true, "app": true, "page": true, "blog": true,
	"news": true, "reuse": true, "event": true, "question": true}

// refuse says why a package does not become an entry.
func (m *mapper) refuse(p *record) *source.Rejection {
	title := string(cmp.Or(first(p.Title), first(p.TitleTranslated), p.Name))
	says := func(code source.Code, reason, remedy string) *source.Rejection {
		return &source.Rejection{Code: code, Reason: fmt.Sprintf(reason, title), Remedy: remedy}
	}
	switch state := strings.ToLower(string(p.State)); {
	case p.Success != nil && !*p.Success:
		return &source.Rejection{Code: source.CodeUpstreamError, Reason: "the portal answered with an error: " + failure(p.Error),
			Remedy: "ask again later, or correct the filters of the source"}
	case p.Resources == nil && title == "" && p.ID == "":
		return &source.Rejection{Code: source.CodeNoRecords, Reason: "this is no package: it has no id, name, title or resources",
			Remedy: "give an answer of package_search or package_show"}
	case p.Resources == nil && p.Notes == nil && len(p.LicenseID) == 0 && p.Type == "group" || p.Type == "organization":
		return says(source.CodeNotData, "%s is a group or an organisation, not a package", "give an answer of package_search or package_show")
	case state == "deleted":
		return says(source.CodeDeleted, "the portal marks %s as deleted", "nothing to do")
	case strings.HasPrefix(state, "draft"), truth(p.Draft):
		return says(source.CodeDraft, "the portal marks %s as a draft", "publish the package")
	case truth(p.Private):
		return says(source.CodePrivate, "the portal marks %s as private", "make the package public")
	case others[strings.ToLower(string(p.Type))]:
		return says(source.CodeNotData, "%s is of the type "+strings.ReplaceAll(string(p.Type), "%", "")+", not a dataset", "narrow the source with fq=dataset_type:dataset")
	case source.TestName(title):
		return says(source.CodeTest, "%s is there to try something out", "delete the package")
	}
	return nil
}

func truth(v source.Loose) bool { return strings.EqualFold(string(v), "true") || v == "1" }

// failureMax is how much of a portal's own words on an error is kept, in bytes.
const failureMax = 300

// failure is what the member error of a failed answer says: the message of CKAN's
// exceptions, else whatever stands there, such as the faults of each parameter.
func failure(raw json.RawMessage) string {
	var said struct {
		Message source.Loose `json:"message"`
	}
	var text source.Loose
	switch {
	case json.Unmarshal(raw, &said) == nil && said.Message != "":
		text = said.Message
	case json.Unmarshal(raw, &text) == nil && text != "":
	case string(raw) != "null":
		text = source.Loose(raw)
	}
	words := catalog.Plain(strings.Join(strings.Fields(string(text)), " "))
	if len(words) > failureMax {
		words = strings.ToValidUTF8(words[:failureMax], "") + "…"
	}
	if words == "" {
		return "it does not say which"
	}
	return words
}
