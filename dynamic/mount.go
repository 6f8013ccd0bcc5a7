package dynamic

import (
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/assay-register/assay/dynamic/limit"
	"github.com/assay-register/assay/dynamic/query"
	"github.com/assay-register/assay/dynamic/web"
	"github.com/assay-register/assay/render/catalog"
	"github.com/assay-register/assay/render/wire"
)

// Limits are the requests that each client may make in a minute, by kind; 0
// for any number. Documents of the snapshot file are not counted: they cost little, and any
// other server may offer them.
// Connections is how many a client may have open at the same time; Moderation counts what
// moderators and administrators write, each candidate of a request for many.
type Limits struct{ Reads, Writes, Moderation, Proxy, Connections int }

// DefaultLimits are those of decisions §6; a browser has six connections open,
// and several people may share an address.
func DefaultLimits() Limits {
	return Limits{Reads: 600, Writes: 30, Moderation: wire.BulkMax, Proxy: 10, Connections: 128}
}

// Bounds of what is under way at the same time, of one client and of all. A
// call of an agent holds its answer several times while it is written, so there
// are fewer of those.
const (
	callsOfClient, callsOfAll       = 8, 160
	requestsOfClient, requestsOfAll = 32, 256
)

// limiters count the requests by kind, and those under way.
type limiters struct {
	reads, writes, moderation, proxy *limit.Limiter
	calls, requests                  *limit.Parallel
}

func newLimiters(l Limits, now func() time.Time) limiters {
	return limiters{limit.New("reads", l.Reads, now), limit.New("writes", l.Writes, now), limit.New("moderation", l.Moderation, now), limit.New("proxy", l.Proxy, now),
		limit.NewParallel("parallel-calls", callsOfClient, callsOfAll), limit.NewParallel("parallel-requests", requestsOfClient, requestsOfAll)}
}

// guard puts the limits of a route before its handler: first the quota of the
// client, then what it has under way.
func (l *limiters) guard(r *Route, next web.Handler) web.Handler {
	quota := l.of(r)
	if quota == nil {
		return next
	}
	underway := l.requests
	if r.Pattern == wire.MCPPath {
		underway = l.calls
	}
	return quota.Guard(underway.Guard(next))
}

// of chooses the limiter of a route, nil for those that watch the service.
func (l *limiters) of(r *Route) *limit.Limiter {
	_, pattern := wire.RouteLang(r.Pattern)
	switch {
	case r.OperationID == proxyOperation:
		return l.proxy
	case r.Pattern == "/health" || strings.HasPrefix(r.Pattern, "/health/") || r.Pattern == metricsPattern || strings.HasPrefix(r.Pattern, assetPrefix):
		return nil
	case r.OperationID == citeOperation:
		return l.writes
	case r.Method == http.MethodGet || r.Pattern == wire.MCPPath || r.Pattern == wire.RouteOAI || strings.HasPrefix(r.Pattern, wire.RouteCKAN+"/"):
		return l.reads
	case strings.HasPrefix(r.Pattern, "/api/v1/admin/") || strings.HasPrefix(pattern, "/admin/") && pattern != "/admin/login":
		return l.moderation
	}
	return l.writes
}

// Names that the limits go by.
const (
	proxyOperation = "proxyRequest"
	metricsPattern = "/metrics"
)

// routes sends each route to its handler and all else to the documents.
type routes struct {
	mux   *http.ServeMux
	files http.Handler
	// own are the first segments of the patterns, none of which is a wildcard.
	own map[string]bool
}

// mux lists the routes. A pattern takes all methods, so that the answer to a
// wrong one is ours.
func (s *Service) mux() *routes {
	ops := map[string]wire.Operation{}
	for _, op := range wire.Operations() {
		ops[op.ID] = op
	}
	byPattern := map[string]map[string]web.Handler{}
	var restate, some web.Handler
	for _, r := range s.Routes() {
		if r.OperationID == "getEntry" { // a document, unless it is asked for some members
			some = s.mount(&r, ops)
			continue
		}
		// A wildcard of the mux takes a whole segment; the handler looks at
		// the extension.
		pattern := r.Pattern
		if at, ok := strings.CutSuffix(pattern, ".json"); ok && strings.HasSuffix(at, "}") {
			pattern = at
		}
		if byPattern[pattern] == nil {
			byPattern[pattern] = map[string]web.Handler{}
		}
		handler := s.mount(&r, ops)
		if byPattern[pattern][r.Method] = handler; r.OperationID == restateOperation {
			restate = handler
		}
	}
	byPattern["/"] = map[string]web.Handler{http.MethodGet: orThen(restate, "at", orThen(some, wire.Fields, named("static", s.serveFile)))}
	handlers := s.byAction(byPattern)
	all := &routes{mux: http.NewServeMux(), files: s.front.Prompt(handlers["/"]), own: map[string]bool{}}
	for pattern, handler := range handlers {
		if pattern == "/" {
			all.mux.Handle(pattern, all.files)
			continue
		}
		all.own[firstSegment(pattern)] = true
		all.mux.Handle(pattern, s.front.Adapt(handler))
	}
	return all
}

// ServeHTTP implements http.Handler.
func (s *routes) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if s.own[firstSegment(r.URL.Path)] {
		s.mux.ServeHTTP(w, r)
	} else {
		s.files.ServeHTTP(w, r) // no pattern can match
	}
}

func firstSegment(path string) string {
	segment, _, _ := strings.Cut(strings.TrimPrefix(path, "/"), "/")
	return segment
}

// mount puts before a handler what holds for all: a client over its limit is
// refused first, then who may not ask at all, then parameters that the operation does
// not have. An operation that nobody described is for administrators.
func (s *Service) mount(r *Route, ops map[string]wire.Operation) web.Handler {
	op, known := ops[r.OperationID]
	role, handler := op.Role, r.handler
	if r.OperationID != "" && !known {
		role = catalog.RoleAdmin
	}
	inQuery := func(p wire.Param) bool { return p.In == "query" }
	if known && op.Errors == "" && !slices.ContainsFunc(op.Params, inQuery) { // who has a form of errors of its own judges itself
		handler = withoutQuery(handler)
	}
	return named(nameOf(r), s.limits.guard(r, s.guard.Require(role, handler)))
}

// nameOf is what the metrics and the log call a route.
func nameOf(r *Route) string {
	if r.OperationID != "" {
		return r.OperationID
	}
	return strings.ToLower(r.Method) + " " + r.Pattern
}

func named(operation string, next web.Handler) web.Handler {
	return func(w http.ResponseWriter, r *http.Request) error {
		web.Name(w, operation)
		return next(w, r)
	}
}

// withoutQuery refuses parameters without effect (decisions §3).
func withoutQuery(next web.Handler) web.Handler {
	return func(w http.ResponseWriter, r *http.Request) error {
		if r.URL.RawQuery == "" || r.Method == http.MethodOptions {
			return next(w, r)
		}
		values, err := web.DecodeQuery(r.URL.RawQuery)
		if err != nil {
			return err
		}
		if err := query.ParseNone(values); err != nil {
			return err
		}
		return next(w, r)
	}
}
