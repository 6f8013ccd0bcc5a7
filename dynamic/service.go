// Package dynamic is the live wing: it serves the documents of a snapshot file and
// answers what documents cannot, from the same snapshot. Here the routes and the background
// loops are listed, started and stopped.
package dynamic

import (
	"context"
	"errors"
	"log/slog"
	"net"
	"net/http"
	"net/netip"
	"path/filepath"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/assay-register/assay/dynamic/access"
	"github.com/assay-register/assay/dynamic/admin"
	"github.com/assay-register/assay/dynamic/changes"
	"github.com/assay-register/assay/dynamic/claims"
	"github.com/assay-register/assay/dynamic/documents"
	"github.com/assay-register/assay/dynamic/eventlog"
	"github.com/assay-register/assay/dynamic/fixes"
	"github.com/assay-register/assay/dynamic/health"
	"github.com/assay-register/assay/dynamic/inside"
	"github.com/assay-register/assay/dynamic/limit"
	"github.com/assay-register/assay/dynamic/mail"
	"github.com/assay-register/assay/dynamic/metrics"
	"github.com/assay-register/assay/dynamic/query"
	"github.com/assay-register/assay/dynamic/verdictlog"
	"github.com/assay-register/assay/dynamic/web"
	"github.com/assay-register/assay/render/catalog"
	view "github.com/assay-register/assay/render/pages"
	"github.com/assay-register/assay/render/snapshot"
	"github.com/assay-register/assay/render/translog"
	"github.com/assay-register/assay/render/wire"
)

// Limits of the server (decisions §6).
const (
	requestTimeout    = 30 * time.Second
	bodyMax           = 64 << 10
	headerTimeout     = 5 * time.Second
	readTimeout       = 30 * time.Second
	writeTimeout      = 60 * time.Second
	idleTimeout       = 120 * time.Second
	headerMax         = 32 << 10
	drainTimeout      = 10 * time.Second
	defaultWatchEvery = time.Second
)

// Config is what a service needs.
type Config struct {
	// SiteDir is the folder of snapshot files that `assay build` wrote, or will write.
	SiteDir string
	// Logger gets one line a request; nil for none.
	Logger *slog.Logger
	// Now is the clock of the log; time.Now if nil.
	Now func() time.Time
	// WatchEvery is how often the folder is looked at for a new snapshot; a
	// second if zero.
	WatchEvery time.Duration
	// Store is the catalog of record; nil for a service that only reads
	// the snapshot.
	Store catalog.Store
	// Outbound reaches the servers of strangers; it must refuse private
	// addresses when it connects. Without it no webhook is delivered.
	Outbound *http.Client
	// AllowPrivate tells that Outbound may reach private addresses, so that
	// endpoints without TLS make sense.
	AllowPrivate bool
	// Mail sends the mail of watches; without it none is sent. MailKey is what
	// the links in it are made with; empty for a key that the store keeps.
	Mail    mail.Sender
	MailKey string
	// Resolver asks the domain name system for the proofs of claims; net.DefaultResolver if nil.
	Resolver claims.Resolver
	// Operator is the address that is told by Mail when a webhook is disabled;
	// "" for nobody.
	Operator string
	// MailGather is how long immediate mail waits for more events; 20 s if zero.
	MailGather time.Duration
	// Jobs makes the loop that carries out what the service itself has queued: mail,
	// and events of entries whose time has come. The roof hands in the runner of
	// the batch wing; without it both wait for another process.
	Jobs func(...catalog.JobTask) func(context.Context) error
	// Events tells when the store's log of events has grown; the service runs it, and
	// makes one if it is nil.
	Events *eventlog.Watcher
	// Loops run beside the server until it ends, e.g. the batch wing's worker.
	Loops []func(context.Context) error
	// Changes makes the pages of the DCAT-AP catalogue that carry parameters;
	// without it they are refused. The roof hands it in, because the service
	// renders no format itself.
	Changes changes.Maker
	// Derived are the kinds of documents that are made of others when they are asked for;
	// the roof hands them in, too.
	Derived []documents.Derived
	// PublishWindow is the window from which the delay between an approval and
	// the publication is drawn; SourceKinds are the kinds of sources that can be
	// harvested.
	PublishWindow time.Duration
	SourceKinds   []string
	// Unite merges two entries by the rules of the batch wing; without it a merger
	// is refused.
	Unite admin.Unite
	// Limits are what each client may ask in a minute.
	Limits Limits
	// ProxyClient asks publishers' servers on behalf of clients; it connects to
	// public addresses only. nil for a service that does not.
	ProxyClient *http.Client
	// MCPOrigins are other sites whose pages may ask at /mcp, such as https://agent.example.
	MCPOrigins []string
	// Quiet leaves the log to requests that failed for a fault of the service.
	Quiet bool
	// TrustedProxies are those whose X-Forwarded-For is believed.
	TrustedProxies []netip.Prefix
	// Checks are components of the roof whose state /health/detailed shows
	// besides the service's own.
	Checks []health.Check
	// FileBudget is how many bytes of documents are kept in memory; 64 MiB if zero.
	FileBudget int64
	// Holding, if not nil, is told how many bytes the snapshots in memory hold,
	// before another one is read (query.Open).
	Holding func(bytes int64)
	// Presented, if not nil, is called when another snapshot has become the one that
	// answers.
	Presented func()
}

// Service serves one site.
type Service struct {
	config  Config
	library *query.Library
	// owners finds the entries of what was claimed.
	owners    *fixes.Owners
	documents *documents.Server
	verdicts  *verdictlog.Handlers
	front     *web.Front
	agents    agentEndpoint
	// views renders pages.
	views   *view.Pages
	guard   *access.Guard
	limits  limiters
	trial   *trial
	metrics *metrics.Metrics
	handler http.Handler
}

// New reads the current snapshot of a folder and prepares to serve it. Where there
// is none yet, pages answer 503 until Run finds one.
func New(c Config) (*Service, error) {
	if c.Logger == nil {
		c.Logger = slog.New(slog.DiscardHandler)
	}
	if c.Now == nil {
		c.Now = time.Now
	}
	if c.WatchEvery == 0 {
		c.WatchEvery = defaultWatchEvery
	}
	if c.FileBudget == 0 {
		c.FileBudget = documents.Budget
	}
	library, err := query.Open(c.SiteDir, c.Logger, c.Holding)
	if err != nil {
		return nil, err
	}
	library.Presented = c.Presented
	s := &Service{views: view.New(), config: c, library: library, documents: documents.New(library, c.FileBudget, c.Derived...)}
	s.owners = &fixes.Owners{Store: c.Store}
	s.verdicts = &verdictlog.Handlers{Folder: filepath.Join(c.SiteDir, translog.Dir), Library: library}
	s.front = &web.Front{Log: c.Logger, Now: c.Now, Site: library.Site, Timeout: requestTimeout, BodyMax: bodyMax, Trusted: c.TrustedProxies, Quiet: c.Quiet, Page: s.refused}
	s.limits = newLimiters(c.Limits, c.Now)
	state := &metrics.State{Now: c.Now, Snapshot: s.standing, Store: c.Store}
	if c.Store != nil {
		if c.Events == nil {
			s.config.Events = eventlog.New(c.Store, 0, c.Logger)
		}
		s.trial = &trial{store: c.Store, now: c.Now}
		state.Write = s.trial.write
	}
	s.metrics = metrics.New(state)
	s.front.Observer = s.metrics
	if c.Store != nil {
		s.guard = access.New(c.Store, c.Now)
	}
	s.agents.open = s.openAgents
	if err := s.openFirst(); err != nil {
		return nil, err
	}
	s.handler = s.front.Wrap(s.mux())
	return s, nil
}

// openFirst opens what depends on a snapshot, or says that there is none yet.
func (s *Service) openFirst() error {
	if s.library.Current() == nil {
		s.config.Logger.Warn("there is no site yet: pages are answered with 503 until `assay build` has made it", "site", s.config.SiteDir)
		return nil
	}
	handler, err := s.agents.get()
	if err == nil && handler == nil {
		s.config.Logger.Warn("the site has no /openapi.json: /mcp is not served")
	}
	return err
}

// serveFile answers with a document of the snapshot file.
func (s *Service) serveFile(w http.ResponseWriter, r *http.Request) error {
	return s.documents.Serve(w, r)
}

// inside is the service as its own pages and tools ask it.
func (s *Service) inside() *inside.API {
	return inside.New(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { s.handler.ServeHTTP(w, r) }))
}

// served tells which operations are answered: by a route, or by a document.
func (s *Service) served() func(string) bool {
	known := map[string]bool{}
	for _, op := range wire.Operations() {
		known[op.ID] = op.Static
	}
	for _, r := range s.Routes() {
		known[r.OperationID] = true
	}
	for _, d := range s.config.Derived {
		known[d.Operation] = true
	}
	return func(operation string) bool { return known[operation] }
}

// Snapshot is the id of the snapshot that is served now, "" for none.
func (s *Service) Snapshot() string {
	_, id := s.library.Site()
	return id
}

// Current is the snapshot that is served now, nil for none.
func (s *Service) Current() *snapshot.Catalog {
	if current := s.library.Current(); current != nil {
		return current.Catalog
	}
	return nil
}

// Handler answers all requests.
func (s *Service) Handler() http.Handler { return s.handler }

// server bounds how long a client may take for its request and its answer. A
// request that is under way outlives ctx, so that it can be finished.
func (s *Service) server(ctx context.Context) *http.Server {
	return &http.Server{
		Handler: s.handler, ReadHeaderTimeout: headerTimeout, ReadTimeout: readTimeout, WriteTimeout: writeTimeout,
		IdleTimeout: idleTimeout, MaxHeaderBytes: headerMax, ErrorLog: slog.NewLogLogger(web.ServerLog(s.config.Logger).Handler(), slog.LevelWarn),
		BaseContext: func(net.Listener) context.Context { return context.WithoutCancel(ctx) },
	}
}

// Run serves on the listener and watches the folder until ctx ends; then it
// finishes the requests in flight, for at most ten seconds.
func (s *Service) Run(ctx context.Context, listener net.Listener) error {
	began := s.config.Now()
	s.config.Logger.Info("service started", "address", listener.Addr().String(), "snapshot", s.Snapshot(), "store", s.config.Store != nil)
	server := s.server(ctx)
	bounded := limit.NewConnections(listener, s.config.Limits.Connections, s.front.Trusts)
	group, ctx := errgroup.WithContext(ctx)
	group.Go(func() error {
		s.library.Watch(ctx, s.config.WatchEvery)
		return nil
	})
	for _, loop := range append(s.loops(), s.config.Loops...) {
		group.Go(func() error { return loop(ctx) })
	}
	group.Go(func() error {
		if err := server.Serve(bounded); !errors.Is(err, http.ErrServerClosed) {
			return err
		}
		return nil
	})
	group.Go(func() error {
		<-ctx.Done()
		s.config.Logger.Info("service stops: requests under way are answered, jobs given back")
		drain, cancel := context.WithTimeout(context.WithoutCancel(ctx), drainTimeout)
		defer cancel()
		if err := server.Shutdown(drain); err != nil {
			s.config.Logger.Warn("requests were still in flight at shutdown", "error", err)
			return server.Close()
		}
		return nil
	})
	err := group.Wait()
	s.config.Logger.Info("service stopped", "up_seconds", int(s.config.Now().Sub(began).Seconds()))
	return err
}
