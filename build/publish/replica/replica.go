// Package replica keeps the snapshot files of a bucket (`assay publish --whole`) in a
// folder of this machine, for a service that answers from them. A file appears when it is
// whole and has the hash that was published with it; the folder then presents it.
package replica

import (
	"bufio"
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/assay-register/assay/build/output"
	"github.com/assay-register/assay/build/publish/bucket"
	"github.com/assay-register/assay/render/snapshot"
)

// Replica takes what a bucket presents into a folder.
type Replica struct {
	From   bucket.Bucket
	Folder string
	// Keep and KeepFor are the rule by which earlier files stay (output.Expired); they
	// bound what the folder takes on the disk.
	Keep    int
	KeepFor time.Duration
	// Now tells the time, Every is how long to wait between two looks.
	Now   func() time.Time
	Every time.Duration
	Log   *slog.Logger
	// logged is the checkpoint of the log that was taken last, looked when it was looked for.
	logged []byte
	looked time.Time
}

// Bounds of what is read, in bytes: a name, a line with a hash, and a file that is far
// larger than that of any register.
const (
	nameMax = 256
	fileMax = 1 << 40
)

// ErrEmpty says that the bucket presents no snapshot file.
var ErrEmpty = errors.New("no snapshot file is published there: assay publish --whole makes one")

// Run looks for a new snapshot again and again until the context ends. What fails is
// logged once, and tried again; the folder presents what it has.
func (r *Replica) Run(ctx context.Context) error {
	tick := time.NewTicker(r.Every)
	defer tick.Stop()
	said := ""
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-tick.C:
		}
		id, err := r.Take(ctx)
		switch {
		case ctx.Err() != nil:
			return nil
		case err != nil && err.Error() != said:
			r.Log.Warn("the site is not taken from the bucket", "error", err)
			said = err.Error()
		case err == nil && id != "":
			r.Log.Info("took the site from the bucket", "snapshot", id)
			fallthrough
		case err == nil:
			said = ""
		}
	}
}

// Take brings the folder up to date with the bucket, and names the snapshot if it is
// another than before.
func (r *Replica) Take(ctx context.Context) (id string, err error) {
	if id, err = r.presented(ctx); err != nil {
		return "", err
	}
	if err := r.takeLog(ctx); err != nil {
		return "", err
	}
	before, err := output.Present(r.Folder)
	if err != nil || before == id {
		return "", err
	}
	if _, err := os.Stat(r.path(snapshot.FileOf(id))); errors.Is(err, fs.ErrNotExist) {
		err = r.fetch(ctx, id)
		if err != nil {
			return "", fmt.Errorf("snapshot %s: %w", id, err)
		}
	} else if err != nil {
		return "", err
	}
	if err := r.present(id); err != nil {
		return "", err
	}
	return id, output.ExpireFiles(r.Folder, id, r.Keep, r.KeepFor, r.Now())
}

func (r *Replica) path(name string) string { return filepath.Join(r.Folder, name) }

// presented is the snapshot that the bucket names.
func (r *Replica) presented(ctx context.Context) (string, error) {
	text, err := r.small(ctx, snapshot.PresentFile)
	if errors.Is(err, fs.ErrNotExist) {
		return "", ErrEmpty
	}
	if err != nil {
		return "", err
	}
	id := strings.TrimSpace(text)
	if !snapshot.IsID(id) {
		return "", fmt.Errorf("%s names no snapshot", snapshot.PresentFile)
	}
	return id, nil
}

func (r *Replica) small(ctx context.Context, key string) (string, error) {
	in, err := r.From.Get(ctx, key)
	if err != nil {
		return "", err
	}
	defer in.Close()
	text, err := io.ReadAll(io.LimitReader(in, nameMax))
	if err != nil {
		return "", fmt.Errorf("%s: %w", key, err)
	}
	return string(text), nil
}

// fetch gets a snapshot file; it appears when it is on the disk and has its hash.
func (r *Replica) fetch(ctx context.Context, id string) error {
	text, err := r.small(ctx, snapshot.SumOf(id))
	if err != nil {
		return err
	}
	name, _, _ := strings.Cut(text, " ")
	want, err := hex.DecodeString(name)
	if err != nil || len(want) != sha256.Size {
		return fmt.Errorf("%s holds no SHA-256", snapshot.SumOf(id))
	}
	tmp, err := r.unfinished()
	if err != nil {
		return err
	}
	defer os.Remove(tmp) // it is gone when it has its name
	if err := r.download(ctx, snapshot.FileOf(id), tmp, want); err != nil {
		return err
	}
	s, err := output.OpenSnapshot(tmp)
	if err != nil {
		return err
	}
	if err := s.Close(); err != nil {
		return err
	}
	return os.Rename(tmp, r.path(snapshot.FileOf(id)))
}

// unfinished is the place of a file that is not whole; what a process left there that was
// killed goes.
func (r *Replica) unfinished() (string, error) {
	dir := filepath.Join(r.Folder, output.HiddenDir, "tmp")
	if err := errors.Join(os.RemoveAll(dir), os.MkdirAll(dir, 0o755)); err != nil {
		return "", err
	}
	return filepath.Join(dir, "fetched"), nil
}

func (r *Replica) download(ctx context.Context, key, path string, want []byte) (err error) {
	in, err := r.From.Get(ctx, key)
	if err != nil {
		return err
	}
	defer in.Close()
	out, err := os.Create(path)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, out.Close()) }()
	hash, buf := sha256.New(), bufio.NewWriterSize(out, 1<<20)
	n, err := io.Copy(io.MultiWriter(buf, hash), io.LimitReader(in, fileMax))
	if err = errors.Join(err, buf.Flush()); err != nil {
		return fmt.Errorf("%s, behind byte %d: %w", key, n, err)
	}
	if got := hash.Sum(nil); !bytes.Equal(got, want) {
		return fmt.Errorf("%s has the SHA-256 %x, not %x as published: publish it again", key, got, want)
	}
	return out.Sync()
}

// present lets the service of the folder answer from a file.
func (r *Replica) present(id string) error {
	tmp, err := r.unfinished()
	if err != nil {
		return err
	}
	err = os.WriteFile(tmp, []byte(id+"\n"), 0o644)
	if err == nil {
		err = output.Sync(r.Folder)
	}
	if err != nil {
		return err
	}
	return os.Rename(tmp, r.path(snapshot.PresentFile))
}
