package discovery

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/assay-register/assay/render/artifact"
	"github.com/assay-register/assay/render/wire"
)

// bearer is the name of the one security scheme.
const bearer = "bearerAuth"

func securitySchemes() object {
	return object{{bearer, object{{"type", "http"}, {"scheme", "bearer"},
		{"description", "A token that an administrator made with `assay admin token create`."}}}}
}

// describe says which role an operation needs, besides what it does.
func describe(op *wire.Operation) string {
	if op.Role == "" {
		return op.Description
	}
	return op.Description + " Needs a token with the role `" + string(op.Role) + "`."
}

// answers lists the responses by ascending status: JavaScript puts
// integer-like keys first in that order, so the document survives it.
func answers(op *wire.Operation) object {
	success := cmp.Or(op.Status, 200)
	out := object{{strconv.Itoa(success), succeeded(op, success)}}
	if op.Leads {
		out = append(out, member{"302", ref("responses", "Found")})
	}
	if op.Method == "GET" && op.Cache != wire.CacheNever {
		out = append(out, member{"304", ref("responses", "NotModified")})
	}
	if op.Redirects {
		out = append(out, member{"308", ref("responses", "Moved")})
	}
	codes := problemsOf(op)
	for i := range statuses {
		switch {
		case op.Errors != "" && statuses[i].code < 429 && slices.Contains(codes, statuses[i].code):
			out = append(out, member{strconv.Itoa(statuses[i].code), inForm(&statuses[i], ofProtocol(op))})
		case statuses[i].code == 404 && op.Pages:
			out = append(out, member{"404", problem(&statuses[i], page)})
		case slices.Contains(codes, statuses[i].code):
			out = append(out, member{strconv.Itoa(statuses[i].code), ref("responses", statuses[i].component())})
		}
	}
	return append(out, member{"default", ref("responses", "Problem")})
}

// ofProtocol is an error in the form of the protocol that an operation belongs to.
func ofProtocol(op *wire.Operation) object {
	schema := object{{"type", "object"}}
	if op.ErrorResponse != nil {
		schema = object{{"$ref", "#/components/schemas/" + op.ErrorResponse.Name()}}
	}
	return object{{op.Errors, object{{"schema", schema}}}}
}

// succeeded describes the answer of a success; 204 has no content.
func succeeded(op *wire.Operation, status int) object {
	names := []string{"Assay-Snapshot", "Cache-Control"}
	if op.Cache != wire.CacheNever {
		names = append(names, "ETag")
	}
	if slices.Contains([]string{"listEntries", "pinnedEntries", "getDCATTurtle", "getDCATJSONLD"}, op.ID) {
		names = append(names, "Link")
	}
	if status == 201 {
		names = append(names, "Location")
	}
	names = append(names, "RateLimit", "RateLimit-Policy")
	sent := make(object, len(names))
	for i, n := range names {
		sent[i] = member{n, ref("headers", n)}
	}
	described := "The answer."
	if op.Media == wire.MediaNDJSON {
		described = "One JSON object of the given shape per line."
	}
	out := object{{"description", described}, {"headers", sent}}
	if status == 204 {
		return out
	}
	var body any = object{{"type", "object"}}
	if op.ID == "getEntryCSL" { // a bibliography is a list of items
		body = object{{"type", "array"}, {"items", object{{"type", "object"}}}}
	} else if op.Response != nil {
		body = answered(op)
	} else if binary(op.Media) {
		body = object{{"contentMediaType", op.Media}}
	} else if !strings.HasSuffix(op.Media, "json") {
		body = object{{"type", "string"}}
	}
	content := object{{op.Media, object{{"schema", body}}}}
	for _, media := range op.Also {
		kind := "string"
		if strings.HasSuffix(media, "json") {
			kind = "object"
		}
		content = append(content, member{media, object{{"schema", object{{"type", kind}}}}})
	}
	if op.Pages {
		content = append(content, page)
	}
	return append(out, member{"content", content})
}

// binary tells that an answer is bytes and no text. Its schema then has no type, for JSON has
// none for it (OpenAPI 3.1.1, "Working with Binary Data"); in the form of 3.0 it is a string of the
// format binary.
func binary(media string) bool {
	switch {
	case media == wire.MediaPNG, media == artifact.SQLite, media == artifact.Parquet:
		return true
	}
	return slices.Contains([]string{"application/gzip", "application/zip", "application/octet-stream"}, media)
}

// problemsOf are the error statuses of an operation: its own, those of its
// path, its token and its body, that of an unknown parameter, and that of the
// rate limit.
func problemsOf(op *wire.Operation) []int {
	codes := append([]int{429}, op.Problems...)
	if op.Tag != wire.TagProtocols { // each of which has its own answer to a wrong parameter
		codes = append(codes, 422)
	}
	if strings.Contains(op.Path, "{") {
		codes = append(codes, 404)
	}
	if op.Role != "" {
		codes = append(codes, 401, 403)
	}
	if op.Body != nil {
		codes = append(codes, 400, 413, 415, 422)
	}
	return codes
}

// described checks that each status of an operation has its text here.
func described(ops []wire.Operation) error {
	for i := range ops {
		for _, code := range problemsOf(&ops[i]) {
			if !slices.ContainsFunc(statuses, func(s status) bool { return s.code == code }) {
				return fmt.Errorf("operation %s answers %d, which has no description", ops[i].ID, code)
			}
		}
	}
	return nil
}

func headers() object {
	header := func(name, description, example string) member {
		return member{name, object{{"description", description}, {"schema", object{{"type", "string"}}}, {"example", example}}}
	}
	return object{
		header("Assay-Snapshot", "The snapshot that the answer was made from; `pending` on a page of one that is just being published.", "20261121-0a1b2c3d4e5f"),
		header("Cache-Control", "How long a copy stays valid.", wire.CacheShort),
		header("ETag", "Strong validator of the bytes.", `"9b74c9897bac770f"`),
		header("Link", "Neighbouring pages: first, prev, next and last (RFC 8288).", `</s/20261121-0a1b2c3d4e5f/api/v1/entries/pages/2>; rel="next"`),
		header("Location", "The address of what was made, or the present one of what moved.", "/api/v1/entries/open-weather-observations"),
		header("RateLimit", "What is left of the client's quota (r), and in how many seconds it is whole again (t). Files of a static tree are not counted.", `"reads";r=599;t=60`),
		header("RateLimit-Policy", "The quota (q) and the seconds for which it is given (w).", `"reads";q=600;w=60`),
		header("Retry-After", "Seconds to wait.", "30"),
		header("WWW-Authenticate", "The scheme by which a client shows its token (RFC 6750).", "Bearer"),
	}
}

// status is one error status: its title in HTTP, and when it is sent.
type status struct {
	code        int
	title, when string
	headers     []string
}

var statuses = []status{
	{400, "Bad Request", "The request is malformed.", nil},
	{401, "Unauthorized", "The request has no token, or one that is not known or was revoked.", []string{"WWW-Authenticate"}},
	{403, "Forbidden", "The role of the token does not suffice, or what is asked for is not allowed.", nil},
	{404, "Not Found", "Nothing of this name is public.", nil},
	{406, "Not Acceptable", "There is no form of the answer that the client accepts.", nil},
	{409, "Conflict", "The present state does not allow this; `detail` names it.", nil},
	{412, "PreconditionFailed", "The thing has changed since the version that `If-Match` names.", nil},
	{410, "Gone", "It was public once: the entry was removed, or the snapshot has expired (problem type `snapshot-expired`).", nil},
	{413, "Content Too Large", "The body is larger than 64 KiB.", nil},
	{414, "URI Too Long", "A path has at most 2 KiB, a query string at most 8 KiB.", nil},
	{415, "Unsupported Media Type", "The body is not of a media type that is understood here, or it is in a content coding; Accept-Encoding then says that none is taken.", nil},
	{422, "Unprocessable Entity", "A parameter or member is unknown or its value invalid; `errors` names each one and the values it may have.", nil},
	{429, "Too Many Requests", "The client has used up its requests for this minute.", []string{"RateLimit", "RateLimit-Policy", "Retry-After"}},
	{502, "Bad Gateway", "The publisher's server did not answer as it should.", nil},
	{503, "Service Unavailable", "The service cannot answer at the moment, for want of a snapshot or of its store.", []string{"Retry-After"}},
	{504, "Gateway Timeout", "The publisher's server took too long.", nil},
}

var anyOther = status{500, "Internal Server Error", "Any other error.", nil}

// component is the title as one word.
func (s *status) component() string { return strings.ReplaceAll(s.title, " ", "") }

func responses(ops []wire.Operation) object {
	out := object{
		{"NotModified", object{{"description", "The copy that `If-None-Match` names is still valid."}, {"headers", object{{"ETag", ref("headers", "ETag")}}}}},
		{"Found", object{{"description", "The document lies in the present snapshot."}, {"headers", object{{"Location", ref("headers", "Location")}}}}},
		{"Moved", object{{"description", "The resource has another name."}, {"headers", object{{"Location", ref("headers", "Location")}}}}},
		{"Problem", problem(&anyOther)},
	}
	for i := range statuses {
		if used(ops, statuses[i].code) {
			out = append(out, member{statuses[i].component(), problem(&statuses[i])})
		}
	}
	return out
}

func used(ops []wire.Operation, code int) bool {
	return slices.ContainsFunc(ops, func(op wire.Operation) bool { return slices.Contains(problemsOf(&op), code) })
}

// page is the form of an answer that people read.
var page = member{wire.MediaHTML, object{{"schema", object{{"type", "string"}}}}}

// problem describes an error, and further forms in which it comes.
func problem(s *status, also ...member) object {
	example := wire.Problem{Type: "about:blank", Title: s.title, Status: s.code, Detail: s.when, Instance: "/api/v1/entries"}
	switch s.code {
	case 422:
		example.Errors = []wire.ProblemError{{Location: "query.limit", Message: "use a number from 1 to 100", Value: "1000"}}
	case 429:
		example.Type, example.ViolatedPolicies = "https://iana.org/assignments/http-problem-types#quota-exceeded", []string{"reads"}
	}
	content := object{{wire.MediaProblem, object{{"schema", ref("schemas", "Problem")}, {"example", example}}}}
	return inForm(s, append(content, also...))
}

// inForm describes an error by its forms.
func inForm(s *status, content object) object {
	out := object{{"description", s.when}}
	if len(s.headers) > 0 {
		sent := make(object, len(s.headers))
		for i, n := range s.headers {
			sent[i] = member{n, ref("headers", n)}
		}
		out = append(out, member{"headers", sent})
	}
	return append(out, member{"content", content})
}
