// Package setup turns flags, environment and the configuration file into
// settings, and opens what they name: the store and the logger.
package setup

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"gopkg.in/yaml.v3"

	"github.com/assay-register/assay/dynamic/store/postgres"
	"github.com/assay-register/assay/dynamic/store/sqlite"
	"github.com/assay-register/assay/render/catalog"
)

// DefaultConfig is the configuration file that is read when it exists.
const DefaultConfig = "assay.yaml"

// Spoken annotates a flag that is only ever given on the command line, because
// the same name means something else in the configuration.
const Spoken = "assay_spoken"

// Fill gives every flag of the command that was not set on the command line
// its value from the environment (ASSAY_ and the flag's name) or from the
// configuration file, in this order (decisions §1).
func Fill(cmd *cobra.Command) error {
	file, err := readConfig(cmd)
	if err != nil {
		return err
	}
	var errs []error
	cmd.Flags().VisitAll(func(f *pflag.Flag) {
		if f.Changed || f.Annotations[Spoken] != nil {
			return
		}
		if v, ok := os.LookupEnv(Variable(f.Name)); ok {
			errs = append(errs, set(cmd, f, v, "environment variable "+Variable(f.Name)))
		} else if v, ok := file[Key(f.Name)]; ok {
			errs = append(errs, set(cmd, f, v, "key "+Key(f.Name)+" of the configuration file"))
		}
	})
	return errors.Join(errs...)
}

func set(cmd *cobra.Command, f *pflag.Flag, value, from string) error {
	if err := cmd.Flags().Set(f.Name, value); err != nil {
		return fmt.Errorf("%s: %w", from, err)
	}
	return nil
}

// Variable is the environment variable of a flag.
func Variable(flag string) string {
	return "ASSAY_" + strings.ToUpper(strings.ReplaceAll(flag, "-", "_"))
}

// Key is the key of a flag in the configuration file.
func Key(flag string) string { return strings.ReplaceAll(flag, "-", "_") }

// readConfig reads the file as a flat map and refuses keys that no command
// has a flag for.
func readConfig(cmd *cobra.Command) (map[string]string, error) {
	path, named := configPath(cmd)
	b, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) && !named {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("configuration: %w", err)
	}
	var nodes map[string]yaml.Node
	if err := yaml.Unmarshal(b, &nodes); err != nil {
		return nil, fmt.Errorf("configuration %s: %w", path, err)
	}
	known := keys(cmd.Root())
	values := map[string]string{}
	for k, n := range nodes {
		if k == sourcesKey {
			continue // Sources reads them
		}
		if !slices.Contains(known, k) {
			return nil, fmt.Errorf("configuration %s, line %d: unknown key %q; known are %s", path, n.Line, k, strings.Join(append(known, sourcesKey), ", "))
		}
		switch n.Kind {
		case yaml.ScalarNode:
			values[k] = n.Value
		case yaml.SequenceNode:
			var list []string
			if err := n.Decode(&list); err != nil {
				return nil, fmt.Errorf("configuration %s, line %d: %s: %w", path, n.Line, k, err)
			}
			values[k] = strings.Join(list, ",")
		default:
			return nil, fmt.Errorf("configuration %s, line %d: %s takes a value or a list of values", path, n.Line, k)
		}
	}
	return values, nil
}

func configPath(cmd *cobra.Command) (path string, named bool) {
	if f := cmd.Flags().Lookup("config"); f != nil && f.Changed {
		return f.Value.String(), true
	}
	if v, ok := os.LookupEnv("ASSAY_CONFIG"); ok {
		return v, true
	}
	return DefaultConfig, false
}

// keys lists the configuration keys of a command and all below it, sorted.
func keys(cmd *cobra.Command) []string {
	var out []string
	add := func(f *pflag.Flag) { out = append(out, Key(f.Name)) }
	cmd.Flags().VisitAll(add)
	cmd.PersistentFlags().VisitAll(add)
	for _, c := range cmd.Commands() {
		out = append(out, keys(c)...)
	}
	slices.Sort(out)
	return slices.DeleteFunc(slices.Compact(out), func(k string) bool { return k == "help" || k == "config" })
}

// Logger writes to w as text or JSON; verbose adds what is only of interest
// when something is wrong.
func Logger(w io.Writer, format string, verbose bool) (*slog.Logger, error) {
	opts := &slog.HandlerOptions{Level: slog.LevelInfo}
	if verbose {
		opts.Level = slog.LevelDebug
	}
	switch format {
	case "text":
		return slog.New(slog.NewTextHandler(w, opts)), nil
	case "json":
		return slog.New(slog.NewJSONHandler(w, opts)), nil
	}
	return nil, fmt.Errorf("--log %s: use text or json", format)
}

// Open opens the store that a URL names: sqlite:PATH or postgres://…
func Open(ctx context.Context, url string) (catalog.Store, error) {
	scheme, rest, ok := strings.Cut(url, ":")
	switch {
	case ok && scheme == "sqlite" && rest != "":
		return openFile(ctx, strings.TrimPrefix(rest, "//"))
	case ok && (scheme == "postgres" || scheme == "postgresql"):
		return postgres.Open(ctx, url)
	}
	return nil, fmt.Errorf("--db: use sqlite:PATH or postgres://…, not %q", scheme)
}

// openFile opens a store in a file. What root has just made of it is handed to
// the owner of the folder.
func openFile(ctx context.Context, rest string) (catalog.Store, error) {
	st, err := sqlite.Open(ctx, rest)
	if err != nil {
		return nil, err
	}
	path, _, _ := strings.Cut(rest, "?")
	if err := Hand(path, path+"-wal", path+"-shm"); err != nil {
		return nil, errors.Join(err, st.Close())
	}
	return st, nil
}
