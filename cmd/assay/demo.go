package main

import (
	"context"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"time"

	"github.com/spf13/cobra"

	"github.com/assay-register/assay/cmd/internal/sample"
	"github.com/assay-register/assay/cmd/internal/setup"
)

func (a *app) demo() *cobra.Command {
	var addr, out string
	var buildOnly bool
	var o serveFlags
	cmd := &cobra.Command{
		Use: "demo", Short: "Load the sample register, build its site and serve it", Args: cobra.NoArgs,
		GroupID: groupBegin, Annotations: kept("the sample register goes with its temporary folder, unless --db and --out name others"),
		Example: `  assay demo
  assay demo --addr 127.0.0.1:9000
  assay demo --build-only --out site --db sqlite:sample.db`,
		Long: "Loads the embedded sample register into a fresh SQLite file (or the empty store given with --db),\n" +
			"builds the site and serves it. It needs no network. The register stands still at the instant\n" +
			"at which its records end.",
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
			if out == "" {
				out = filepath.Join(dir, "site")
			}
			if buildOnly {
				return a.loadSample(ctx, out)
			}
			listener, err := new(net.ListenConfig).Listen(ctx, "tcp", addr)
			if err != nil {
				return fmt.Errorf("--addr: %w", err)
			}
			if !cmd.Flags().Changed("base-url") {
				a.site.BaseURL = "http://" + listener.Addr().String()
			}
			if err := a.loadSample(ctx, out); err != nil {
				listener.Close()
				return err
			}
			o.still = true
			return a.serveOn(ctx, listener, out, &o)
		},
	}
	cmd.Flags().StringVar(&addr, "addr", "127.0.0.1:8080", "address to serve on")
	cmd.Flags().StringVar(&out, "out", "", "keep the site in this directory (default: a temporary one)")
	cmd.Flags().BoolVar(&buildOnly, "build-only", false, "stop when the site is built")
	o.register(cmd.Flags())
	a.retention(cmd)
	return cmd
}

// loadSample fills the store with the sample register and builds its site.
func (a *app) loadSample(ctx context.Context, out string) error {
	st, err := setup.Open(ctx, a.db)
	if err != nil {
		return err
	}
	defer st.Close()
	started := time.Now()
	if err := sample.Load(ctx, st); err != nil {
		return fmt.Errorf("sample register: %w", err)
	}
	a.say("sample register replayed in %.1f s", time.Since(started).Seconds())
	r, err := a.buildSite(ctx, st, out, sample.Instant, false)
	if err != nil {
		return err
	}
	a.printBuild(r)
	return nil
}
