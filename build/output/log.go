package output

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"

	"github.com/assay-register/assay/render/translog"
)

// logFileMax bounds a file of a log of verdicts that is read, in bytes: a bundle of the longest leaves.
const logFileMax = 32 << 20

// logFileTime bounds how long reading one may take, since a server may send a byte now and then.
var logFileTime = 5 * time.Minute

// Log reads the files of the log of verdicts of a site; fs.ErrNotExist where it has none.
func Log(ctx context.Context, site Pages) translog.Fetch {
	switch site := site.(type) {
	case Dir:
		return translog.Files(os.DirFS(filepath.Join(string(site), translog.Dir)))
	case *SnapshotFile:
		return translog.Files(os.DirFS(filepath.Join(filepath.Dir(site.Path), translog.Dir)))
	}
	return func(name string) ([]byte, error) {
		ctx, cancel := context.WithTimeoutCause(ctx, logFileTime, fmt.Errorf("%s was not there after %s", name, logFileTime))
		defer cancel()
		in, err := site.Open(ctx, translog.Prefix+name, "")
		if err != nil {
			return nil, err
		}
		defer in.Close()
		b, err := io.ReadAll(io.LimitReader(in, logFileMax+1))
		if len(b) > logFileMax {
			return nil, fmt.Errorf("%s is longer than %d MiB", name, logFileMax>>20)
		}
		if err != nil && ctx.Err() != nil {
			err = context.Cause(ctx)
		}
		return b, err
	}
}
