package verify

import (
	"cmp"
	"context"
	"errors"
	"io"
	"net/http"
	"time"

	"github.com/assay-register/assay/render/catalog"
)

// Bounds of a probe.
const (
	// DefaultTimeout is how long a probe may take beside the gaps.
	DefaultTimeout = 20 * time.Second
	// DefaultGap is the least time between two requests to a host
	// (decisions §5).
	DefaultGap = time.Second
	// headBytes is how much of an answer is read; sessionBytes is the bound of
	// each answer of an MCP session, whose list of tools has to be complete.
	headBytes    = 64 << 10
	sessionBytes = 4 << 20
	// requestsMax is how many requests a probe makes at most: redirects, the
	// second try of a file, or the steps of a handshake.
	requestsMax = 8
)

// ProberOptions say how probes are made.
type ProberOptions struct {
	// Client is the guarded client of the program.
	Client *http.Client
	// Gap is the least time between the end of a request to a host and the
	// next; 0 is DefaultGap.
	Gap time.Duration
	// Timeout bounds a probe; 0 is DefaultTimeout.
	Timeout time.Duration
	// Clock tells the time; nil is the real one.
	Clock func() time.Time
}

// Prober asks sources whether they answer.
type Prober struct {
	client  *http.Client
	gates   *gates
	wanted  wanted
	line    line
	timeout time.Duration
	clock   func() time.Time
}

// NewProber makes a prober; all probes of a process share one.
func NewProber(o ProberOptions) *Prober {
	if o.Clock == nil {
		o.Clock = time.Now
	}
	p := &Prober{client: o.Client, timeout: cmp.Or(o.Timeout, DefaultTimeout), clock: o.Clock}
	p.line.asking = make(chan struct{}, 1)
	p.gates = newGates(cmp.Or(o.Gap, DefaultGap), o.Clock)
	return p
}

// Longest is how long a probe takes at most.
func (p *Prober) Longest() time.Duration { return p.timeout + requestsMax*p.gates.gap }

// Gap is the least time between two requests to a host.
func (p *Prober) Gap() time.Duration { return p.gates.gap }

// Outcome is what a probe found.
type Outcome struct {
	// Check is the row of the history; its time is that of the probe's end.
	Check catalog.Check
	// Reached tells that some server took the connection: a failure is then
	// not one of the whole host.
	Reached bool
	// Silent tells that nothing came back at all: the fault may be on this side.
	Silent bool
	// Withheld tells that it probably is, so that this is no check; Deferred is when the source is asked again.
	Withheld bool
	// RestUntil is how long the host asked to be left alone, zero if it did
	// not.
	RestUntil time.Time
	// Deferred is set when nothing was found out, because the address leads to
	// another host that rests until then, or because it is Withheld.
	Deferred time.Time
	// Exchanges are the requests one by one.
	Exchanges []Exchange
	// Server is what an MCP server said about itself, nil for other sources and
	// where the handshake failed.
	Server *Server
	// announced is what the last answer says of the end of the source.
	announced announced
	// read is how many bytes of the final answer's body came, up to headBytes.
	read int
	// challenge is how an answer that refused the request wants it authenticated.
	challenge catalog.AuthType
}

// finding is what a request or a handshake says.
type finding struct {
	catalog.Check
	answered  bool
	silent    bool
	deferred  time.Time
	server    *Server
	read      int
	challenge catalog.AuthType
}

// Probe asks a target once.
func (p *Prober) Probe(ctx context.Context, t Target) Outcome {
	ctx, cancel := context.WithTimeout(ctx, p.Longest())
	defer cancel()
	v := &visit{ctx: ctx, next: p.client.Transport, gates: p.gates, limit: headBytes}
	var f finding
	switch t.Kind {
	case KindMCP:
		v.limit = sessionBytes
		f = p.handshake(ctx, v, t)
	case KindDistribution:
		f = p.distribution(ctx, v, t)
	case KindGraphQL:
		f = p.request(ctx, v, t, http.MethodPost)
	default:
		f = p.request(ctx, v, t, http.MethodGet)
	}
	o := Outcome{Check: f.Check, Reached: v.reached(), Silent: f.silent && !v.reached(), Deferred: f.deferred, Exchanges: v.exchanges(), Server: f.server,
		read: f.read, challenge: f.challenge}
	o.Check.EntryID, o.Check.Kind, o.Check.URL, o.Check.Vantages = t.EntryID, t.Kind, t.URL, 1
	o.Check.At = p.clock().UTC().Truncate(time.Millisecond)
	for _, ex := range o.Exchanges {
		o.announced = ex.announced
		if ex.RetryAfter > 0 {
			o.RestUntil = ex.Began.Add(ex.Duration + ex.RetryAfter)
		}
	}
	return o
}

// accepts are the answers that each kind asks for.
var accepts = map[string]string{
	KindHTTP:    "application/json, application/xml;q=0.9, text/csv;q=0.8, */*;q=0.5",
	KindOpenAPI: "application/openapi+json, application/json, application/yaml, */*;q=0.5",
	KindOGC:     "application/xml, text/xml, application/json, */*;q=0.5",
	KindSPARQL:  "application/sparql-results+json, application/sparql-results+xml, */*;q=0.5",
	KindOData:   "application/xml, application/json;q=0.9, */*;q=0.5",
	KindGraphQL: "application/graphql-response+json, application/json",
}

// request makes one request and judges the answer at the end of its redirects.
func (p *Prober) request(ctx context.Context, v *visit, t Target, method string) finding {
	made := len(v.exchanges())
	a, err := p.ask(ctx, v, t, method)
	f := finding{Check: catalog.Check{Method: method}}
	for _, ex := range v.exchanges()[made:] {
		f.LatencyMS += int(ex.Duration.Milliseconds())
		f.Bytes = ex.Bytes
	}
	f.LatencyMS = max(f.LatencyMS, 1)
	var resting errResting
	if errors.As(err, &resting) {
		f.deferred = resting.until
	}
	if err != nil {
		f.LatencyMS, f.Bytes = 0, 0
		f.Class, f.Error = classify(ctx, err, p.Longest().String())
		f.silent = silent(err, f.Class)
		return f
	}
	f.answered, f.read = true, len(a.head)
	f.HTTPStatus, f.ContentType = a.status, short(a.header.Get("Content-Type"))
	j := judge(t.Data, a)
	f.Up, f.RequiresAuth, f.Class, f.Error = j.up, j.auth, j.class, j.text
	if f.RequiresAuth {
		f.challenge = challenge(a.header)
	}
	return f
}

// ask makes one request, redirects included, and reads the beginning of the
// answer.
func (p *Prober) ask(ctx context.Context, v *visit, t Target, method string) (*answer, error) {
	r, err := newRequest(ctx, t, method)
	if err != nil {
		return nil, err
	}
	client := &http.Client{Transport: v, CheckRedirect: p.client.CheckRedirect}
	resp, err := client.Do(r)
	if err != nil {
		return nil, err
	}
	defer resp.Body.Close()
	head, err := io.ReadAll(io.LimitReader(resp.Body, headBytes))
	if err != nil && len(head) == 0 && !errors.Is(err, errTooLong) {
		return nil, err
	}
	return &answer{status: resp.StatusCode, header: resp.Header, head: head, asked: r.URL, final: resp.Request.URL}, nil
}

func newRequest(ctx context.Context, t Target, method string) (*http.Request, error) {
	if t.Kind == KindGraphQL {
		r, err := graphqlRequest(ctx, t.URL)
		if err == nil {
			r.Header.Set("Accept", accepts[t.Kind])
		}
		return r, err
	}
	r, err := http.NewRequestWithContext(ctx, method, t.URL, nil)
	if err != nil {
		return nil, err
	}
	if accept := accepts[t.Kind]; accept != "" {
		r.Header.Set("Accept", accept)
	}
	// The bytes are counted as they come, and nothing can unfold.
	r.Header.Set("Accept-Encoding", "identity")
	if t.Kind == KindDistribution && method == http.MethodGet {
		r.Header.Set("Range", firstKiB)
	}
	return r, nil
}
