package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/spf13/pflag"

	"github.com/assay-register/assay/build/output"
	"github.com/assay-register/assay/build/publish/bucket"
	"github.com/assay-register/assay/build/publish/replica"
	"github.com/assay-register/assay/cmd/internal/setup"
)

// s3Flags say where an object store is.
func s3Flags(f *pflag.FlagSet, s *setup.S3) {
	f.StringVar(&s.Endpoint, "s3-endpoint", "", "host of the object store, with http:// for one without TLS (default: AWS_ENDPOINT_URL_S3, else Amazon's)")
	f.StringVar(&s.Region, "s3-region", "", "region of the bucket (default: AWS_REGION, else us-east-1)")
	f.BoolVar(&s.PathStyle, "s3-path-style", false, "name the bucket in the path instead of the host")
}

// replicaFlags say from where a service takes its site.
type replicaFlags struct {
	s3     setup.S3
	folder string
}

func (o *replicaFlags) register(f *pflag.FlagSet) {
	s3Flags(f, &o.s3)
	f.StringVar(&o.folder, "site-folder", "", "where the snapshot files of a site in a bucket lie on this machine (default: a temporary folder, which goes with the process)")
}

// replicaEvery is how often a service asks the bucket for a new snapshot.
const replicaEvery = time.Second

// inBucket tells whether a site lies in a bucket.
func inBucket(site string) bool { return strings.HasPrefix(site, "s3://") }

// replica takes a site out of its bucket into a folder, which leave removes where nobody
// named it. A bucket that cannot be read yet is asked again while the service runs.
func (a *app) replica(ctx context.Context, site string, o *serveFlags) (r *replica.Replica, leave func() error, err error) {
	if o.rebuild.on {
		return nil, nil, errors.New("--rebuild: the site is in a bucket; build it where it is published from")
	}
	t, err := bucket.ParseTarget(site, "")
	if err != nil {
		return nil, nil, errors.New(strings.Replace(err.Error(), "--to", "--site", 1))
	}
	client, err := o.replica.s3.Client(release)
	if err != nil {
		return nil, nil, err
	}
	folder, leave, err := replicaFolder(o.replica.folder)
	if err != nil {
		return nil, nil, fmt.Errorf("--site-folder: %w", err)
	}
	r = &replica.Replica{From: bucket.NewS3(client, t.Bucket, t.Prefix), Folder: folder, Keep: a.keep, KeepFor: a.keepFor, Now: now, Every: replicaEvery, Log: a.log}
	if _, err := r.Take(ctx); err != nil {
		a.log.Warn("the site is not taken from the bucket yet", "error", err)
	}
	return r, leave, nil
}

// replicaFolder makes the folder, or a temporary one for "", and keeps other processes from
// it until leave is called.
func replicaFolder(named string) (folder string, leave func() error, err error) {
	remove := func() error { return nil }
	if folder = named; named == "" {
		if folder, err = os.MkdirTemp("", "assay-site-"); err != nil {
			return "", nil, err
		}
		remove = func() error { return os.RemoveAll(folder) }
	}
	unlock, err := output.Lock(folder)
	if err != nil {
		return "", nil, errors.Join(err, remove())
	}
	return folder, func() error {
		unlock()
		return remove()
	}, nil
}
