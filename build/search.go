package build

import (
	"context"
	"errors"
	"os"
	"sync"
	"time"

	"github.com/assay-register/assay/build/index"
	"github.com/assay-register/assay/render/catalog"
	"github.com/assay-register/assay/render/search"
	"github.com/assay-register/assay/render/search/segment"
	"github.com/assay-register/assay/render/snapshot"
)

// searchIndex makes the search index of the snapshot beside the other stages.
type searchIndex struct {
	*index.Index
	create    func(name string) (*os.File, error)
	analysers sync.Pool
	done      chan error
	// seconds is how long it took to write.
	seconds float64
}

func newSearchIndex(create func(name string) (*os.File, error)) *searchIndex {
	return &searchIndex{Index: index.New(create), create: create,
		analysers: sync.Pool{New: func() any { return &search.Analyser{} }}}
}

// analyse finds the words of a row; the workers of the first pass call it.
func (s *searchIndex) analyse(row *catalog.Row, inst *catalog.Institution) *search.Analysis {
	a := s.analysers.Get().(*search.Analyser)
	defer s.analysers.Put(a)
	d := search.Project(row, inst)
	return a.Analyse(&d)
}

func (s *searchIndex) add(a *search.Analysis) error { return s.Add(a) }

// begin writes the index while other stages run.
func (s *searchIndex) begin(c *snapshot.Catalog, clock func() time.Time) {
	s.done = make(chan error, 1)
	go func() { s.done <- s.write(c, clock) }()
}

func (s *searchIndex) write(c *snapshot.Catalog, clock func() time.Time) error {
	began := clock()
	defer func() { s.seconds = clock().Sub(began).Seconds() }()
	f, err := s.create(segment.File)
	if err != nil {
		return err
	}
	return errors.Join(s.Finish(f, c), f.Close())
}

// wait ends when the index lies among the unfinished files.
func (s *searchIndex) wait(context.Context) error {
	err := <-s.done
	s.done = nil
	return err
}

// close waits for an index that a failed build left under way and gives up its
// files.
func (s *searchIndex) close() {
	if s.done != nil {
		<-s.done //nolint:errcheck // the build has failed already
	}
	s.Index.Close() // the files are thrown away
}
