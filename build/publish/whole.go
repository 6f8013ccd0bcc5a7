package publish

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"io/fs"
	"iter"
	"os"
	"path/filepath"
	"strings"

	"github.com/assay-register/assay/build/check"
	"github.com/assay-register/assay/build/output"
	"github.com/assay-register/assay/build/publish/spool"
	"github.com/assay-register/assay/render/artifact"
	"github.com/assay-register/assay/render/snapshot"
	"github.com/assay-register/assay/render/wire"
)

// wholeTable lists the objects of a snapshot file that is published as it is: the file,
// its hash in the form of sha256sum(1), its signed sums if there are any, and the name of the one that readers get, last.
func wholeTable(s *output.SnapshotFile) (iter.Seq2[item, error], error) {
	sig, err := os.ReadFile(filepath.Join(filepath.Dir(s.Path), snapshot.SigOf(s.ID)))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	sum, size, err := sumFile(s.Path)
	if err != nil {
		return nil, err
	}
	name := snapshot.FileOf(s.ID)
	file := item{line: line{Key: name, Version: sum, Rank: rankEntry, Size: size}, File: s.Path, Type: artifact.Unknown, Cache: wire.CacheOf("/s/" + s.ID)}
	hash := textItem(snapshot.SumOf(s.ID), sum+"  "+name+"\n", rankPinned)
	present := textItem(snapshot.PresentFile, s.ID+"\n", rankSnapshot)
	list := []item{file, hash}
	if len(sig) > 0 {
		list = append(list, textItem(snapshot.SigOf(s.ID), string(sig), rankPinned))
	}
	list = append(list, present)
	return func(yield func(item, error) bool) {
		for i := range list {
			if !yield(list[i], nil) {
				return
			}
		}
	}, nil
}

func textItem(key, body string, r rank) item {
	sum := sha256.Sum256([]byte(body))
	return item{line: line{Key: key, Version: hex.EncodeToString(sum[:12]), Rank: r, Size: int64(len(body))}, Text: body, Type: artifact.Text, Cache: wire.CacheOf("/")}
}

func sumFile(path string) (sum string, size int64, err error) {
	in, err := os.Open(path)
	if err != nil {
		return "", 0, err
	}
	defer in.Close()
	hash := sha256.New()
	size, err = io.Copy(hash, in)
	return hex.EncodeToString(hash.Sum(nil)), size, err
}

// checkWhole verifies what changed of a snapshot file since the one that was published
// before, if that lies beside it yet, else every document.
func (p *publisher) checkWhole(ctx context.Context, s Site) (check.Report, error) {
	site := p.built
	if p.opts.Verify {
		return check.Site(ctx, site, nil, p.opts.Progress)
	}
	before, err := output.OpenSnapshot(filepath.Join(s.Root, snapshot.FileOf(p.now.Snapshot)))
	if errors.Is(err, fs.ErrNotExist) {
		before, err = nil, nil
	}
	if err != nil {
		return check.Report{}, err
	}
	change := &check.Change{}
	if before != nil {
		defer before.Close()
		change.Before = before
	}
	made, err := newPlan()
	if err != nil {
		return check.Report{}, err
	}
	defer made.close()
	if err := compareRoutes(ctx, before, site, made); err != nil {
		return check.Report{}, err
	}
	change.Documents, change.Count, change.Promises = made.changed.All(), made.changed.Len(), made.promises.All()
	return check.Changed(ctx, site, change, p.opts.Progress)
}

// compareRoutes finds the documents that one snapshot file has and another, nil for none,
// had not.
func compareRoutes(ctx context.Context, before, site *output.SnapshotFile, made *plan) error {
	var lists [2]*spool.Sorted[wire.RouteLine]
	for i, s := range []*output.SnapshotFile{before, site} {
		lists[i] = spool.NewSorted(byRoute)
		defer lists[i].Close()
		if s == nil {
			continue
		}
		if err := s.Each(ctx, func(l *wire.RouteLine) error { return lists[i].Add(*l) }); err != nil {
			return err
		}
	}
	return join(lists[0].All(), lists[1].All(), byRoute, func(old, l *wire.RouteLine) error {
		switch {
		case l == nil && check.IsEntry(old):
			return made.promises.Add(&check.Promise{Route: old.Route, Type: old.Type, Gone: true})
		case l == nil || old != nil && old.SHA256 == l.SHA256:
			return nil
		case old != nil && check.IsEntry(old):
			if err := made.promises.Add(&check.Promise{Route: l.Route, Type: l.Type}); err != nil {
				return err
			}
		}
		return made.changed.Add(l)
	})
}

func byRoute(a, b *wire.RouteLine) int { return strings.Compare(a.Route, b.Route) }
