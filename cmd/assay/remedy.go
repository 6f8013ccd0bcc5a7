package main

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"
	"syscall"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// explainArgs has each command say how it is called when its arguments do not fit.
func explainArgs(cmd *cobra.Command) {
	for _, sub := range cmd.Commands() {
		explainArgs(sub)
	}
	fits := cmd.Args
	if fits == nil || cmd.HasSubCommands() { // noSuch names those
		return
	}
	cmd.Args = func(cmd *cobra.Command, args []string) error {
		err := fits(cmd, args)
		if err == nil {
			return nil
		}
		return fmt.Errorf("%s: %w: write %s; assay help %s has examples", cmd.Name(), err,
			strings.TrimSuffix(cmd.UseLine(), " [flags]"), strings.TrimPrefix(cmd.CommandPath(), "assay "))
	}
}

// noArgs refuses any argument; that of cobra takes them for commands.
func noArgs(_ *cobra.Command, args []string) error {
	if len(args) > 0 {
		return fmt.Errorf("takes no arguments, received %q", args[0])
	}
	return nil
}

// remedy adds to an error of a file or folder that a flag names which flag that is, and what helps.
func remedy(cmd *cobra.Command, err error) error {
	var at *fs.PathError
	if !errors.As(err, &at) {
		return err
	}
	helps := ""
	switch {
	case errors.Is(at, syscall.ENOTDIR), errors.Is(at, syscall.EEXIST):
		helps = "a file stands where a folder must be: name another folder, or remove the file"
	case errors.Is(at, syscall.EROFS):
		helps = "its file system is read-only: name another folder"
	case errors.Is(at, fs.ErrPermission):
		helps = "this user may not do that there: change the owner or the mode, or name another place"
	default:
		return err
	}
	var named *pflag.Flag
	cmd.Flags().VisitAll(func(f *pflag.Flag) {
		if f.Value.Type() == "string" && within(at.Path, f.Value.String()) && (named == nil || len(f.Value.String()) > len(named.Value.String())) {
			named = f
		}
	})
	if named == nil {
		return err
	}
	return fmt.Errorf("%w; %s (--%s or ASSAY_%s)", err, helps, named.Name, strings.ToUpper(strings.ReplaceAll(named.Name, "-", "_")))
}

// within tells that a path is that of a flag, lies below it, or leads to it.
func within(path, flag string) bool {
	flag = strings.TrimPrefix(flag, "sqlite:")
	if flag == "" || path == "" {
		return false
	}
	a, errA := filepath.Abs(path)
	b, errB := filepath.Abs(flag)
	return errA == nil && errB == nil && (below(a, b) || below(b, a))
}

func below(path, folder string) bool {
	return path == folder || strings.HasPrefix(path, strings.TrimSuffix(folder, "/")+"/")
}
