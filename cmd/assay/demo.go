package main

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"net"
	"net/netip"
	"os"
	"path/filepath"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"github.com/assay-register/assay/build"
	"github.com/assay-register/assay/cmd/internal/sample"
	"github.com/assay-register/assay/cmd/internal/setup"
	"github.com/assay-register/assay/cmd/internal/tour"
	"github.com/assay-register/assay/cmd/internal/walltime"
	"github.com/assay-register/assay/dynamic/access"
	"github.com/assay-register/assay/render/catalog"
	"github.com/assay-register/assay/render/translog"
)

// How fast the demo is: a visitor waits for what a register does at leisure.
const (
	demoQuiet  = 200 * time.Millisecond
	demoLatest = 5 * time.Second
	demoGap    = 50 * time.Millisecond
	demoGather = 500 * time.Millisecond
)

func (a *app) demo() *cobra.Command {
	var addr string
	var p place
	var buildOnly bool
	o := serveFlags{still: true, rebuild: rebuildFlags{on: true}}
	cmd := &cobra.Command{
		Use: "demo", Short: "Load the sample register, build its site and serve it", Args: noArgs,
		GroupID: groupBegin, Annotations: map[string]string{setup.OwnRegister: "",
			keptKey: "the sample register goes with its temporary folder, unless --db, --site and --out name others"},
		Example: `  assay demo
  assay demo --addr 127.0.0.1:9000
  assay demo --build-only --out site --db sqlite:sample.db`,
		Long: "Loads the embedded sample register into a fresh SQLite file (or the empty store given with --db),\n" +
			"builds the site, serves it and keeps it fresh. Its clock begins at the instant at which the records of\n" +
			"the sample end, and nothing is checked again. What visitors suggest is checked and decided as anywhere,\n" +
			"at a stand-in portal that the demo opens: it needs no network and reaches nothing else.",
		RunE: func(cmd *cobra.Command, _ []string) error {
			ctx := cmd.Context()
			dir, err := os.MkdirTemp("", "assay-demo-")
			if err != nil {
				return err
			}
			defer os.RemoveAll(dir)
			if !cmd.Flags().Changed("db") {
				a.db = "sqlite:" + filepath.Join(dir, "assay.db")
			}
			if p.site == "" && p.out == "" {
				p.site = filepath.Join(dir, "site")
			}
			if buildOnly {
				return a.loadSample(ctx, p)
			}
			if !cmd.Flags().Changed("mail-dir") {
				o.notify.mail.Dir = filepath.Join(dir, "mail")
			}
			return a.serveDemo(cmd, addr, p, &o)
		},
	}
	cmd.Flags().StringVar(&addr, "addr", "127.0.0.1:8080", "address to serve on")
	cmd.Flags().StringVar(&p.site, "site", "", "keep the snapshot files in this folder (default: a temporary one; with --out the folder .assay/snapshots in it)")
	p.registerOut(cmd.Flags())
	cmd.Flags().BoolVar(&buildOnly, "build-only", false, "stop when the site is built")
	o.register(cmd.Flags())
	logged := cmd.Flags().Lookup("log-requests")
	logged.DefValue, o.logged = "false", false
	a.retention(cmd)
	return cmd
}

// serveDemo loads the sample register and serves it, with the stand-in portal and
// what waits at its desk, until the context ends.
func (a *app) serveDemo(cmd *cobra.Command, addr string, p place, o *serveFlags) error {
	ctx := cmd.Context()
	listener, err := new(net.ListenConfig).Listen(ctx, "tcp", addr)
	if errors.Is(err, syscall.EADDRINUSE) {
		return fmt.Errorf("--addr: %w; end what answers there, perhaps another demo, or use --addr 127.0.0.1:0 for a free port", err)
	}
	if err != nil {
		return fmt.Errorf("--addr: %w", err)
	}
	defer listener.Close()
	if !cmd.Flags().Changed("base-url") {
		a.site.BaseURL = demoURL(listener.Addr())
	}
	office, err := tour.Open(ctx)
	if err != nil {
		return err
	}
	defer office.Close()
	if !a.allowPrivate {
		a.allowPrivate, a.only = true, []string{office.Address()}
	}
	a.site.OwnClock = true
	defer walltime.Begin(sample.Instant)()
	if err := a.loadSample(ctx, p); err != nil {
		return err
	}
	o.rebuild.quiet, o.rebuild.latest, o.notify.gather = demoQuiet, demoLatest, demoGather
	if !cmd.Flags().Changed("gap") {
		o.worker.harvest.gap = demoGap
	}
	if err := a.furnish(ctx, office, o.notify.mail.Dir); err != nil {
		return err
	}
	return a.serveOn(ctx, listener, p, o)
}

// demoURL is where a browser of this machine finds what listens at an address:
// one of all interfaces, or of IPv6, which a base URL cannot spell, has the name
// of the machine itself.
func demoURL(at net.Addr) string {
	to, err := netip.ParseAddrPort(at.String())
	if err != nil || to.Addr().Unmap().Is4() && !to.Addr().IsUnspecified() {
		return "http://" + at.String()
	}
	return fmt.Sprintf("http://localhost:%d", to.Port())
}

// loadSample fills the store with the sample register and builds its site.
func (a *app) loadSample(ctx context.Context, p place) error {
	if err := a.demoKey(); err != nil {
		return err
	}
	return a.withStore(ctx, func(st catalog.Store) error {
		started := time.Now()
		if err := sample.Load(ctx, st); err != nil {
			return fmt.Errorf("sample register: %w", err)
		}
		a.say("sample register replayed in %.1f s", time.Since(started).Seconds())
		_, err := a.buildSite(ctx, st, p, build.Options{At: sample.Instant}, a.printBuild)
		return err
	})
}

// furnish prepares what a visitor finds and tells where it is.
func (a *app) furnish(ctx context.Context, office *tour.Office, mail string) error {
	return a.withStore(ctx, func(st catalog.Store) error {
		if err := tour.Furnish(ctx, st, office, now()); err != nil {
			return err
		}
		moderator, _, err := access.Create(ctx, st, catalog.RoleModerator, "Demo moderator", commandLine, now())
		if err != nil {
			return err
		}
		admin, _, err := access.Create(ctx, st, catalog.RoleAdmin, "Demo administrator", commandLine, now())
		if err != nil {
			return err
		}
		a.say("%s", tour.Guide{Site: a.site.BaseURL, Office: office, Moderator: moderator, Admin: admin, Mail: mail})
		return nil
	})
}

// demoKey lets the demo keep a log as a register does, by a key that everybody can make.
func (a *app) demoKey() (err error) {
	name, err := a.logName()
	if err != nil || a.signingKey != "" {
		return err
	}
	a.signingKey, err = translog.SeedKey(name, sha256.Sum256([]byte("the key of the demo is no secret")))
	return err
}
