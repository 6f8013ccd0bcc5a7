package screens

import (
	"encoding/json"
	"fmt"
	"net/url"
	"reflect"
	"strconv"
	"strings"

	"github.com/assay-register/assay/render/catalog"
	"github.com/assay-register/assay/render/wire"
)

func target(f url.Values) (any, error) {
	share, err := strconv.ParseFloat(strings.ReplaceAll(f.Get("availability"), ",", "."), 64)
	if err != nil {
		return nil, fmt.Errorf("availability %q: give a share in percent such as 99.5", f.Get("availability"))
	}
	days, err := strconv.Atoi(f.Get("window_days"))
	if err != nil {
		return nil, fmt.Errorf("window %q: give a number of days", f.Get("window_days"))
	}
	return wire.TargetRequest{Availability: share, WindowDays: days, Active: f.Get("active") != "", Reason: f.Get("reason")}, nil
}

// shownField is in a form that began with what the register has.
const shownField = "shown"

func source(f url.Values) (any, error) {
	filters := map[string]string{}
	for _, line := range lines(f.Get("filters")) {
		name, value, ok := strings.Cut(line, "=")
		if !ok {
			return nil, fmt.Errorf("filter %q: write name=value", line)
		}
		filters[strings.TrimSpace(name)] = strings.TrimSpace(value)
	}
	if len(filters) == 0 {
		filters = nil
	}
	// Where the form begins empty a box without a tick says nothing of the source.
	var portal *bool
	if ticked := f.Get("portal") != ""; ticked || f.Get(shownField) != "" {
		portal = &ticked
	}
	return wire.SourceRequest{Kind: f.Get("kind"), Title: f.Get("title"), URL: f.Get("url"), Endpoint: f.Get("endpoint"), CountryCode: f.Get("country_code"),
		InstitutionID: f.Get("institution_id"), DefaultInstitution: f.Get("default_institution"), Filters: filters, Enabled: f.Get("enabled") != "", Schedule: f.Get("schedule"),
		Incremental: f.Get("incremental") != "", Portal: portal, Official: f.Get("official"), Reason: f.Get("reason")}, nil
}

func institution(f url.Values) (any, error) {
	req := wire.InstitutionRequest{Name: f.Get("name"), NameEn: f.Get("name_en"), NativeLang: f.Get("native_lang"), CountryCode: f.Get("country_code"),
		Type: catalog.InstitutionType(f.Get("type")), HomepageURL: f.Get("homepage_url"), OfficialDomains: list(f.Get("official_domains")),
		GithubOrgs: list(f.Get("github_orgs")), Reason: f.Get("reason")}
	// Where the form begins empty a field that stays so keeps what is known.
	shown := f.Get(shownField) != ""
	if aliases := append([]string{}, lines(f.Get("aliases"))...); shown || len(aliases) > 0 {
		req.Aliases = &aliases
	}
	for field, at := range map[string]**string{"parent": &req.Parent, "merged_into": &req.MergedInto} {
		if text := strings.TrimSpace(f.Get(field)); shown || text != "" {
			*at = &text
		}
	}
	return req, nil
}

func newHook(f url.Values) (any, error) {
	ask := wire.WebhookCreate{URL: f.Get("url"), Description: f.Get("description")}
	for _, kind := range f["events"] {
		ask.Events = append(ask.Events, catalog.EventKind(kind))
	}
	filter := wire.WebhookFilter{Entries: list(f.Get("entries")), Countries: list(f.Get("countries")), Institutions: list(f.Get("institutions")), Tags: list(f.Get("tags"))}
	if !reflect.DeepEqual(filter, wire.WebhookFilter{}) {
		ask.Filter = &filter
	}
	return ask, nil
}

func active(f url.Values) (any, error) {
	on := f.Get("active") != ""
	return wire.WebhookChange{Active: &on}, nil
}

// typed makes the JSON value of a field of what was typed for it.
func typed(field, text string) (json.RawMessage, error) {
	var value any = text
	switch field {
	case "tags", "formats", "themes":
		words := list(text)
		if words == nil {
			words = []string{}
		}
		value = words
	case "third_party":
		yes, err := strconv.ParseBool(text)
		if err != nil {
			return nil, fmt.Errorf("%s %q: write true or false", field, text)
		}
		value = yes
	case "contact":
		value = contact(text)
	}
	return json.Marshal(value)
}

// contact reads a name, an address of mail and one of the web, in any order, by their form.
func contact(text string) *catalog.Contact {
	out := &catalog.Contact{}
	var name []string
	for _, word := range strings.Fields(strings.ReplaceAll(text, ",", " ")) {
		switch {
		case strings.HasPrefix(word, "https://") || strings.HasPrefix(word, "http://"):
			out.URL = word
		case strings.Contains(word, "@"):
			out.Email = strings.TrimPrefix(word, "mailto:")
		default:
			name = append(name, word)
		}
	}
	out.Name = strings.Join(name, " ")
	return out
}
