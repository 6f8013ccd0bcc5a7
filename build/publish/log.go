package publish

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"golang.org/x/mod/sumdb/tlog"

	"github.com/assay-register/assay/build/publish/bucket"
	"github.com/assay-register/assay/render/artifact"
	"github.com/assay-register/assay/render/jsonx"
	"github.com/assay-register/assay/render/translog"
	"github.com/assay-register/assay/render/wire"
)

// ErrLog says that the target has a log which the one of the site does not continue. It is
// left as it is, for whoever reads it would see leaves go away.
var ErrLog = errors.New("the target has a log of verdicts that the one of this site does not continue: it is another register's, " +
	"or the folder of the log was put back; publish to another target, or put the log's latest files back")

// logPublisher brings the log of verdicts in a target up to date. The log is no part of a
// snapshot, and nothing of it is ever deleted.
type logPublisher struct {
	bucket bucket.Bucket
	log    *translog.Log
	tree   *translog.Tree
	fetch  translog.Fetch
}

// publishLog moves what the log of a site has and that of the target lacks: tiles and
// proofs first, the checkpoint that leads to them last.
func publishLog(ctx context.Context, b bucket.Bucket, root string) (moved int, err error) {
	dir := os.DirFS(filepath.Join(root, translog.Dir))
	log, err := translog.OpenLog(dir)
	if err != nil || log == nil {
		return 0, err
	}
	defer log.Close()
	fetch := translog.Files(dir)
	p := &logPublisher{b, log, translog.NewTree(fetch, log.Checkpoint().N), fetch}
	before, same, err := p.before(ctx)
	if err != nil {
		return 0, err
	}
	if same {
		return p.sums(ctx, before)
	}
	for _, step := range []func(context.Context, int64) (int, error){p.tiles, p.bundles, p.proofs, p.keys, p.sums} {
		n, err := step(ctx, before)
		if moved += n; err != nil {
			return moved, fmt.Errorf("log: %w", err)
		}
	}
	if err := b.Sync(ctx); err != nil {
		return moved, err
	}
	return moved + 1, p.put(ctx, translog.CheckpointFile, log.Signed(), translog.TypeNote, wire.CacheRevalidate)
}

// keys proves each key of the log by the one before it, and lists the checkpoints, by which
// a service that takes the log from the target makes proofs.
func (p *logPublisher) keys(ctx context.Context, _ int64) (moved int, err error) {
	proof, err := p.log.Keys()
	if err != nil {
		return 0, err
	}
	body, err := jsonx.Marshal(proof)
	if err != nil {
		return 0, err
	}
	if err := p.put(ctx, translog.KeysFile, append(body, '\n'), artifact.JSON, wire.CacheRevalidate); err != nil {
		return 0, err
	}
	list, err := p.fetch(translog.CheckpointsFile)
	if err != nil {
		return 1, err
	}
	return 2, p.put(ctx, translog.CheckpointsFile, list, artifact.NDJSON, wire.CacheRevalidate)
}

// sums brings the signed sums of the snapshot there, if they are not.
func (p *logPublisher) sums(ctx context.Context, _ int64) (moved int, err error) {
	body, err := p.fetch(translog.SumsFile)
	if errors.Is(err, fs.ErrNotExist) {
		return 0, nil // nothing was signed since the log was begun
	}
	if err != nil {
		return 0, err
	}
	there, err := p.bucket.Get(ctx, translog.Dir+"/"+translog.SumsFile)
	if err == nil {
		defer there.Close()
		before, err := io.ReadAll(io.LimitReader(there, translog.SumsMax))
		if err != nil || bytes.Equal(before, body) {
			return 0, err
		}
	} else if !errors.Is(err, fs.ErrNotExist) {
		return 0, err
	}
	return 1, p.put(ctx, translog.SumsFile, body, translog.TypeNote, wire.CacheRevalidate)
}

// before is the size of the log of the target, which must be one that this log had.
func (p *logPublisher) before(ctx context.Context) (size int64, same bool, err error) {
	in, err := p.bucket.Get(ctx, translog.Dir+"/"+translog.CheckpointFile)
	if errors.Is(err, fs.ErrNotExist) {
		return 0, false, nil
	}
	if err != nil {
		return 0, false, err
	}
	defer in.Close()
	signed, err := io.ReadAll(io.LimitReader(in, translog.CheckpointMax))
	if err != nil {
		return 0, false, err
	}
	there, err := translog.Unsigned(signed)
	if err != nil {
		return 0, false, fmt.Errorf("the log of the target: %w", err)
	}
	here := p.log.Checkpoint()
	if there.Origin != here.Origin || there.N > here.N {
		return 0, false, ErrLog
	}
	root, err := tlog.TreeHash(there.N, p.tree)
	if err == nil && root != there.Hash {
		err = ErrLog
	}
	return there.N, bytes.Equal(signed, p.log.Signed()), err
}

func (p *logPublisher) put(ctx context.Context, name string, body []byte, media, cache string) error {
	return p.bucket.Put(ctx, translog.Dir+"/"+name, bytes.NewReader(body), bucket.Object{Type: media, Cache: cache, Size: int64(len(body))})
}

func (p *logPublisher) tiles(ctx context.Context, before int64) (moved int, err error) {
	for _, t := range tlog.NewTiles(8, before, p.log.Checkpoint().N) {
		body, err := p.fetch(translog.TilePath(t))
		if err != nil {
			return moved, err
		}
		if err := p.put(ctx, translog.TilePath(t), body, translog.TypeTile, wire.CacheHashed); err != nil {
			return moved, err
		}
		moved++
	}
	return moved, nil
}

func (p *logPublisher) bundles(ctx context.Context, before int64) (moved int, err error) {
	size := p.log.Checkpoint().N
	for n := before / translog.Width; n*translog.Width < size; n++ {
		name := translog.BundlePath(n, int(min(translog.Width, size-n*translog.Width)))
		body, err := p.fetch(name)
		if err != nil {
			return moved, err
		}
		if err := p.put(ctx, name, body, translog.TypeTile, wire.CacheHashed); err != nil {
			return moved, err
		}
		moved++
	}
	return moved, nil
}

// proofs writes those of the entries that the new leaves are about.
func (p *logPublisher) proofs(ctx context.Context, before int64) (moved int, err error) {
	entries, err := p.told(before)
	if err != nil {
		return 0, err
	}
	for _, id := range entries {
		proof, err := p.log.FirstOf(p.tree, id)
		if err != nil {
			return moved, err
		}
		body, err := jsonx.Marshal(proof)
		if err != nil {
			return moved, err
		}
		if err := p.put(ctx, translog.EntryDir+"/"+id+".json", append(body, '\n'), artifact.JSON, wire.CacheRevalidate); err != nil {
			return moved, err
		}
		moved++
	}
	return moved, nil
}

// told lists the entries that the leaves from one on are about, by their first leaf.
func (p *logPublisher) told(before int64) (entries []string, err error) {
	seen := map[string]bool{}
	size := p.log.Checkpoint().N
	for n := before / translog.Width; n*translog.Width < size; n++ {
		leaves, err := p.tree.Bundle(n)
		if err != nil {
			return nil, err
		}
		for i, b := range leaves {
			l, err := translog.DecodeLeaf(b)
			if err != nil {
				return nil, err
			}
			if l.Entry != "" && n*translog.Width+int64(i) >= before && !seen[l.Entry] {
				seen[l.Entry] = true
				entries = append(entries, l.Entry)
			}
		}
	}
	return entries, nil
}
