package harvest_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/assay-register/assay/build/harvest"
	"github.com/assay-register/assay/build/harvest/source"
	"github.com/assay-register/assay/build/harvest/source/feedtest"
	"github.com/assay-register/assay/build/harvest/sourcetest"
	"github.com/assay-register/assay/render/catalog"
)

// TestSourcesSayHowMany: what a source states to have in all is told to the run,
// of several lists together.
func TestSourcesSayHowMany(t *testing.T) {
	t.Parallel()
	for kind, c := range map[string]struct {
		answer func(url string) string
		want   int
	}{
		"csw": {func(url string) string {
			return `<csw:GetRecordsResponse xmlns:csw="http://www.opengis.net/cat/csw/2.0.2"><csw:SearchResults numberOfRecordsMatched="31" nextRecord="0"/></csw:GetRecordsResponse>`
		}, 31},
		"oai-pmh": {func(url string) string {
			if strings.Contains(url, "ListMetadataFormats") {
				return `<OAI-PMH xmlns="http://www.openarchives.org/OAI/2.0/"><ListMetadataFormats/></OAI-PMH>`
			}
			return `<OAI-PMH xmlns="http://www.openarchives.org/OAI/2.0/"><ListRecords><resumptionToken completeListSize="17" cursor="0"/></ListRecords></OAI-PMH>`
		}, 17},
		"ogc-records": {func(url string) string {
			if strings.Contains(url, "/items") {
				return `{"type":"FeatureCollection","numberMatched":4,"features":[{"id":"a","properties":{"title":"A"}}],"links":[]}`
			}
			return `{"collections":[{"id":"a","itemType":"record"},{"id":"b","itemType":"record"}]}`
		}, 8},
		"iso": {func(url string) string {
			if strings.HasSuffix(url, ".xml") {
				return "<none/>"
			}
			return `<html><a href="1.xml">1</a> <a href="2.xml">2</a></html>`
		}, 2},
	} {
		t.Run(kind, func(t *testing.T) {
			t.Parallel()
			s, got := &feedtest.Site{Answer: c.answer}, 0
			in := s.Input("https://geo.example.gov/collections/", nil)
			in.Expect = func(records int) { got = records }
			sourcetest.Run(t, harvest.Connectors()[kind], in)
			if got != c.want {
				t.Errorf("it expects %d records, want %d; asked %q", got, c.want, s.Asked)
			}
		})
	}
}

// promising states records and gives none.
type promising struct{}

func (promising) Run(_ context.Context, in source.Input, _ func(source.Draft) error, _ func(source.Rejection) error) error {
	in.Expects(7)
	return nil
}

// A source that says how many records it has and gives none has failed, also when
// it was asked only for what changed.
func TestPromisedRecordsMustCome(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	s := w.official
	s.Incremental = true
	w.run(s, harvest.Options{Complete: true}, services(3)...)
	r, err := w.try(s, harvest.Options{Complete: true}, promising{})
	if r.State != catalog.RunFailed || !errors.Is(err, harvest.ErrFruitless) || !strings.Contains(err.Error(), "states that it has 7 records and gave none; ask again later") {
		t.Errorf("state %s: %v", r.State, err)
	}
	if r, err := w.try(s, harvest.Options{Complete: true, Confirmed: true}, promising{}); err != nil {
		t.Errorf("a person said so: state %s: %v", r.State, err)
	}
}
