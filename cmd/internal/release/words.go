package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
)

// host is the platform of this machine, whose program can be asked.
var host = platform{runtime.GOOS, runtime.GOARCH}

// words are what the program says of itself: manual pages, and what shells need
// to complete its commands. They are the same for all platforms.
func words(ctx context.Context, program []byte) (list []entry, err error) {
	dir, err := os.MkdirTemp("", "assay-words")
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	path := filepath.Join(dir, "assay")
	if err := os.WriteFile(path, program, 0o755); err != nil {
		return nil, err
	}
	ask := func(args ...string) ([]byte, error) {
		cmd := exec.CommandContext(ctx, path, args...)
		cmd.Dir, cmd.Env = dir, []string{} // no settings of who makes the release
		out, err := cmd.Output()
		if err != nil {
			return nil, fmt.Errorf("assay %v: %w", args, err)
		}
		return out, nil
	}
	if _, err := ask("man", "man1"); err != nil {
		return nil, err
	}
	if list, err = folder(filepath.Join(dir, "man1"), "man/man1"); err != nil {
		return nil, err
	}
	for _, shell := range []string{"bash", "zsh", "fish"} {
		body, err := ask("completion", shell)
		if err != nil {
			return nil, err
		}
		list = append(list, entry{name: "completion/assay." + shell, mode: 0o644, body: body})
	}
	return list, nil
}
