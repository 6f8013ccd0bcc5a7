// Command release makes the files of a release: programs with their licences,
// container images, bills of materials and the hashes of all. The same sources
// give the same bytes, on any machine and at any time.
//
//	release -version v1.2.3 -commit HASH -committed 2026-11-22T10:00:00Z -out DIR
//	release -licences DIR
package main

import (
	"context"
	"crypto/sha256"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// release is what is made.
type release struct {
	version, commit string
	// at is the time of the commit, which all files bear.
	at  time.Time
	out string
}

func main() {
	var r release
	var committed, licences string
	flag.StringVar(&r.version, "version", "", "version of the release")
	flag.StringVar(&r.commit, "commit", "", "commit that it is made from")
	flag.StringVar(&committed, "committed", "", "time of the commit, RFC 3339")
	flag.StringVar(&r.out, "out", "out/release", "directory to write, which must not be there")
	flag.StringVar(&licences, "licences", "", "only write the licence texts into this directory")
	flag.Parse()
	err := func() error {
		if licences != "" {
			return writeLicences(context.Background(), licences)
		}
		at, err := time.Parse(time.RFC3339, committed)
		if err != nil || r.version == "" || r.commit == "" {
			return errors.Join(errors.New("-version, -commit and -committed are needed"), err)
		}
		r.at = at.UTC()
		return r.make(context.Background())
	}()
	if err != nil {
		fmt.Fprintln(os.Stderr, "release:", err)
		os.Exit(1)
	}
}

// make writes all files of the release.
func (r *release) make(ctx context.Context) error {
	if err := os.Mkdir(r.out, 0o755); err != nil {
		return err
	}
	licences, err := licenceTexts(ctx)
	if err != nil {
		return err
	}
	beside, err := folder("site/deploy", "deploy")
	if err != nil {
		return err
	}
	own, err := r.compile(ctx, host)
	if err != nil {
		return fmt.Errorf("%s: %w", host, err)
	}
	said, err := words(ctx, own)
	if err != nil {
		return err
	}
	beside = append(beside, said...)
	for _, p := range platforms {
		program := own
		if p != host {
			if program, err = r.compile(ctx, p); err != nil {
				return fmt.Errorf("%s: %w", p, err)
			}
		}
		if err := r.platform(p, program, licences, beside); err != nil {
			return fmt.Errorf("%s: %w", p, err)
		}
	}
	return r.sums()
}

// platform makes what there is for one of them; beside the program lie other files.
func (r *release) platform(p platform, program []byte, licences, beside []entry) error {
	base := filepath.Join(r.out, fmt.Sprintf("assay_%s_%s_%s", strings.TrimPrefix(r.version, "v"), p.os, p.arch))
	if err := r.materials(program, p, base+".cdx.json"); err != nil {
		return err
	}
	files := append([]entry{{name: "assay", mode: 0o755, body: program}}, slices.Concat(licences, beside)...)
	packed, err := packed(files, r.at)
	if err != nil {
		return err
	}
	if err := os.WriteFile(base+".tar.gz", packed, 0o644); err != nil {
		return err
	}
	if p.os != "linux" {
		return nil
	}
	image, err := r.image(program, p, licences)
	if err != nil {
		return err
	}
	return os.WriteFile(base+".oci.tar", image, 0o644)
}

// sums writes the hash of every file, as sha256sum reads them.
func (r *release) sums() error {
	names, err := filepath.Glob(filepath.Join(r.out, "assay_*"))
	if err != nil {
		return err
	}
	var text strings.Builder
	for _, name := range names {
		body, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		fmt.Fprintf(&text, "%x  %s\n", sha256.Sum256(body), filepath.Base(name))
	}
	return os.WriteFile(filepath.Join(r.out, "SHA256SUMS"), []byte(text.String()), 0o644)
}
