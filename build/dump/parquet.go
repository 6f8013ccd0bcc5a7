package dump

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"os"
	"time"

	"github.com/parquet-go/parquet-go"

	"github.com/assay-register/assay/render/export"
	"github.com/assay-register/assay/render/snapshot"
)

// row is a record as Parquet holds it: the columns of export.Columns, tags as
// a list and times as instants in UTC, so that a query engine need not parse
// them. Columns of few values are coded by a dictionary.
type row struct {
	ID                string     `parquet:"id"`
	Name              string     `parquet:"name"`
	Slug              string     `parquet:"slug"`
	Type              string     `parquet:"type,dict"`
	Description       *string    `parquet:"description,optional"`
	CountryCode       *string    `parquet:"country_code,optional,dict"`
	HomepageURL       *string    `parquet:"homepage_url,optional"`
	DocsURL           *string    `parquet:"docs_url,optional"`
	RepoURL           *string    `parquet:"repo_url,optional"`
	FreeAccessClass   string     `parquet:"free_access_class,dict"`
	AuthType          string     `parquet:"auth_type,dict"`
	Status            string     `parquet:"status,dict"`
	VerificationState string     `parquet:"verification_state,dict"`
	Tags              []string   `parquet:"tags,list"`
	CreatedAt         time.Time  `parquet:"created_at,timestamp(millisecond)"`
	UpdatedAt         time.Time  `parquet:"updated_at,timestamp(millisecond)"`
	LastVerifiedAt    *time.Time `parquet:"last_verified_at,optional,timestamp(millisecond)"`
}

const (
	// groupRows is the size of a row group: large enough for a scan to be
	// fast, small enough to wait in memory until it is full.
	groupRows = 20_000
	// batchRows is how many rows are handed to the writer at once.
	batchRows = 256
)

func newRow(r *export.Record) (row, error) {
	created, errC := time.Parse(time.RFC3339, r.CreatedAt)
	updated, errU := time.Parse(time.RFC3339, r.UpdatedAt)
	out := row{
		ID: r.ID, Name: r.Name, Slug: r.Slug, Type: r.Type, Description: r.Description, CountryCode: r.CountryCode,
		HomepageURL: r.HomepageURL, DocsURL: r.DocsURL, RepoURL: r.RepoURL, FreeAccessClass: r.FreeAccessClass, AuthType: r.AuthType,
		Status: r.Status, VerificationState: r.VerificationState, Tags: r.Tags, CreatedAt: created, UpdatedAt: updated,
	}
	if r.LastVerifiedAt == nil {
		return out, errors.Join(errC, errU)
	}
	verified, errV := time.Parse(time.RFC3339, *r.LastVerifiedAt)
	out.LastVerifiedAt = &verified
	return out, errors.Join(errC, errU, errV)
}

// writeParquet makes the Parquet file. It says in its footer that the rows
// stand in id order, and what snapshot they are of.
func writeParquet(ctx context.Context, c *snapshot.Catalog, path string) error {
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	buf := bufio.NewWriterSize(f, 1<<17)
	options := []parquet.WriterOption{
		parquet.NewSchema("entries", parquet.SchemaOf(row{})), parquet.CreatedBy("assay-register/assay", "1", "export"), parquet.MaxRowsPerRowGroup(groupRows),
		parquet.Compression(&parquet.Zstd),
		parquet.SortingWriterConfig(parquet.SortingColumns(parquet.Ascending("id"))),
	}
	for _, m := range meta(c) {
		options = append(options, parquet.KeyValueMetadata(m[0], m[1]))
	}
	w := parquet.NewGenericWriter[row](buf, options...)
	return errors.Join(writeRows(ctx, c, w), w.Close(), buf.Flush(), f.Close())
}

func writeRows(ctx context.Context, c *snapshot.Catalog, w *parquet.GenericWriter[row]) error {
	batch := make([]row, 0, batchRows)
	flush := func() error {
		_, err := w.Write(batch)
		batch = batch[:0]
		return errors.Join(err, ctx.Err())
	}
	for r, err := range export.Records(c) {
		if err != nil {
			return err
		}
		made, err := newRow(r)
		if err != nil {
			return fmt.Errorf("row of entry %s: %w", r.ID, err)
		}
		if batch = append(batch, made); len(batch) == batchRows {
			if err := flush(); err != nil {
				return err
			}
		}
	}
	return flush()
}
