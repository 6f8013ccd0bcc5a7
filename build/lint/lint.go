// Package lint looks for what must be mended in a catalogue that is in no register:
// it reads the documents themselves for what is wrong with a value or a file, and
// then lets the connectors of the harvest read them as a register would, for the
// records that would be refused and the members that nobody filled in. It has more
// files than other packages because each syntax and each kind of value has one of
// its own.
package lint

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/assay-register/assay/build/harvest/dcatap"
	"github.com/assay-register/assay/build/harvest/source"
	"github.com/assay-register/assay/build/reference"
	"github.com/assay-register/assay/render/catalog"
	"github.com/assay-register/assay/render/lint"
)

// Options say what is read, and how.
type Options struct {
	// Input is the file, folder or live source.
	Input source.Input
	// Kind is that of the connector; empty is told by the content, where a folder
	// or a live source needs it. KindNone reads the documents alone.
	Kind string
	// Connectors are those that may be used.
	Connectors map[string]source.Connector
	// Found takes the findings in the order in which they are made.
	Found func(f *lint.Finding) error
}

// capturedPortal stands for the portal of a file that does not say which it is of:
// some protocols make the address of a record's page of it.
const capturedPortal = "https://portal.example.org/"

// KindNone is the kind of an input that no connector reads: JSON, YAML, CSV or XML
// of any sort.
const KindNone = "none"

// linter is a run under way.
type linter struct {
	o    Options
	kind string
	// documents were looked at, records found in them, known by connectors.
	documents, records, drafts int
	sum                        lint.Summary
	// once are the findings that stand for many of a document, by rule.
	once map[string]*lint.Finding
	// places are where the records of a document lie, by document.
	places   map[string]*places
	licences *reference.LicenceIndex
	terms    map[string]*catalog.Licence
	all      census
	dates    dateTypes
	// mapped is the record of RDF whose draft or rejection comes next, and mappedFiles its distributions.
	mapped      *described
	mappedFiles []described
	// around are the members of the record that is looked at.
	around []member
	// told are the places at which a broken syntax was told.
	told map[string]bool
	// unread are the documents of which it was told why nothing is read.
	unread map[string]bool
	// bare are the records, by document and pointer, that are no objects: nothing can be put into them.
	bare map[string]bool
	// voids counts the records that hold nothing at all.
	voids int
	err   error
}

// Run looks through an input. The error is of the input or of Found; what is wrong
// with the catalogue is findings.
func Run(ctx context.Context, o Options) (lint.Summary, error) {
	l := &linter{o: o, kind: o.Kind, once: map[string]*lint.Finding{}, places: map[string]*places{}, told: map[string]bool{}, unread: map[string]bool{}, bare: map[string]bool{}, all: newCensus()}
	if l.o.Input.Now.IsZero() {
		l.o.Input.Now = time.Unix(0, 0).UTC()
	}
	if err := l.load(); err != nil {
		return l.sum, err
	}
	if err := l.run(ctx); err != nil {
		return l.sum, err
	}
	l.nothing()
	l.close()
	if l.sum.Rules == nil {
		l.sum.Rules = map[string]int{}
	}
	l.sum.Records = max(l.records, l.drafts)
	return l.sum, l.err
}

// load reads the licences.
func (l *linter) load() error {
	list, err := reference.Licences()
	if err != nil {
		return fmt.Errorf("licences: %w", err)
	}
	l.licences, l.terms = reference.NewLicenceIndex(list), map[string]*catalog.Licence{}
	for _, x := range list {
		l.terms[x.ID] = &catalog.Licence{ID: x.ID, Title: x.Title, URL: x.URL, CommercialUse: catalog.Right(x.CommercialUse), Redistribution: catalog.Right(x.Redistribution),
			AttributionRequired: catalog.Right(x.AttributionRequired), ShareAlike: catalog.Right(x.ShareAlike), Open: catalog.Right(x.Open)}
	}
	return nil
}

func (l *linter) run(ctx context.Context) error {
	in := &l.o.Input
	if l.kind == "" {
		kind, err := detectInput(ctx, in)
		if err != nil {
			return err
		}
		l.kind = kind
	}
	connector := l.o.Connectors[l.kind]
	if connector == nil && l.kind != KindNone {
		return fmt.Errorf("--kind %q: no connector reads it", l.kind)
	}
	if in.Fetch != nil {
		in.Fetch = l.fetch(in.Fetch)
	} else if err := l.files(ctx); err != nil {
		return err
	}
	if connector == nil || l.err != nil {
		return l.err
	}
	if c, ok := connector.(dcatap.Connector); ok {
		c.Watch = &dcatap.Watch{Statement: l.statement, Node: l.node, Record: func(n described, files []described) { l.mapped, l.mappedFiles = &n, files }}
		connector = c
	}
	in.Source.Kind = l.kind
	if in.Fetch == nil && in.Source.URL == "" && l.kind != dcatap.Kind {
		in.Source.URL = capturedPortal
	}
	return connector.Run(ctx, *in, func(d source.Draft) error { l.draft(&d); return l.err }, func(bad source.Rejection) error { l.rejection(&bad); return l.err })
}

// add hands a finding on, or counts it where its rule is told once for a document.
func (l *linter) add(f lint.Finding) {
	if l.err != nil {
		return
	}
	if lint.Of(f.Rule).Once {
		key := f.Rule + " " + f.Record.Document
		if kept := l.once[key]; kept != nil {
			kept.Count++
			return
		}
		f.Count = 1
		l.once[key] = &f
		return
	}
	if slices.Contains(unreads, f.Rule) && l.unread != nil {
		l.unread[f.Record.Document] = true
	}
	l.sum.Add(&f)
	l.err = l.o.Found(&f)
}

// close tells what only the whole catalogue shows.
func (l *linter) close() {
	l.all.close(l)
	l.dates.close(l)
	for _, key := range sortedKeys(l.once) {
		f := l.once[key]
		l.sum.Add(f)
		if l.err == nil {
			l.err = l.o.Found(f)
		}
	}
}
