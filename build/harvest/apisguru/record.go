package apisguru

import (
	"bytes"
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"github.com/assay-register/assay/build/harvest/source"
)

// record is one API of the list (APIs.guru, "list.json").
type record struct {
	Added     loose              `json:"added"`
	Preferred loose              `json:"preferred"`
	Versions  map[string]version `json:"versions"`
}

// version is one description of the API.
type version struct {
	Added          loose `json:"added"`
	Updated        loose `json:"updated"`
	SwaggerURL     loose `json:"swaggerUrl"`
	SwaggerYAMLURL loose `json:"swaggerYamlUrl"`
	OpenAPIVer     loose `json:"openapiVer"`
	Info           info  `json:"info"`
	ExternalDocs   struct {
		URL loose `json:"url"`
	} `json:"externalDocs"`
}

type info struct {
	Title          loose `json:"title"`
	Summary        loose `json:"summary"`
	Description    loose `json:"description"`
	Version        loose `json:"version"`
	TermsOfService loose `json:"termsOfService"`
	Contact        struct {
		Name  loose `json:"name"`
		Email loose `json:"email"`
		URL   loose `json:"url"`
	} `json:"contact"`
	License struct {
		Name loose `json:"name"`
		URL  loose `json:"url"`
	} `json:"license"`
	Logo struct {
		URL loose `json:"url"`
	} `json:"x-logo"`
	Categories []loose  `json:"x-apisguru-categories"`
	Tags       []loose  `json:"x-tags"`
	Provider   loose    `json:"x-providerName"`
	Service    loose    `json:"x-serviceName"`
	Origin     []origin `json:"x-origin"`
}

// origin is where the directory took a description from.
type origin struct {
	Format loose `json:"format"`
	URL    loose `json:"url"`
}

// loose is text that may be written as a number or a boolean. Anything else is
// nothing: one odd member must not cost the record.
type loose string

// UnmarshalJSON implements json.Unmarshaler.
func (l *loose) UnmarshalJSON(data []byte) error {
	switch data = bytes.TrimSpace(data); {
	case len(data) > 0 && data[0] == '"':
		return json.Unmarshal(data, (*string)(l))
	case len(data) > 0 && data[0] != '{' && data[0] != '[' && string(data) != "null":
		*l = loose(data)
	}
	return nil
}

// parse reads a record and chooses its preferred version. Without one that
// exists it is the version updated last, of these the last in byte order.
func (m *mapper) parse(key string, raw json.RawMessage) (*record, string, *source.Rejection) {
	bad := func(reason, remedy string) *source.Rejection {
		return &source.Rejection{Place: m.place(key), Code: source.CodeInvalidField, Reason: reason, Remedy: remedy, UpstreamRef: m.ref(key)}
	}
	var r record
	if err := json.Unmarshal(raw, &r); err != nil {
		return nil, "", bad(source.WrongType(err))
	}
	if len(r.Versions) == 0 {
		return nil, "", bad("the API has no version", "give the API versions with an info object each")
	}
	if _, ok := r.Versions[string(r.Preferred)]; ok {
		return &r, string(r.Preferred), nil
	}
	names := slices.Sorted(maps.Keys(r.Versions))
	best := slices.MaxFunc(names, func(a, b string) int {
		if c := strings.Compare(string(r.Versions[a].Updated), string(r.Versions[b].Updated)); c != 0 {
			return c
		}
		return strings.Compare(a, b)
	})
	return &r, best, nil
}
