package survey

import (
	"context"
	"crypto/sha256"
	"errors"
	"net/http"
	"time"

	"github.com/assay-register/assay/build/contract"
	"github.com/assay-register/assay/build/profile"
	"github.com/assay-register/assay/build/verify"
	"github.com/assay-register/assay/render/catalog"
)

// Results of a look, beside verify.SurveyFailed and the severities of changes.
const (
	// First is the first profile of an entry, Unchanged a later one of the same
	// schema.
	First     = "first"
	Unchanged = "unchanged"
	// Unsupported is a source whose data cannot be profiled, Nothing one that
	// offers nothing to look at.
	Unsupported = "unsupported"
	Nothing     = "nothing"
	// Server is an MCP server whose own words were taken over.
	Server = "server"
)

// Surveyor looks at sources and stores what it finds. It implements
// verify.Surveyor.
type Surveyor struct {
	Store catalog.Store
	// Run is the id of the run that the looks belong to.
	Run string
	// Clock tells the time; nil is the real one.
	Clock func() time.Time
	// Report is told why a look failed or could not be stored; it may be nil.
	Report func(entryID string, err error)
}

// errGone is an entry that left while it was looked at.
var errGone = errors.New("the entry is no longer active")

func (s *Surveyor) now() time.Time {
	if s.Clock == nil {
		return time.Now().UTC()
	}
	return s.Clock().UTC()
}

// Survey implements verify.Surveyor.
func (s *Surveyor) Survey(ctx context.Context, client *http.Client, entryID string, o *verify.Outcome) string {
	var e *catalog.Entry
	before := ""
	err := s.Store.View(ctx, func(tx catalog.Tx) (err error) {
		if e, err = entry(ctx, tx, entryID); err != nil {
			return err
		}
		p, err := tx.Profiles().Get(ctx, entryID)
		if err == nil {
			before = p.Source
		}
		return ignored(err)
	})
	var f *findings
	if err == nil {
		f, err = look(ctx, client, e, o, before)
	}
	result := Nothing
	if err == nil && f != nil {
		result, err = s.store(ctx, entryID, f)
	}
	if err != nil && !errors.Is(err, errGone) {
		if s.Report != nil {
			s.Report(entryID, err)
		}
		return verify.SurveyFailed
	}
	return result
}

// ignored takes what is not there for no error.
func ignored(err error) error {
	if errors.Is(err, catalog.ErrNotFound) {
		return nil
	}
	return err
}

func entry(ctx context.Context, tx catalog.Tx, id string) (*catalog.Entry, error) {
	found, err := tx.Entries().Get(ctx, id)
	if err != nil {
		return nil, err
	}
	if len(found) == 0 || found[0].Status != catalog.StatusActive || found[0].MergedIntoID != "" {
		return nil, errGone
	}
	return &found[0], nil
}

// findings are what a look found; nil members were not looked for.
type findings struct {
	// profile is that of the sample; failure says why there is none.
	profile *catalog.Profile
	failure string
	api     *profile.Description
	server  *verify.Server
	// contract is what clients of the source depend on, nil where that cannot be
	// told.
	contract *contract.Contract
	// sampled tells that the profile is of a sample of data, which has a contract, too.
	sampled bool
	// source is the address that was read, sum and bytes are the hash and the
	// size of what was sampled there, zero for nothing.
	source string
	sum    [sha256.Size]byte
	bytes  int
	// at is when the source answered.
	at time.Time
}

// look reads what is worth reading of an entry; nil is nothing. before is the address that was
// read last.
func look(ctx context.Context, client *http.Client, e *catalog.Entry, o *verify.Outcome, before string) (*findings, error) {
	switch e.Type {
	case catalog.TypeMCPServer:
		if o.Server == nil {
			return nil, nil
		}
		f := &findings{server: o.Server, source: o.Check.URL, at: o.Check.At}
		if o.Server.HasTools && !o.Server.More { // the first of several pages says nothing of what is gone
			f.contract, _ = contract.FromTools(cleaned(o.Server.Tools)) // a server without tools has none
		}
		return f, nil
	case catalog.TypeDataset:
		return lookAtData(ctx, client, e, before)
	}
	switch {
	case e.API == nil:
		return nil, nil
	case e.API.OpenAPIURL == "":
		return lookAtService(ctx, client, e.API)
	}
	return lookAtDocument(ctx, client, e)
}
