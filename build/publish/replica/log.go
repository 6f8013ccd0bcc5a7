package replica

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path/filepath"
	"time"

	"github.com/assay-register/assay/build/sequence"
	"github.com/assay-register/assay/render/translog"
)

// logFileMax bounds a file of the log that is read, in bytes: its list of checkpoints, of which it
// holds some 200,000. Of a longer one this machine lists those that it saw.
var logFileMax = 64 << 20

// logEvery is how often the bucket is asked for the log, which a publish writes last.
const logEvery = 15 * time.Second

// takeLog brings the log of verdicts and the signed sums up to date with the bucket, where
// it has them. What does not continue the log of this machine is refused: whoever reads it
// here would see leaves go away.
func (r *Replica) takeLog(ctx context.Context) error {
	now := r.Now()
	if now.Sub(r.looked).Abs() < logEvery {
		return nil
	}
	r.looked = now
	signed, err := r.logFile(ctx, translog.CheckpointFile)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("log: %w", err)
	}
	if bytes.Equal(signed, r.logged) {
		return nil
	}
	dir := filepath.Join(r.Folder, translog.Dir)
	if _, err := sequence.Mirror(dir, func(name string) ([]byte, error) { return r.logFile(ctx, name) }); err != nil {
		return fmt.Errorf("log: %w", err)
	}
	sums, err := r.logFile(ctx, translog.SumsFile)
	if err == nil {
		err = sequence.PutSums(dir, sums)
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("log: %w", err)
	}
	r.logged = signed
	return nil
}

func (r *Replica) logFile(ctx context.Context, name string) ([]byte, error) {
	in, err := r.From.Get(ctx, translog.Dir+"/"+name)
	if err != nil {
		return nil, err
	}
	defer in.Close()
	b, err := io.ReadAll(io.LimitReader(in, int64(logFileMax)+1))
	if len(b) > logFileMax {
		return nil, fmt.Errorf("%s: %w, %d MiB", name, sequence.ErrTooLong, logFileMax>>20)
	}
	return b, err
}
