package discovery

import (
	"github.com/assay-register/assay/render/catalog"
	"github.com/assay-register/assay/render/wire"
	interfaces "github.com/assay-register/assay/site"
)

// Shapes of texts in requests, as catalog.CheckText, CheckURL and CheckMail
// judge them.
const (
	textShape   = `^[^\x00-\x08\x0b-\x1f\x7f-\x9f]*$`
	lineShape   = `^[^\x00-\x1f\x7f-\x9f]*$`
	wordShape   = `^[^\x00-\x1f\x7f-\x9f]*[^\s\x00-\x1f\x7f-\x9f][^\x00-\x1f\x7f-\x9f]*$`
	spokenShape = `^[^\x00-\x08\x0b-\x1f\x7f-\x9f]*[^\s\x00-\x1f\x7f-\x9f][^\x00-\x08\x0b-\x1f\x7f-\x9f]*$`
	urlTail     = "[^\\x00-\\x20\\x7f/?#@\"\\x3c\\x3e\\\\^`{|}]+([/?#][^\\x00-\\x20\\x7f\"\\x3c\\x3e\\\\^`{|}]*)?$"
	hookShape   = "^https?://[^\\x00-\\x20\\x7f/?#@\"\\x3c\\x3e\\\\^`{|}]+([/?][^\\x00-\\x20\\x7f#\"\\x3c\\x3e\\\\^`{|}]*)?$"
	mailShape   = `^[^\s@\x3c\x3e()\[\]\\,;:"\x00-\x1f\x7f-\x9f]+@[^\s@.\x3c\x3e()\[\]\\,;:"\x00-\x1f\x7f-\x9f]+(\.[^\s@.\x3c\x3e()\[\]\\,;:"\x00-\x1f\x7f-\x9f]+)+$`
	uuidShape   = "^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$"
	hostShape   = `^[a-z0-9]([a-z0-9-]*[a-z0-9])?(\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)+$`
	orgShape    = `^[A-Za-z0-9][A-Za-z0-9-]{0,38}$`
	timeShape   = `^(hourly|daily|weekly|monthly|[1-9][0-9]{0,3}h)?$`
)

func textOf(most int) rule { return rule{maxLen: most, pattern: textShape} }

// spoken is a text that says something.
func spoken(most int) rule { return rule{minLen: 1, maxLen: most, pattern: spokenShape} }

func addressRule() rule {
	return rule{format: "uri", maxLen: catalog.URLMax, pattern: "^https?://" + urlTail}
}

// orNothing also takes an empty text.
func orNothing(r rule) rule {
	r.minLen, r.format = 0, ""
	r.pattern = "^$|" + r.pattern
	return r
}

// languages are those of the interface, and none.
func languages() []any {
	list := []any{""}
	for _, code := range interfaces.Languages() {
		list = append(list, code)
	}
	return list
}

func namesRule(most, each int, pattern string) rule {
	return rule{maxItems: most, values: &rule{minLen: 1, maxLen: each, pattern: pattern}}
}

func merge(tables ...map[string]rule) map[string]rule {
	out := map[string]rule{}
	for _, t := range tables {
		for name, r := range t {
			out[name] = r
		}
	}
	return out
}

// readerRules are those of what readers send.
func readerRules() map[string]rule {
	mail := rule{maxLen: catalog.MailMax, pattern: mailShape}
	return map[string]rule{
		"SubmissionRequest.url":           addressRule(),
		"SubmissionRequest.docs_url":      orNothing(addressRule()),
		"SubmissionRequest.name":          {maxLen: catalog.SubmissionNameMax, pattern: lineShape},
		"SubmissionRequest.institution":   {maxLen: catalog.SubmissionShortMax, pattern: lineShape},
		"SubmissionRequest.description":   textOf(catalog.SubmissionTextMax),
		"SubmissionRequest.notes":         textOf(catalog.SubmissionTextMax),
		"SubmissionRequest.contact_email": orNothing(mail),
		"ReportRequest.message":           spoken(catalog.SubmissionTextMax),
		"ReportRequest.contact_email":     orNothing(mail),
		"ReportRequest.evidence":          textOf(catalog.ReportEvidenceMax),
		"WatchRequest.email":              mail,
		"WatchRequest.lang":               {enum: languages()},
		"ClaimRequest.lang":               {enum: languages()},
		"DigestRequest.email":             mail,
		"DigestRequest.lang":              {enum: languages()},
		"WebhookCreate.url":               {maxLen: catalog.WebhookURLMax, pattern: hookShape},
		"WebhookChange.url":               {maxLen: catalog.WebhookURLMax, pattern: hookShape},
		"WebhookCreate.description":       textOf(catalog.WebhookNoteMax),
		"WebhookChange.description":       textOf(catalog.WebhookNoteMax),
		"WebhookReplay.since":             {pattern: wire.CursorPattern},
		"WebhookRotate.overlap_hours":     {max: 168},
		"WebhookFilter.entries":           namesRule(catalog.FilterMax, 36, uuidShape),
		"WebhookFilter.institutions":      namesRule(catalog.FilterMax, 36, uuidShape),
		"WebhookFilter.countries":         namesRule(catalog.FilterMax, 2, "^[A-Z]{2}$"),
		"WebhookFilter.tags":              namesRule(catalog.FilterMax, catalog.TagMax, textShape),
	}
}

// adminRules are those of what administrators and moderators send.
func adminRules() map[string]rule {
	out := map[string]rule{
		"ReportDecision.status":               {enum: []any{string(catalog.ReportAccepted), string(catalog.ReportResolved), string(catalog.ReportDismissed)}},
		"StatementDecision.state":             {enum: []any{string(catalog.StatementAccepted), string(catalog.StatementDeclined)}},
		"MergeRequest.into":                   {minLen: 1},
		"DuplicateDecision.of":                {minLen: 1},
		"TargetRequest.availability":          {min: 0.1, max: 100},
		"TargetRequest.window_days":           {min: 1, max: 366},
		"DiscoveryRequest.sources":            namesRule(500, 200, textShape),
		"VerificationRequest.entries":         namesRule(500, 200, textShape),
		"InstitutionRequest.name":             spoken(catalog.SubmissionNameMax),
		"InstitutionRequest.name_en":          textOf(catalog.SubmissionNameMax),
		"InstitutionRequest.native_lang":      textOf(catalog.SubmissionNameMax),
		"InstitutionRequest.country_code":     {pattern: "^([A-Z]{2})?$"},
		"InstitutionRequest.homepage_url":     orNothing(addressRule()),
		"InstitutionRequest.official_domains": namesRule(200, 253, hostShape),
		"InstitutionRequest.github_orgs":      namesRule(200, 39, orgShape),
		"InstitutionRequest.aliases":          namesRule(200, catalog.SubmissionNameMax, ""),
		"InstitutionRequest.parent":           textOf(catalog.SubmissionNameMax),
		"InstitutionRequest.merged_into":      textOf(catalog.SubmissionNameMax),
		"SourceRequest.title":                 spoken(catalog.ReasonMax),
		"SourceRequest.url":                   addressRule(),
		"SourceRequest.endpoint":              orNothing(addressRule()),
		"SourceRequest.country_code":          {pattern: "^([A-Z]{2})?$"},
		"SourceRequest.default_institution":   textOf(catalog.ReasonMax),
		"SourceRequest.official":              textOf(catalog.ReasonMax),
		"SourceRequest.schedule":              {pattern: timeShape},
		"SourceRequest.filters":               {maxItems: 200, values: &rule{maxLen: 1000, pattern: textShape}, names: &rule{maxLen: 1000, pattern: textShape}},
	}
	for _, name := range []string{"DecisionRequest", "ReportDecision", "EditRequest", "DeprecateRequest", "ReasonRequest", "RemoveRequest", "MergeRequest", "DuplicateDecision", "TargetRequest",
		"InstitutionRequest", "SourceRequest", "TrustRuleRequest", "StatementDecision", "InstitutionAmendment"} {
		out[name+".reason"] = spoken(catalog.ReasonMax)
	}
	var actions []any
	for _, a := range wire.BulkActions() {
		actions = append(actions, a)
	}
	out["BulkRequest.action"] = rule{enum: actions}
	out["BulkRequest.reason"], out["BulkRequest.batch"], out["BulkRequest.to"] = textOf(catalog.ReasonMax), textOf(40), textOf(200)
	out["BulkRequest.into"], out["BulkItem.into"], out["BulkItem.id"] = textOf(catalog.SubmissionNameMax), textOf(catalog.SubmissionNameMax), spoken(100)
	out["BulkRequest.items"] = rule{maxItems: wire.BulkMax}
	out["ClaimRequest.domain"], out["ClaimRequest.email"], out["ClaimCode.code"] = spoken(253), textOf(catalog.MailMax), spoken(100)
	out["ClaimRequest.institution"], out["ClaimRequest.source"] = textOf(catalog.SubmissionNameMax), textOf(catalog.SubmissionNameMax)
	out["StatementRequest.entry"], out["OwnerProbe.entry"], out["StatementRequest.field"], out["StatementRequest.text"] = spoken(200), spoken(200), textOf(100), textOf(catalog.SubmissionTextMax)
	out["ReportDecision.answer"], out["ReportAnswerRequest.answer"] = textOf(catalog.ReportAnswerMax), spoken(catalog.ReportAnswerMax)
	out["InstitutionAmendment.aliases"], out["InstitutionAmendment.parent"] = namesRule(200, catalog.SubmissionNameMax, ""), textOf(catalog.SubmissionNameMax)
	out["SavedReasonRequest.text"] = spoken(catalog.ReasonMax)
	out["TrustRuleRequest.source"], out["TrustRuleRequest.institution"] = spoken(catalog.SubmissionNameMax), textOf(catalog.SubmissionNameMax)
	out["TrustRuleRequest.publisher_name"] = textOf(catalog.SubmissionNameMax)
	return out
}

// proxyRules are those of what the proxy forwards.
func proxyRules() map[string]rule {
	return map[string]rule{
		"ProxyRequest.entry":  {minLen: 1, maxLen: 2 * wire.ProxyNameMax},
		"ProxyRequest.method": {enum: []any{"GET", "HEAD"}},
		"ProxyRequest.path":   {maxLen: wire.ProxyTargetMax, pattern: wire.ProxyTargetPattern},
		"ProxyRequest.query": {maxItems: wire.ProxyPairsMax, names: &rule{maxLen: wire.ProxyNameMax, pattern: wire.ProxyNamePattern},
			values: &rule{maxLen: wire.ProxyValueMax, pattern: wire.ProxyValuePattern}},
		"ProxyRequest.headers": {maxItems: wire.ProxyPairsMax, names: &rule{maxLen: wire.ProxyNameMax, pattern: wire.ProxyHeaderName, not: keptHeaders()},
			values: &rule{maxLen: wire.ProxyValueMax, pattern: wire.ProxyHeaderValue}},
	}
}
