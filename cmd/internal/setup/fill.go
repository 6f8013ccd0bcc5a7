package setup

import (
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// DefaultConfig is the configuration file that is read when it exists.
const DefaultConfig = "assay.yaml"

// Spoken annotates a flag that is only ever given on the command line, because
// the same name means something else in the configuration.
const Spoken = "assay_spoken"

// OwnRegister annotates a command that has a register of its own: the file of
// another one, in whose folder it is started, is not read unless it is named.
const OwnRegister = "assay_own_register"

// prefix begins the environment variable of every flag.
const prefix = "ASSAY_"

// Variable is the environment variable of a flag.
func Variable(flag string) string {
	return prefix + strings.ToUpper(strings.ReplaceAll(flag, "-", "_"))
}

// Key is the key of a flag in the configuration file.
func Key(flag string) string { return strings.ReplaceAll(flag, "-", "_") }

// Settable tells whether the environment can give a flag its value.
func Settable(f *pflag.Flag) bool {
	return f.Annotations[Spoken] == nil && f.Name != "help" && f.Name != "version"
}

// Fill gives every flag of the command that was not set on the command line
// its value from the environment (ASSAY_ and the flag's name) or from the
// configuration file, in this order (decisions §1). Every value that cannot be
// is reported with where it stands. A variable that looks like a misspelt one
// is reported to warn: others may own it.
func Fill(cmd *cobra.Command, warn io.Writer) error {
	misspelt(cmd, warn)
	c, err := readFile(cmd)
	if err != nil {
		return err
	}
	var errs []error
	cmd.Flags().VisitAll(func(f *pflag.Flag) {
		if f.Changed || !Settable(f) {
			return
		}
		if v, ok := os.LookupEnv(Variable(f.Name)); ok {
			errs = append(errs, set(cmd, f, v, Variable(f.Name)))
		} else if v, ok := c.values[Key(f.Name)]; ok {
			errs = append(errs, set(cmd, f, v.text, c.at(v.line)+": "+Key(f.Name)))
		}
	})
	return errors.Join(errs...)
}

func set(cmd *cobra.Command, f *pflag.Flag, value, from string) error {
	var bad *pflag.InvalidValueError
	switch err := cmd.Flags().Set(f.Name, value); {
	case errors.As(err, &bad):
		return explain(from, value, f, bad.Unwrap())
	case err != nil:
		return fmt.Errorf("%s: %w", from, err)
	}
	return nil
}

// Keys lists the configuration keys of a command and all below it, sorted.
func Keys(cmd *cobra.Command) []string {
	var out []string
	add := func(f *pflag.Flag) {
		if Settable(f) && f.Name != "config" {
			out = append(out, Key(f.Name))
		}
	}
	cmd.Flags().VisitAll(add)
	cmd.PersistentFlags().VisitAll(add)
	for _, c := range cmd.Commands() {
		out = append(out, Keys(c)...)
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// misspeltMin is how many letters a variable has at least to be like another:
// short words are near too many.
const misspeltMin = 5

// misspelt warns of variables that are spelt almost like those of settings.
func misspelt(cmd *cobra.Command, warn io.Writer) {
	known := append([]string{"config"}, Keys(cmd.Root())...)
	for _, pair := range os.Environ() {
		name, _, _ := strings.Cut(pair, "=")
		rest, ours := strings.CutPrefix(name, prefix)
		if key := strings.ToLower(rest); ours && len(key) >= misspeltMin && !has(known, key) {
			if near := Nearest(key, known); near != "" {
				fmt.Fprintf(warn, "assay: warning: %s is not read; did you mean %s?\n", name, Variable(near))
			}
		}
	}
}
