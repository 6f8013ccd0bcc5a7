package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net"
	"net/netip"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/assay-register/assay/build/harvest"
	"github.com/assay-register/assay/build/publish/replica"
	"github.com/assay-register/assay/cmd/internal/derived"
	"github.com/assay-register/assay/cmd/internal/outbound"
	"github.com/assay-register/assay/cmd/internal/setup"
	"github.com/assay-register/assay/dynamic"
	"github.com/assay-register/assay/dynamic/eventlog"
	"github.com/assay-register/assay/dynamic/health"
	"github.com/assay-register/assay/render/catalog"
	"github.com/assay-register/assay/render/dcat"
)

// serveFlags say how a service treats its clients.
type serveFlags struct {
	limits           dynamic.Limits
	trusted, origins []string
	logged           bool
	// work carries out queued work beside the service; still keeps what is done
	// by the clock from being queued, and nothing is probed.
	work, still bool
	// sources are those of the configuration file, nil without one.
	sources []catalog.Source
	worker  workerFlags
	notify  notifyFlags
	rebuild rebuildFlags
	replica replicaFlags
}

func (o *serveFlags) register(f *pflag.FlagSet) {
	d := dynamic.DefaultLimits()
	f.IntVar(&o.limits.Reads, "limit-reads", d.Reads, "live reads that a client may make in a minute, 0 for any number")
	f.IntVar(&o.limits.Writes, "limit-writes", d.Writes, "writes that a client may make in a minute, 0 for any number")
	f.IntVar(&o.limits.Moderation, "limit-moderation", d.Moderation, "items that a moderator or administrator may write in a minute, 0 for any number")
	f.IntVar(&o.limits.Proxy, "limit-proxy", d.Proxy, "requests through the proxy that a client may make in a minute, 0 for any number")
	f.IntVar(&o.limits.Connections, "limit-connections", d.Connections, "connections that a client may have open at the same time, 0 for any number; trusted proxies may have any number")
	f.BoolVar(&o.work, "worker", true, "also carry out queued work, as the command worker does")
	o.worker.register(f)
	o.notify.register(f)
	f.BoolVar(&o.logged, "log-requests", true, "log every request, not only those that failed for a fault of the service")
	f.StringSliceVar(&o.origins, "mcp-origins", nil, "other sites whose pages may ask at /mcp from a browser, such as https://agent.example")
	f.StringSliceVar(&o.trusted, "trusted-proxies", nil, "addresses or networks of reverse proxies whose X-Forwarded-For is believed")
}

// proxies reads the networks of --trusted-proxies; an address is a network of
// its own.
func (o *serveFlags) proxies() ([]netip.Prefix, error) {
	var list []netip.Prefix
	for _, s := range o.trusted {
		p, err := netip.ParsePrefix(s)
		if at, e := netip.ParseAddr(s); err != nil && e == nil {
			p, err = netip.PrefixFrom(at.Unmap(), at.Unmap().BitLen()), nil
		}
		if err != nil {
			return nil, fmt.Errorf("--trusted-proxies %s: use an address or a network such as 10.0.0.0/8", s)
		}
		list = append(list, p.Masked())
	}
	return list, nil
}

// probes tells whether this process goes on with what is due to be probed.
func (o *serveFlags) probes() bool { return o.work && o.worker.probe && !o.still }

func (a *app) serve() *cobra.Command {
	var addr string
	var p place
	var o serveFlags
	cmd := &cobra.Command{
		Use: "serve", Short: "Serve the site and answer queries from its snapshot", Args: noArgs,
		GroupID: groupRun, Annotations: kept("what was acknowledged is stored; queued work goes on at the next start"),
		Example: `  assay serve
  assay serve --site s3://bucket/register --db postgres://localhost/register
  assay serve --rebuild --addr 0.0.0.0:8080 --trusted-proxies 10.0.0.0/8`,
		RunE: func(cmd *cobra.Command, _ []string) (err error) {
			if o.sources, err = configuredSources(cmd); err != nil {
				return err
			}
			listener, err := new(net.ListenConfig).Listen(cmd.Context(), "tcp", addr)
			if err != nil {
				return fmt.Errorf("--addr: %w", err)
			}
			return a.serveOn(cmd.Context(), listener, p, &o)
		},
	}
	cmd.Flags().StringVar(&addr, "addr", "127.0.0.1:8080", "address to serve on")
	cmd.Flags().StringVar(&p.site, "site", "", "folder of the snapshot files (default: out; with --out the folder .assay/snapshots in it), or s3://BUCKET/PREFIX into which they are published (publish --whole)")
	cmd.Flags().StringVar(&p.out, "out", "", "with --rebuild: also bring this directory up to date with each build, for any web server")
	o.register(cmd.Flags())
	o.replica.register(cmd.Flags())
	o.worker.registerProbe(cmd.Flags())
	o.rebuild.register(cmd.Flags())
	a.retention(cmd)
	return cmd
}

// proxyIdle is how many connections to publishers' servers are kept for the
// next request that is forwarded.
const proxyIdle = 16

// serveOn serves a site and its store until the context ends, and closes the
// listener.
func (a *app) serveOn(ctx context.Context, listener net.Listener, p place, o *serveFlags) (err error) {
	defer listener.Close()
	proxies, err := o.proxies()
	if err != nil {
		return err
	}
	st, err := a.open(ctx)
	if err != nil {
		return err
	}
	defer st.Close()
	client := outbound.Client(outbound.Options{Only: a.only, MaxIdle: proxyIdle, Version: release, Contact: a.contact()})
	from := cmp.Or(p.site, p.out, siteFolder)
	var taken *replica.Replica
	if inBucket(p.site) {
		var leave func() error
		if taken, leave, err = a.replica(ctx, p.site, o); err != nil {
			return err
		}
		defer func() { err = errors.Join(err, leave()) }()
		p.site = taken.Folder
	}
	events := eventlog.New(st, 0, a.log)
	loops, err := a.loops(ctx, st, p, o, events)
	if err != nil {
		return err
	}
	if taken != nil {
		loops = append(loops, taken.Run)
	}
	sender, err := o.notify.sender(a.site.Name, a.site.BaseURL)
	if err != nil {
		return err
	}
	operator, err := o.notify.told(a.site.Contact)
	if err != nil {
		return err
	}
	presented := events.Notify // the tailer begins anew
	if o.rebuild.on {
		presented = nil // its rebuilder knows
	}
	service, err := dynamic.New(dynamic.Config{SiteDir: p.folder(), Presented: presented, Logger: a.log, Now: now, Store: st, Limits: o.limits, TrustedProxies: proxies, ProxyClient: client, MCPOrigins: o.origins, Quiet: !o.logged,
		Changes: dcat.New(dcat.Options{}).Changes, Derived: derived.Documents(a.site.BaseURL, a.site.Name), Events: events, Loops: loops, Jobs: a.queue(st, o),
		Checks:   []health.Check{logHealth(st, p.folder())},
		Outbound: a.endpoints(), AllowPrivate: a.allowPrivate, Mail: sender, MailKey: o.notify.key, MailGather: o.notify.gather, Operator: operator, PublishWindow: o.worker.harvest.publishWindow, SourceKinds: harvest.Kinds(), Unite: harvest.Unite, Holding: setup.ServeMemory})
	if err != nil {
		return err
	}
	a.say("serving %s at http://%s", from, listener.Addr())
	return service.Run(ctx, listener)
}

// queue carries out queued work: that of a service, and, if asked to, that of a
// worker.
func (a *app) queue(st catalog.Store, o *serveFlags) func(...catalog.JobTask) func(context.Context) error {
	return func(tasks ...catalog.JobTask) func(context.Context) error {
		if !o.work {
			return a.jobs(st, tasks...).Run
		}
		return func(ctx context.Context) error { return a.work(ctx, st, &o.worker, !o.still, tasks) }
	}
}

// loops are what this process does beside serving: keeping the site fresh, or laying over it
// what changed.
func (a *app) loops(ctx context.Context, st catalog.Store, p place, o *serveFlags, events *eventlog.Watcher) ([]func(context.Context) error, error) {
	if err := o.rebuild.check(); err != nil {
		return nil, err
	}
	var loops []func(context.Context) error
	if o.work {
		if !o.still {
			if err := takeSources(ctx, st, o.sources, clock()); err != nil {
				return nil, err
			}
		}
		o.worker.probe = o.probes()
	}
	tailer := a.tailer(st, p.folder())
	if !o.rebuild.on {
		return append(loops, func(ctx context.Context) error {
			return events.Follow(ctx, "the site does not show the latest changes", func(ctx context.Context) (bool, error) { return false, tailer.Follow(ctx) })
		}), nil
	}
	if err := a.firstSite(ctx, st, p); err != nil {
		return nil, err
	}
	rebuilder := a.rebuilder(st, p, &o.rebuild, events)
	return append(loops, func(ctx context.Context) error {
		// What changed before this process began is in no overlay yet.
		if err := tailer.Follow(ctx); err != nil && ctx.Err() == nil {
			a.log.Warn("the site does not show the latest changes", "error", err)
		}
		return rebuilder.Run(ctx)
	}), nil
}
