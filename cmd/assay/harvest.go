package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/assay-register/assay/build/harvest"
	"github.com/assay-register/assay/build/harvest/source"
	"github.com/assay-register/assay/cmd/internal/outbound"
	"github.com/assay-register/assay/render/catalog"
)

// harvestFlags are what an ad hoc source is described by.
type harvestFlags struct {
	kind, file, institution, country, official, report string
	complete, strict                                   bool
}

func (a *app) harvest() *cobra.Command {
	var h harvestFlags
	cmd := &cobra.Command{
		Use: "harvest --kind KIND --file PATH|URL", Short: "Take the entries that a source lists into the catalog", Args: cobra.NoArgs,
		Long: "Runs one source: reads it, recognises known entries, admits new ones by the rules of officialness,\n" +
			"and reports what became of every record.",
		RunE: func(cmd *cobra.Command, _ []string) error { return a.runHarvest(cmd.Context(), &h) },
	}
	f := cmd.Flags()
	f.StringVar(&h.kind, "kind", "", "protocol of the source: "+strings.Join(harvest.Kinds(), ", "))
	f.StringVar(&h.file, "file", "", "file, directory or URL of the source")
	f.StringVar(&h.institution, "institution", "", "institution of records whose publisher is not known: its key or id")
	f.StringVar(&h.country, "country", "", "country of records that name none, ISO 3166-1 alpha-2")
	f.StringVar(&h.official, "official", "", "reason why the source is official and vouches for what it lists")
	f.BoolVar(&h.complete, "complete", false, "the input lists everything the source has: what it lacks counts as missing")
	f.BoolVar(&h.strict, "strict", false, "end with exit code 1 if a record was rejected")
	f.StringVar(&h.report, "report", "", "write a JSON report to this file")
	return cmd
}

func (a *app) runHarvest(ctx context.Context, h *harvestFlags) error {
	connector, ok := harvest.Connectors()[h.kind]
	if !ok {
		return fmt.Errorf("--kind %q: use one of %s", h.kind, strings.Join(harvest.Kinds(), ", "))
	}
	if h.file == "" {
		return errors.New("--file: name the file, directory or URL to read")
	}
	st, err := a.open(ctx)
	if err != nil {
		return err
	}
	defer st.Close()
	now := time.Now().UTC().Truncate(time.Second)
	if err := harvest.LoadReference(ctx, st, now); err != nil {
		return err
	}
	in, err := a.harvestInput(ctx, h, now)
	if err != nil {
		return err
	}
	if err := putSource(ctx, st, &in.Source); err != nil {
		return err
	}
	r, err := harvest.Run(ctx, st, connector, in, harvest.Options{Now: now, Institution: h.institution, Country: strings.ToUpper(h.country),
		Complete: h.complete, Progress: func(n int) { a.bar.Set("harvest", n, 0) }})
	a.bar.Done()
	r.Started, r.Finished = now, time.Now().UTC().Truncate(time.Second)
	if err := errors.Join(err, writeReport(h.report, r)); err != nil {
		return err
	}
	a.say("%s", strings.TrimSpace(r.Summary()))
	a.listRejections(r.Rejections, r.Rejected)
	if h.strict && r.Rejected > 0 {
		return errFailed
	}
	return nil
}

// adHocSource describes the source of a run. A kind that only one catalogue
// publishes is that catalogue, whether it is read live or from a capture; any
// other source gets its id from its kind and place, so that a second run finds
// what the first one listed.
func adHocSource(h *harvestFlags, now time.Time) catalog.Source {
	src := catalog.Source{ID: harvest.SourceID(h.kind + "|" + h.file), Kind: h.kind, Title: filepath.Base(h.file)}
	for _, s := range harvest.ShippedSources() {
		if s.Kind == h.kind {
			src = s
		}
	}
	src.Official = cmp.Or(h.official, src.Official)
	src.CountryCode = cmp.Or(strings.ToUpper(h.country), src.CountryCode)
	src.CreatedAt, src.UpdatedAt = now, now
	return src
}

func (a *app) harvestInput(ctx context.Context, h *harvestFlags, now time.Time) (source.Input, error) {
	if h.country != "" && !catalog.CountryShape(strings.ToUpper(h.country)) {
		return source.Input{}, fmt.Errorf("--country %s: use two letters (ISO 3166-1 alpha-2)", h.country)
	}
	src := adHocSource(h, now)
	in := source.Input{Name: h.file, Source: src, Now: now, AllowPrivate: a.allowPrivate}
	if strings.HasPrefix(h.file, "http://") || strings.HasPrefix(h.file, "https://") {
		in.Source.URL = cmp.Or(in.Source.URL, h.file)
		client := outbound.Client(outbound.Options{AllowPrivate: a.allowPrivate, Version: release, Contact: a.site.BaseURL})
		in.Open = func(ctx context.Context) (io.ReadCloser, error) { return get(ctx, client, h.file) }
		return in, nil
	}
	info, err := os.Stat(h.file)
	if err != nil {
		return in, fmt.Errorf("--file: %w", err)
	}
	if info.IsDir() {
		in.Files = os.DirFS(h.file)
		return in, nil
	}
	in.Files = os.DirFS(filepath.Dir(h.file))
	in.Open = func(context.Context) (io.ReadCloser, error) { return os.Open(h.file) }
	return in, ctx.Err()
}

func get(ctx context.Context, client *http.Client, url string) (io.ReadCloser, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return nil, err
	}
	resp, err := client.Do(req)
	if err != nil {
		return nil, err
	}
	if resp.StatusCode != http.StatusOK {
		return nil, errors.Join(fmt.Errorf("GET %s: status %d", url, resp.StatusCode), resp.Body.Close())
	}
	return resp.Body, nil
}

// putSource stores the source if it is new or its description changed.
func putSource(ctx context.Context, st catalog.Store, src *catalog.Source) error {
	return st.Update(ctx, func(tx catalog.Tx) error {
		known, err := tx.Sources().Get(ctx, src.ID)
		switch {
		case errors.Is(err, catalog.ErrNotFound):
			return tx.Sources().Put(ctx, *src)
		case err != nil:
			return err
		}
		src.CreatedAt, src.Official = known.CreatedAt, cmp.Or(src.Official, known.Official)
		src.CountryCode = cmp.Or(src.CountryCode, known.CountryCode)
		src.UpdatedAt = known.UpdatedAt
		return tx.Sources().Put(ctx, *src)
	})
}
