//go:build linux

package main

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"runtime"
	"strings"
	"time"

	"github.com/assay-register/assay/build"
	"github.com/assay-register/assay/build/transfer"
	"github.com/assay-register/assay/cmd/internal/sample"
	"github.com/assay-register/assay/cmd/internal/setup"
	"github.com/assay-register/assay/render"
	"github.com/assay-register/assay/render/artifact"
	"github.com/assay-register/assay/render/catalog"
	"github.com/assay-register/assay/render/pages"
	"github.com/assay-register/assay/render/snapshot"
	"github.com/assay-register/assay/render/wire"
)

// importVerb does what `assay import` does.
func importVerb(flags *flag.FlagSet) func(context.Context) error {
	db := flags.String("db", "", "store: sqlite:PATH or postgres://…")
	in := flags.String("in", "register.ndjson", "file to read")
	return func(ctx context.Context) error {
		st, err := setup.Open(ctx, *db)
		if err != nil {
			return err
		}
		defer st.Close()
		f, err := os.Open(*in)
		if err != nil {
			return err
		}
		defer f.Close()
		r, err := transfer.Import(ctx, st, f, transfer.Options{Now: sample.Instant, Strict: true})
		if err != nil {
			return fmt.Errorf("%w\n%s", err, firstRejection(&r))
		}
		return nil
	}
}

func firstRejection(r *transfer.Report) string {
	if len(r.Rejections) == 0 {
		return ""
	}
	return fmt.Sprintf("%d rejected, first: %+v", r.Rejected, r.Rejections[0])
}

// buildVerb does what `assay build` does.
func buildVerb(flags *flag.FlagSet) func(context.Context) error {
	db := flags.String("db", "", "store: sqlite:PATH or postgres://…")
	out := flags.String("out", "out", "folder of the site")
	workers := flags.Int("workers", runtime.GOMAXPROCS(0), "goroutines that render and write")
	pagesOnly := flags.Bool("pages", false, "render an HTML page and the JSON of each entry, and nothing else")
	without := flags.String("without", "", "formats to leave out, separated by commas; then there are no dumps either")
	record := flags.Bool("record", true, "record the scores in the store")
	late := flags.Duration("late", 0, "how long after the register's instant the build takes place")
	return func(ctx context.Context) error {
		setup.BuildOnly()
		st, err := setup.Open(ctx, *db)
		if err != nil {
			return err
		}
		defer st.Close()
		at := sample.Instant.Add(*late)
		var formats []render.Format
		if *pagesOnly {
			formats = entryPages()
		} else if *without != "" {
			formats = remaining(strings.Split(*without, ","))
		}
		r, err := build.Build(ctx, st, build.Options{Out: *out, Program: "bench", Formats: formats, At: at, Now: at, Workers: *workers, Keep: 3,
			KeepFor: 2 * time.Hour, Record: *record, Begin: setup.BuildMemory,
			Site: snapshot.Site{BaseURL: "https://assay.example", Name: "Assay", License: "CC0-1.0"}}, time.Now)
		if err != nil {
			return err
		}
		return json.NewEncoder(os.Stdout).Encode(r)
	}
}

// entryPages are an HTML page and the JSON of each entry, for the comparison
// with a program that makes no more.
func entryPages() []render.Format {
	p := pages.New()
	return []render.Format{{Name: "json", Entry: func(s *snapshot.Scored) ([]artifact.File, error) {
		body, err := wire.EncodeEntry(s, false)
		return []artifact.File{{Route: "/api/v1/entries/" + s.Entry().ID, Type: artifact.JSON, Class: artifact.ClassEntry, Body: body}}, err
	}}, {Name: "pages", Fragments: p.Fragments, Related: p.Related}}
}

// changeVerb edits, adds or removes some entries, spread over the register, so that
// a build has something to do.
func changeVerb(flags *flag.FlagSet) func(context.Context) error {
	db := flags.String("db", "", "store: sqlite:PATH or postgres://…")
	share := flags.Float64("share", 0, "part of the entries that changes, above 0 and up to 1; one entry if 0")
	kind := flags.String("kind", "edit", "what changes: edit, add, remove, or mixed for one after the other")
	return func(ctx context.Context) error {
		kinds := map[string][]change{"edit": {edit}, "add": {add}, "remove": {remove}, "mixed": {edit, add, remove}}[*kind]
		if kinds == nil {
			return fmt.Errorf("no kind of change is named %q", *kind)
		}
		st, err := setup.Open(ctx, *db)
		if err != nil {
			return err
		}
		defer st.Close()
		return st.Update(ctx, func(tx catalog.Tx) error {
			var ids []string
			err := tx.Entries().Keys(ctx, func(k *catalog.Key) error {
				if k.Status == catalog.StatusActive {
					ids = append(ids, k.ID)
				}
				return nil
			})
			if err != nil {
				return err
			}
			count := max(1, int(*share*float64(len(ids))))
			for i := range count {
				if err := changeEntry(ctx, tx, ids[(2*i+1)*len(ids)/(2*count)], kinds[i%len(kinds)]); err != nil {
					return err
				}
			}
			return nil
		})
	}
}

func changeEntry(ctx context.Context, tx catalog.Tx, id string, change change) error {
	list, err := tx.Entries().Get(ctx, id)
	if err != nil {
		return err
	}
	e := &list[0]
	e.UpdatedAt = e.UpdatedAt.Add(time.Second)
	told, err := change(e)
	if err != nil {
		return err
	}
	told.OccurredAt = e.UpdatedAt
	return tx.Entries().Put(ctx, catalog.Write{Entry: e, Events: []catalog.Event{told}})
}

// change makes another entry of one, and says what happened.
type change func(*catalog.Entry) (catalog.Event, error)

func edit(e *catalog.Entry) (catalog.Event, error) {
	from, to := e.Description, e.Description+" Changed."
	e.Description, e.ContentChangedAt = to, e.UpdatedAt
	return catalog.Event{Type: catalog.EventUpdated, Changes: []catalog.FieldChange{{Field: "description", From: quoted(from), To: quoted(to)}}}, nil
}

// add makes an entry of its own that says what this one says.
func add(e *catalog.Entry) (catalog.Event, error) {
	id := catalog.NewID(string(e.Type), e.ID)
	e.Name, e.Slug, e.UpstreamRef = e.Name+" "+id[len(id)-4:], e.Slug+"-"+id[len(id)-4:], ""
	e.ID, e.IdentityKey, e.MatchKey = id, e.IdentityKey+id, e.MatchKey+id
	e.FormerSlugs, e.UpstreamAliases, e.Identifiers, e.Revision = nil, nil, nil, 0
	return catalog.Event{Type: catalog.EventCreated}, nil
}

func remove(e *catalog.Entry) (catalog.Event, error) {
	told, err := e.Transition(catalog.Change{To: catalog.StatusRemoved, Reason: "gone", At: e.UpdatedAt})
	return catalog.Event{Type: told}, err
}

func quoted(s string) json.RawMessage {
	b, err := json.Marshal(s)
	if err != nil {
		panic(err) // text is JSON
	}
	return b
}
