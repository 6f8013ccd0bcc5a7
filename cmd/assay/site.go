package main

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"

	"github.com/spf13/pflag"

	"github.com/assay-register/assay/build"
	"github.com/assay-register/assay/build/output"
	"github.com/assay-register/assay/build/publish"
	"github.com/assay-register/assay/build/publish/bucket"
	"github.com/assay-register/assay/cmd/internal/setup"
	"github.com/assay-register/assay/render/catalog"
)

// place is where a site lies: its snapshot files, and its documents for servers that know
// no snapshot file.
type place struct{ site, out string }

func (p *place) registerSite(f *pflag.FlagSet) {
	f.StringVar(&p.site, "site", "", "folder of the snapshot files (default: out; with --out the folder .assay/snapshots in it)")
}

func (p *place) registerOut(f *pflag.FlagSet) {
	f.StringVar(&p.out, "out", "", "also bring this directory up to date with every document of the site, for any web server, as publish --to file://DIR does")
}

// siteFolder is the folder of the snapshot files where none is named.
const siteFolder = "out"

// folder is where the snapshot files lie. Both names may lead to one directory.
func (p *place) folder() string {
	switch {
	case p.site != "" && p.site != p.out:
		return output.Folder(p.site)
	case p.out != "":
		return filepath.Join(p.out, filepath.FromSlash(output.SnapshotsDir))
	}
	return siteFolder
}

// own refuses places in which a stranger's files lie, or another user's.
func (p *place) own() error {
	setup.Public()
	if p.out != "" {
		if err := setup.Own(p.out); err != nil {
			return fmt.Errorf("--out: %w", err)
		}
	}
	if err := setup.Own(p.folder()); err != nil {
		return fmt.Errorf("--site: %w", err)
	}
	return nil
}

// buildSite builds to a place, and tells of it; what all builds share is added to the options.
func (a *app) buildSite(ctx context.Context, st catalog.Store, p place, o build.Options, tell func(*build.Report)) (r build.Report, err error) {
	defer a.bar.Done()
	if err := p.own(); err != nil {
		return r, err
	}
	done, err := a.target(p.out)
	if err != nil {
		return r, err
	}
	defer done.Close()
	full, live := o.Full, o.Live
	o = a.buildOptions(p.folder(), o.At)
	o.Full, o.Live, o.Progress = full, live, a.bar.Set
	if r, err = build.Build(ctx, st, o, now); err != nil {
		if ctx.Err() == nil {
			err = errors.Join(err, a.compareLog(ctx, st, o.Out))
		}
		return r, err
	}
	a.bar.Done()
	tell(&r)
	// The site is brought up to date whatever becomes of the log.
	_, err = a.sequenceLog(ctx, st, o.Out, false)
	return r, errors.Join(err, done.update(ctx, a, o.Out))
}

// directory is the target --out, open; nil for none.
type directory struct{ *bucket.Dir }

// target opens the directory of --out and keeps others from it until it is closed.
func (a *app) target(out string) (*directory, error) {
	if out == "" {
		return nil, nil
	}
	d, err := bucket.OpenDir(out)
	if err != nil {
		return nil, fmt.Errorf("--out: %w", err)
	}
	return &directory{d}, nil
}

// Close lets others at the directory.
func (d *directory) Close() {
	if d != nil {
		d.Dir.Close()
	}
}

// update brings the directory up to date with the snapshot file that this process has
// built; nobody need check what it says.
func (d *directory) update(ctx context.Context, a *app, folder string) error {
	if d == nil {
		return nil
	}
	o := a.publishOptions()
	o.Unchecked = true
	r, err := publish.Publish(ctx, d.Dir, publish.Site{Root: folder, Keys: bucket.ByFile}, o)
	if err != nil {
		return fmt.Errorf("--out: %w", err)
	}
	a.printPublish(r)
	return nil
}
