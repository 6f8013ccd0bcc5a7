package main

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/assay-register/assay/build/output"
	"github.com/assay-register/assay/build/publish"
	"github.com/assay-register/assay/build/publish/bucket"
	"github.com/assay-register/assay/cmd/internal/setup"
)

func (a *app) publish() *cobra.Command {
	var o publishing
	cmd := &cobra.Command{
		Use: "publish --to s3://BUCKET/PREFIX|file://DIR", Short: "Upload what changed of a built site", Args: noArgs,
		GroupID: groupPublish, Annotations: kept("what was uploaded stays; the same command goes on behind it"),
		Example: `  assay publish --site site --to file:///srv/www
  assay publish --to s3://bucket/register --dry-run
  assay publish --to s3://bucket/register --rollback 01JD0T9V7J`,
		Long: "Uploads what differs from the last publish: new pages first, then what leads to them, deletions last and\n" +
			"only when no snapshot that is kept leads there any more. It may be killed at any moment; the next run goes on\n" +
			"where it ended. Before anything moves, the site is checked, also against what is live.\n\n" +
			"Credentials come from AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY (with AWS_SESSION_TOKEN), the files of the\n" +
			"AWS tools (AWS_PROFILE, AWS_SHARED_CREDENTIALS_FILE) or the machine's role.",
		RunE: func(cmd *cobra.Command, _ []string) error {
			r, err := a.publishSite(cmd.Context(), &o)
			a.bar.Done()
			if reportErr := writeReport(o.report, r); err == nil {
				err = reportErr
			}
			if err != nil {
				return fmt.Errorf("publish to %s: %w", o.to, err)
			}
			a.printPublish(r)
			return nil
		},
	}
	f := cmd.Flags()
	f.StringVar(&o.to, "to", "", "where to publish: s3://BUCKET/PREFIX or file://DIR")
	f.StringVar(&o.site, "site", siteFolder, "folder of the snapshot files, or a directory that build --out brought up to date")
	s3Flags(f, &o.s3)
	f.StringVar(&o.keys, "keys", "", "keys of the objects: route (default of s3) or file (default of file; for stores that lay keys out as directories)")
	f.BoolVar(&o.whole, "whole", false, "publish the snapshot file itself instead of the documents in it, for services that take it from there")
	f.BoolVar(&o.verify, "verify", false, "check the whole site, and compare what the target should hold with what lies there, instead of only what changed")
	f.BoolVar(&o.gzip, "gzip", false, "store large documents compressed, with Content-Encoding, for edges that unpack them where a reader asks for it")
	f.IntVar(&o.workers, "uploads", uploads, "how many objects are moved at a time")
	f.BoolVar(&o.dryRun, "dry-run", false, "only print what would be done")
	f.StringVar(&o.rollback, "rollback", "", "bring back this snapshot instead of publishing the site")
	f.StringVar(&o.report, "report", "", "write a JSON report to this file")
	a.retention(cmd)
	return cmd
}

// publishing are the flags of one publish.
type publishing struct {
	to, site, keys, rollback, report string
	gzip, dryRun, verify, whole      bool
	workers                          int
	s3                               setup.S3
}

func (a *app) publishSite(ctx context.Context, o *publishing) (publish.Report, error) {
	to, keys, leave, err := a.bucket(o)
	if err != nil {
		return publish.Report{}, err
	}
	defer leave()
	opts := a.publishOptions()
	opts.Workers, opts.DryRun, opts.Verify, opts.Step = o.workers, o.dryRun, o.verify, func(verb, key string) { a.say("%s %s", verb, key) }
	if o.rollback != "" {
		return publish.Rollback(ctx, to, keys, o.rollback, opts)
	}
	return publish.Publish(ctx, to, publish.Site{Root: output.Folder(o.site), Reports: o.site, Keys: keys, Gzip: o.gzip, Whole: o.whole}, opts)
}

// uploads is how many objects are moved at a time, unless --uploads says otherwise.
const uploads = 16

// publishOptions are those of every publish.
func (a *app) publishOptions() publish.Options {
	return publish.Options{Workers: uploads, Keep: a.keep, KeepFor: a.keepFor, Now: now(), Progress: a.bar.Set}
}

// bucket opens the target of --to until leave is called.
func (a *app) bucket(o *publishing) (to bucket.Bucket, keys bucket.Keys, leave func(), err error) {
	t, err := bucket.ParseTarget(o.to, o.keys)
	if err != nil {
		return nil, 0, nil, err
	}
	if t.Dir != "" {
		setup.Public()
		if err := setup.Own(t.Dir); err != nil {
			return nil, t.Keys, nil, fmt.Errorf("--to: %w", err)
		}
		dir, err := bucket.OpenDir(t.Dir)
		if err != nil {
			return nil, t.Keys, nil, err
		}
		return dir, t.Keys, dir.Close, nil
	}
	client, err := o.s3.Client(release)
	if err != nil {
		return nil, t.Keys, nil, err
	}
	return bucket.NewS3(client, t.Bucket, t.Prefix), t.Keys, func() {}, nil
}

func (a *app) printPublish(r publish.Report) {
	a.runLog().Info("published", "snapshot", r.Snapshot, "generation", r.Generation, "dry_run", r.DryRun, "new", r.New, "changed", r.Changed,
		"unchanged", r.Unchanged, "left", r.Left, "deleted", r.Deleted, "strange", r.Strange, "resumed", r.Resumed)
	if r.DryRun {
		a.say("dry run: nothing was moved")
	}
	a.say("snapshot %s, generation %d", r.Snapshot, r.Generation)
	a.say("objects: %d new, %d changed, %d unchanged, %d left, %d deleted", r.New, r.Changed, r.Unchanged, r.Left, r.Deleted)
	if r.Strange > 0 {
		a.say("%d objects lie there that no publish wrote: they stay", r.Strange)
	}
	if r.Resumed > 0 {
		a.say("went on behind %d objects of a publish that did not end", r.Resumed)
	}
}
