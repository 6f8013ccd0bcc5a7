package wire

import "reflect"

// ProxyPath is where requests are forwarded to what entries list.
const ProxyPath = "/api/v1/proxy"

// Bounds of a forwarded request (decisions §6, "Proxy").
const (
	// ProxyTargetMax is the longest path, in bytes.
	ProxyTargetMax = 2048
	// ProxyPairsMax is the largest number of parameters, and of headers.
	ProxyPairsMax = 20
	// ProxyNameMax is the longest name of one, in characters.
	ProxyNameMax = 64
	// ProxyValueMax is the longest value of one, in characters.
	ProxyValueMax = 1024
	// ProxyBodyMax is how much of an answer comes back, in bytes.
	ProxyBodyMax = 1 << 20
)

// Texts that a forwarded request may hold, as regular expressions (RE2 and
// ECMAScript). A header's name is a token of RFC 9110, section 5.6.2; its
// value is of visible ASCII, so that no line break travels.
const (
	ProxyTargetPattern = `^[!-"$-\[\]-~]*$`
	ProxyHeaderName    = "^[!#$%\\x26'*+.^_`|~0-9A-Za-z-]+$"
	ProxyHeaderValue   = `^([!-~]([ -~]*[!-~])?)?$`
	ProxyNamePattern   = `^[^\x00-\x1f\x7f]+$`
	ProxyValuePattern  = `^[^\x00-\x1f\x7f]*$`
)

// Headers that do not travel, in lower case: by name, by how the name begins,
// and by what it holds. They belong to one connection (RFC 9110, section
// 7.6.1), say who asks, frame the message, or may hold credentials.
var (
	ProxyHeadersKept  = []string{"accept-encoding", "connection", "expect", "forwarded", "host", "keep-alive", "max-forwards", "te", "trailer", "transfer-encoding", "upgrade", "user-agent", "via"}
	ProxyHeadersBegin = []string{"cf-", "content-", "fastly-", "metadata", "proxy-", "sec-", "x-aws-", "x-client", "x-forwarded", "x-google-", "x-original", "x-real", "x-rewrite"}
	ProxyHeadersHold  = []string{"auth", "client-ip", "connecting-ip", "cookie", "credential", "key", "method-override", "password", "secret", "session", "signature", "token"}
)

// ProxyRequest asks the proxy to try an entry.
type ProxyRequest struct {
	// Entry is the entry's id or slug.
	Entry string `json:"entry"`
	// Method is GET or HEAD.
	Method string `json:"method"`
	// Path is added to the base address of an API; for other entries it is
	// resolved against their main address. It may be a whole address on a host
	// that the entry lists. Empty for the main address itself.
	Path string `json:"path,omitempty"`
	// Query are parameters to add.
	Query map[string]string `json:"query,omitempty"`
	// Headers travel along.
	Headers map[string]string `json:"headers,omitempty"`
}

// ProxyAnswer is what the publisher's server answered.
type ProxyAnswer struct {
	Status  int               `json:"status"`
	Headers map[string]string `json:"headers"`
	// Body is the body if it is text in UTF-8, else BodyBase64 holds it.
	Body       *string `json:"body,omitempty"`
	BodyBase64 *string `json:"body_base64,omitempty"`
	// Truncated tells that the body was longer than ProxyBodyMax.
	Truncated  bool  `json:"truncated"`
	DurationMS int64 `json:"duration_ms"`
	// URL is the address that answered, after redirects.
	URL string `json:"url"`
	// Curl is a command line that asks the same.
	Curl string `json:"curl"`
}

func proxyOperations() []Operation {
	return []Operation{{ID: "proxyRequest", Method: "POST", Path: ProxyPath, Tag: TagEntry, Summary: "Try an entry",
		Description: "Forwards a GET or HEAD to an entry whose access class is `FREE_NO_AUTH`, only to hosts that the entry lists, and returns what came back: " +
			"at most 1 MiB within 10 seconds, after at most 5 redirects. No cookies, credentials or hop-by-hop headers travel in either direction. " +
			"The status of the publisher's answer is in `status`; 403 tells that the proxy may not ask, 502 and 504 that no answer came.",
		Body: reflect.TypeFor[ProxyRequest](), Response: reflect.TypeFor[ProxyAnswer](), Media: MediaJSON,
		Problems: []int{403, 404, 410, 502, 503, 504}, Cache: CacheNever}}
}
