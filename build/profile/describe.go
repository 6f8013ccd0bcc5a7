package profile

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/getkin/kin-openapi/openapi3"

	"github.com/assay-register/assay/build/profile/format"
	"github.com/assay-register/assay/build/profile/personal"
	"github.com/assay-register/assay/build/profile/table"
	"github.com/assay-register/assay/render/catalog"
)

// Bounds of what is kept of an API's description.
const (
	maxEndpoints = 500
	maxPath      = 500
	maxSummary   = 300
	maxTried     = 100
)

// Description is what an OpenAPI document says about its API beside its fields.
type Description struct {
	// Format is openapi or swagger.
	Format  string
	Version string
	// BaseURL is the first server that the document names, its variables at
	// their defaults, a relative one resolved against the document's address;
	// "" if it cannot be told.
	BaseURL string
	// Endpoints are the first operations in byte order of their paths; Count
	// counts all.
	Endpoints []catalog.Endpoint
	Count     int
	// Auth is UNKNOWN where the document requires nothing and excludes nothing.
	Auth catalog.AuthType
	// RateLimit says what the document says about limits, "" for nothing.
	RateLimit string
	TermsURL  string
}

// Describe reads OpenAPI 3 or Swagger 2, in JSON or YAML. source is the address
// of the document. Nothing is fetched. An error says what is wrong with the
// document.
func Describe(ctx context.Context, data []byte, source string) (out *Description, err error) {
	defer func() {
		if r := recover(); r != nil {
			out, err = nil, errors.New("the OpenAPI document breaks its reader; check it with another program")
		}
	}()
	if len(data) > MaxBytes {
		return nil, fmt.Errorf("%w: the OpenAPI document is larger than the sample", format.ErrUnsupported)
	}
	doc, err := loadAPI(ctx, data)
	if err != nil {
		return nil, err
	}
	if !strings.HasPrefix(doc.OpenAPI, "3.") {
		return nil, fmt.Errorf("%w: the document names no version of OpenAPI 3 or Swagger 2", format.ErrUnsupported)
	}
	out = &Description{Format: "openapi", Auth: catalog.AuthUnknown}
	if swagger2(data) {
		out.Format = "swagger"
	}
	if doc.Info != nil {
		out.Version = table.Clip(oneLine(doc.Info.Version), catalog.TagMax)
		if catalog.CheckURL("terms_url", doc.Info.TermsOfService) == nil {
			out.TermsURL = doc.Info.TermsOfService
		}
	}
	if base, ok := server(doc, source); ok && len(doc.Servers) > 0 && catalog.CheckURL("base_url", base) == nil {
		out.BaseURL = base
	}
	out.endpoints(doc)
	out.Auth = authOf(doc)
	out.RateLimit = rateLimit(doc)
	return out, nil
}

// each visits the operations in byte order of their paths and methods.
func each(doc *openapi3.T, visit func(path, method string, op *openapi3.Operation)) {
	if doc.Paths == nil {
		return
	}
	paths := doc.Paths.Map()
	for _, path := range slices.Sorted(maps.Keys(paths)) {
		if paths[path] == nil {
			continue
		}
		ops := paths[path].Operations()
		for _, method := range slices.Sorted(maps.Keys(ops)) {
			visit(path, method, ops[method])
		}
	}
}

func (d *Description) endpoints(doc *openapi3.T) {
	each(doc, func(path, method string, op *openapi3.Operation) {
		if d.Count++; len(d.Endpoints) >= maxEndpoints {
			return
		}
		item := doc.Paths.Value(path)
		summary := oneLine(op.Summary)
		if summary == "" {
			summary = oneLine(op.Description)
		}
		d.Endpoints = append(d.Endpoints, catalog.Endpoint{Method: strings.ToUpper(method), Path: table.Clip(oneLine(path), maxPath),
			Summary: personal.Redact(table.Clip(summary, maxSummary))})
		if at := &d.Endpoints[len(d.Endpoints)-1]; len(d.Endpoints) <= maxTried {
			at.Parameters, at.Answer = arguments(item, op), answer(method, op)
		}
	})
}

// easiest is the order in which one of several accepted ways is named.
var easiest = []catalog.AuthType{catalog.AuthAPIKey, catalog.AuthBasic, catalog.AuthBearer, catalog.AuthOAuth, catalog.AuthCustom}

// authOf is how a caller authenticates, from the schemes that the document
// requires: of all operations, else of any. Only an empty requirement says
// that nothing is needed.
func authOf(doc *openapi3.T) catalog.AuthType {
	found, open := map[catalog.AuthType]bool{}, false
	require := func(list openapi3.SecurityRequirements) {
		for _, r := range list {
			open = open || len(r) == 0
			for name := range r {
				if doc.Components != nil && doc.Components.SecuritySchemes[name] != nil {
					found[schemeType(doc.Components.SecuritySchemes[name].Value)] = true
				}
			}
		}
	}
	require(doc.Security)
	if open {
		return catalog.AuthNone
	}
	if len(found) == 0 {
		each(doc, func(_, _ string, op *openapi3.Operation) {
			if op.Security != nil {
				require(*op.Security)
			}
		})
	}
	for _, t := range easiest {
		if found[t] {
			return t
		}
	}
	return catalog.AuthUnknown
}

func schemeType(s *openapi3.SecurityScheme) catalog.AuthType {
	if s == nil {
		return catalog.AuthCustom
	}
	switch kind, scheme := strings.ToLower(s.Type), strings.ToLower(s.Scheme); {
	case kind == "apikey":
		return catalog.AuthAPIKey
	case kind == "oauth2" || kind == "openidconnect":
		return catalog.AuthOAuth
	case kind == "basic" || kind == "http" && scheme == "basic":
		return catalog.AuthBasic
	case kind == "http" && scheme == "bearer":
		return catalog.AuthBearer
	}
	return catalog.AuthCustom
}

// limitHeader are response headers that tell a caller about a limit
// (draft-ietf-httpapi-ratelimit-headers and what came before it).
var limitHeader = regexp.MustCompile(`(?i)^(x-)?rate-?limit(-[a-z-]+)?$`)

// rateLimit names the headers by which the answers tell about limits, and
// whether a refusal for too many requests is described.
func rateLimit(doc *openapi3.T) string {
	headers, refuses := map[string]bool{}, false
	each(doc, func(_, _ string, op *openapi3.Operation) {
		if op.Responses == nil {
			return
		}
		for status, r := range op.Responses.Map() {
			refuses = refuses || status == "429"
			if r == nil || r.Value == nil {
				continue
			}
			for name := range r.Value.Headers {
				if limitHeader.MatchString(name) && len(headers) < 6 {
					headers[name] = true
				}
			}
		}
	})
	var parts []string
	if len(headers) > 0 {
		parts = append(parts, "Answers tell the limit in "+strings.Join(slices.Sorted(maps.Keys(headers)), ", ")+".")
	}
	if refuses {
		parts = append(parts, "Too many requests are refused with status 429.")
	}
	return strings.Join(parts, " ")
}
