package main

import (
	"context"
	"fmt"
	"net"

	"github.com/spf13/cobra"

	"github.com/assay-register/assay/dynamic"
	"github.com/assay-register/assay/render/dcat"
)

func (a *app) serve() *cobra.Command {
	var addr, site string
	cmd := &cobra.Command{
		Use: "serve", Short: "Serve the site and answer queries from its snapshot", Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			listener, err := new(net.ListenConfig).Listen(cmd.Context(), "tcp", addr)
			if err != nil {
				return fmt.Errorf("--addr: %w", err)
			}
			return a.serveOn(cmd.Context(), listener, site)
		},
	}
	cmd.Flags().StringVar(&addr, "addr", "127.0.0.1:8080", "address to serve on")
	cmd.Flags().StringVar(&site, "site", "out", "directory of the site")
	return cmd
}

// serveOn serves a site until the context ends.
func (a *app) serveOn(ctx context.Context, listener net.Listener, site string) error {
	service, err := dynamic.New(dynamic.Config{SiteDir: site, Logger: a.log, Changes: dcat.New(dcat.Options{}).Changes})
	if err != nil {
		listener.Close()
		return err
	}
	a.say("serving %s at http://%s", site, listener.Addr())
	return service.Run(ctx, listener)
}
