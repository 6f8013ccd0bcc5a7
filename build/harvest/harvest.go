// Package harvest brings what catalogues publish into the register: it lists
// the connectors, runs them, recognises known entries, admits new ones by the
// rules of officialness, merges duplicates and records where every field comes
// from.
package harvest

import (
	"cmp"
	"log/slog"
	"slices"
	"time"

	"github.com/assay-register/assay/build/harvest/apigouvfr"
	"github.com/assay-register/assay/build/harvest/apisguru"
	"github.com/assay-register/assay/build/harvest/arcgis"
	"github.com/assay-register/assay/build/harvest/ckan"
	"github.com/assay-register/assay/build/harvest/csw"
	"github.com/assay-register/assay/build/harvest/datajson"
	"github.com/assay-register/assay/build/harvest/dcatap"
	"github.com/assay-register/assay/build/harvest/fetch"
	"github.com/assay-register/assay/build/harvest/iso"
	"github.com/assay-register/assay/build/harvest/ldes"
	"github.com/assay-register/assay/build/harvest/mcpregistry"
	"github.com/assay-register/assay/build/harvest/oaipmh"
	"github.com/assay-register/assay/build/harvest/ods"
	"github.com/assay-register/assay/build/harvest/ogc"
	"github.com/assay-register/assay/build/harvest/ogcrecords"
	"github.com/assay-register/assay/build/harvest/openapidoc"
	"github.com/assay-register/assay/build/harvest/socrata"
	"github.com/assay-register/assay/build/harvest/source"
	"github.com/assay-register/assay/build/harvest/table"
	"github.com/assay-register/assay/build/harvest/udata"
	"github.com/assay-register/assay/build/harvest/ukapicatalogue"
	"github.com/assay-register/assay/render/catalog"
)

// Connectors lists the connectors by the word that `assay harvest --kind`
// takes. A new one is a line here.
func Connectors() map[string]source.Connector {
	return map[string]source.Connector{
		apigouvfr.Kind:       apigouvfr.Connector{},
		apisguru.Kind:        apisguru.Connector{},
		arcgis.Kind:          arcgis.Connector{DCATUS: datajson.Connector{}},
		ckan.Kind:            ckan.Connector{},
		csw.Kind:             csw.Connector{},
		datajson.Kind:        datajson.Connector{},
		dcatap.Kind:          dcatap.Connector{},
		iso.Kind:             iso.Connector{},
		ldes.Kind:            ldes.Connector{RDF: dcatap.Connector{}},
		mcpregistry.Kind:     mcpregistry.Connector{},
		mcpregistry.KindFile: mcpregistry.Connector{},
		oaipmh.Kind:          oaipmh.Connector{RDF: dcatap.Connector{}},
		ods.Kind:             ods.Connector{},
		ogc.Kind:             ogc.Connector{},
		ogcrecords.Kind:      ogcrecords.Connector{},
		openapidoc.Kind:      openapidoc.Connector{},
		socrata.Kind:         socrata.Connector{},
		table.KindCSV:        table.CSV{},
		table.KindNDJSON:     table.NDJSON{},
		udata.Kind:           udata.Connector{},
		ukapicatalogue.Kind:  ukapicatalogue.Connector{},
	}
}

// Kinds lists the kinds of sources, sorted.
func Kinds() []string {
	var kinds []string
	for kind := range Connectors() {
		kinds = append(kinds, kind)
	}
	slices.Sort(kinds)
	return kinds
}

// Options steer a run.
type Options struct {
	// Now is the time of the harvest.
	Now time.Time
	// Batch is how many records one transaction takes; 0 is 500.
	Batch int
	// Institution is the key or id of the institution to which a record
	// belongs whose publisher is not known.
	Institution string
	// Country is the country of a record that names none, ISO 3166-1 alpha-2.
	Country string
	// Blocklist are hosts of which nothing is taken, nor of hosts below them.
	Blocklist []string
	// PublishWindow is the window from which the delay of publication is
	// drawn; 0 publishes at once.
	PublishWindow time.Duration
	// Thresholds decide what enters; zero are the default ones.
	Thresholds catalog.Thresholds
	// Complete says that the input lists everything the source has, so that
	// entries it does not list count as missing.
	Complete bool
	// Confirmed accepts a listing that is empty or has shrunk.
	Confirmed bool
	// Due says that the source was chosen for being due: it is left alone with
	// ErrHarvested when another process has harvested it meanwhile.
	Due bool
	// Restart begins anew where an earlier run broke off, and asks for
	// everything whether or not the source says that it has not changed.
	Restart bool
	// Fetcher gets the pages of a live source, one that has an address but
	// neither file nor folder.
	Fetcher *fetch.Fetcher
	// Clock tells when a run is stored; nil stands still at Now.
	Clock func() time.Time
	// Progress is told how far the run is; it may be called by two goroutines.
	Progress func(Progress)
	// Rejected is told of every rejection of a run, of which the report keeps the
	// first only, in their order; of a run that broke off, those behind the last
	// place that counts too. Runs of several sources may tell at the same time.
	Rejected func(s *catalog.Source, x source.Rejection)
	// Worker is the process that runs it, for those who ask who does.
	Worker string
	// Lease is how long a run is held without a sign of life; 0 is a minute.
	Lease time.Duration
	// MaxRecords is how many records a source may list, good and bad, MaxTime how
	// long it may take; 0 is the default, a negative value no bound.
	MaxRecords int
	MaxTime    time.Duration
	// KeepRaw is how long records stay that others took the place of, as sources published
	// them; 0 is a year, a negative value keeps no records.
	KeepRaw time.Duration
	// Log gets one line at the end of a run; nil for none.
	Log *slog.Logger
}

func (o Options) orDefault() Options {
	if o.Batch <= 0 {
		o.Batch = defaultBatch
	}
	if o.Thresholds == (catalog.Thresholds{}) {
		o.Thresholds = catalog.DefaultThresholds()
	}
	if o.Lease <= 0 {
		o.Lease = defaultLease
	}
	o.MaxRecords, o.MaxTime = cmp.Or(o.MaxRecords, DefaultMaxRecords), cmp.Or(o.MaxTime, DefaultMaxTime)
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	if o.Rejected == nil {
		o.Rejected = func(*catalog.Source, source.Rejection) {}
	}
	if o.KeepRaw == 0 {
		o.KeepRaw = DefaultKeepRaw
	}
	if o.Clock == nil {
		o.Clock = func() time.Time { return o.Now }
	}
	return o
}

// The rejections that the run itself makes.
const (
	// CodeNotOfficial is a record whose officialness is not proved enough.
	CodeNotOfficial source.Code = "not_official"
	// CodeBlocklisted is a record on a blocklisted domain.
	CodeBlocklisted source.Code = "blocklisted"
	// CodeStoreRefused is a record that the store would not take.
	CodeStoreRefused source.Code = "store_refused"
	// CodeRepeated is a record with the identity of another one of the run.
	CodeRepeated source.Code = "repeated"
)
