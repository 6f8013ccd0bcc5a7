package main

import (
	"fmt"
	"io"
	"net/http"
	"time"

	"github.com/spf13/cobra"
)

// healthTimeout bounds the question; a service that takes longer is not well.
const healthTimeout = 5 * time.Second

func (a *app) health() *cobra.Command {
	var addr string
	cmd := &cobra.Command{
		Use: "health", Short: "Ask a running service whether it answers; exit code 1 if not", Args: noArgs,
		GroupID: groupRun, Annotations: kept("nothing was changed"),
		Example: `  assay health --addr 127.0.0.1:8080`,
		Long:    "Asks /health of the service at --addr, for containers and timers that have no other client.",
		RunE: func(cmd *cobra.Command, _ []string) error {
			req, err := http.NewRequestWithContext(cmd.Context(), http.MethodGet, "http://"+loopback(addr)+"/health", nil)
			if err != nil {
				return fmt.Errorf("--addr: %w", err)
			}
			resp, err := (&http.Client{Timeout: healthTimeout}).Do(req)
			if err != nil {
				return err
			}
			defer resp.Body.Close()
			body, err := io.ReadAll(io.LimitReader(resp.Body, 4<<10))
			if err != nil {
				return err
			}
			if resp.StatusCode != http.StatusOK {
				return fmt.Errorf("the service answers with status %d: %s", resp.StatusCode, body)
			}
			_, err = fmt.Fprintln(legible{cmd.OutOrStdout()}, string(body))
			return err
		},
	}
	cmd.Flags().StringVar(&addr, "addr", "127.0.0.1:8080", "address of the service")
	return cmd
}

// loopback is where a service is asked that serves on all addresses.
func loopback(addr string) string {
	for _, all := range []string{"0.0.0.0:", "[::]:", ":"} {
		if len(addr) > len(all) && addr[:len(all)] == all {
			return "127.0.0.1:" + addr[len(all):]
		}
	}
	return addr
}
