package dump

import (
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"time"

	"github.com/assay-register/assay/render/artifact"
	"github.com/assay-register/assay/render/export"
	"github.com/assay-register/assay/render/jsonx"
	"github.com/assay-register/assay/render/snapshot"
	"github.com/assay-register/assay/render/wire"
)

// partsFrom is from how many entries on the table is in parts, too, partRows how many rows of a
// country a part has at most on average, and quotedRows how many it has at least that the table of all entries
// has its row groups from it: many small ones would make a long footer. Variables for tests (Partition).
var (
	partsFrom  = 10_000
	partRows   = 10_000
	quotedRows = 1_000
)

// Partition sets these for a test, until the function that it gives is called.
func Partition(from, rows, quoted int) (back func()) {
	was := [...]int{partsFrom, partRows, quotedRows}
	partsFrom, partRows, quotedRows = from, rows, quoted
	return func() { partsFrom, partRows, quotedRows = was[0], was[1], was[2] }
}

// part is a file of the partitioned table.
type part struct {
	country  string
	number   int
	ordinals []int32
	// path is where its file lies until the table of all entries is made, "" where that does not quote it.
	path string
}

// partsOf splits a catalogue as engines of queries expect it (Hive): by country, and those of a
// large country by their ids, into a power of two, so that a part keeps its entries when others come.
// In a part and from part to part of a country entries stand in id order. Nil for small ones.
func partsOf(c *snapshot.Catalog) (out []part) {
	if len(c.Lines) < partsFrom {
		return nil
	}
	byCountry := map[string][]int32{}
	var countries []string
	for i := range c.Lines {
		country := c.Lines[i].Country
		if byCountry[country] == nil {
			countries = append(countries, country)
		}
		byCountry[country] = append(byCountry[country], int32(i))
	}
	slices.Sort(countries)
	for _, country := range countries {
		bits := 0
		for len(byCountry[country])>>bits > partRows {
			bits++
		}
		for _, i := range byCountry[country] {
			n := bucket(c.Lines[i].ID, bits)
			if last := len(out) - 1; last < 0 || out[last].country != country || out[last].number != n {
				out = append(out, part{country: country, number: n})
			}
			out[len(out)-1].ordinals = append(out[len(out)-1].ordinals, i)
		}
	}
	return out
}

// bucket is the number that the first bits of an id make.
func bucket(id string, bits int) int {
	n, err := strconv.ParseUint(id[:8], 16, 32)
	if err != nil {
		return 0 // ids are UUIDs
	}
	return int(n >> (32 - bits))
}

// route is where the part lies. A country that is not known has the name that Hive gives to null.
func (p *part) route() string {
	country := p.country
	if country == "" {
		country = "__HIVE_DEFAULT_PARTITION__"
	}
	return fmt.Sprintf("%s/country_code=%s/part-%04d.parquet", wire.RouteParquetParts, country, p.number)
}

// write makes the file of a part. It names no snapshot: its bytes change only when one of its rows does.
func (p *part) write(ctx context.Context, c *snapshot.Catalog, out io.Writer) error {
	return tableOf(ctx, out, export.FullRowsOf(c, p.ordinals), [][2]string{{"license", c.Site.License}, {"source", c.Site.BaseURL}})
}

// stream makes the file when it is asked for: it need not be made where nothing changed that it is made of.
func (p *part) stream(ctx context.Context, c *snapshot.Catalog) func(io.Writer) error {
	return func(w io.Writer) error {
		if p.path == "" {
			return p.write(ctx, c, w)
		}
		return p.keep(func(f io.Writer) error { return p.write(ctx, c, io.MultiWriter(w, f)) })
	}
}

// keep lets the file lie at its path.
func (p *part) keep(write func(io.Writer) error) error {
	f, err := os.Create(p.path)
	if err != nil {
		return err
	}
	return errors.Join(write(f), f.Close())
}

// fetch lets the file lie at its path if it was not made.
func (p *part) fetch(held Held) error {
	if p.path == "" {
		return nil
	}
	if _, err := os.Stat(p.path); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return p.keep(func(f io.Writer) error { return held(p.route(), f) })
}

// basis sums up the rows of the part.
func (p *part) basis(c *snapshot.Catalog) uint64 {
	var b snapshot.Basis
	for _, i := range p.ordinals {
		b.Add(c.Lines[i].Sums.All)
	}
	return b.Sum()
}

// writeParts makes and emits the parts, lets those that are quoted lie in dir, and gives what the list of them says but for
// their hashes and sizes.
func writeParts(ctx context.Context, c *snapshot.Catalog, dir string, parts []part, held Held, emit func(artifact.File) error) (list []wire.ParquetPart, err error) {
	for i := range parts {
		p := &parts[i]
		if len(p.ordinals) >= quotedRows {
			p.path = filepath.Join(dir, fmt.Sprintf("part-%d.parquet", i))
		}
		f := artifact.File{Route: p.route(), Type: artifact.Parquet, Class: export.Class, Stream: p.stream(ctx, c), Basis: p.basis(c)}
		err := emit(f)
		if err == nil {
			err = p.fetch(held)
		}
		if err != nil {
			return nil, fmt.Errorf("dump %s: %w", p.route(), err)
		}
		said := wire.ParquetPart{URL: p.route(), Rows: len(p.ordinals),
			FirstID: c.Lines[p.ordinals[0]].ID, LastID: c.Lines[p.ordinals[len(p.ordinals)-1]].ID}
		if p.country != "" {
			said.CountryCode = &p.country
		}
		list = append(list, said)
	}
	return list, nil
}

// wholePart is the one part of a table that is in no parts: the file of all entries.
func wholePart(c *snapshot.Catalog) []wire.ParquetPart {
	one := wire.ParquetPart{URL: RouteParquet, Rows: len(c.Lines)}
	if n := len(c.Lines); n > 0 {
		one.FirstID, one.LastID = c.Lines[0].ID, c.Lines[n-1].ID
	}
	return []wire.ParquetPart{one}
}

// partsList is the document that leads to the parts, which are named by their routes.
func partsList(c *snapshot.Catalog, parts []wire.ParquetPart, sums Sums) (artifact.File, error) {
	list := wire.ParquetParts{Snapshot: c.ID, SnapshotDate: c.AsOf.Format(time.RFC3339), Source: c.Site.BaseURL, License: c.Site.License, Count: len(c.Lines), PartitionedBy: []string{}}
	for _, p := range parts {
		sum, size, ok := sums(p.URL)
		if !ok {
			return artifact.File{}, fmt.Errorf("list of parts: %s was not emitted", p.URL)
		}
		if p.URL != RouteParquet {
			list.PartitionedBy = []string{"country_code"}
		}
		p.Bytes = size
		p.URL, p.SHA256 = c.Site.BaseURL+p.URL, hex.EncodeToString(sum[:])
		list.Parts = append(list.Parts, p)
	}
	body, err := jsonx.Marshal(list)
	return artifact.File{Route: wire.RouteParquetParts, Type: artifact.JSON, Class: export.Class, Body: body}, err
}
