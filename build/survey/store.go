package survey

import (
	"context"
	"encoding/json"
	"errors"
	"time"

	"github.com/assay-register/assay/build/profile/personal"
	"github.com/assay-register/assay/build/profile/table"
	"github.com/assay-register/assay/build/verify"
	"github.com/assay-register/assay/render/catalog"
)

// maxChanges bounds the changes that an event lists, maxMessage a message.
const maxChanges, maxMessage = 100, 300

// store writes what was found, with its events, in one transaction.
func (s *Surveyor) store(ctx context.Context, entryID string, f *findings) (result string, err error) {
	now := s.now()
	err = s.Store.Update(ctx, func(tx catalog.Tx) error {
		e, err := entry(ctx, tx, entryID)
		if err != nil {
			return err
		}
		c, err := verify.NewChange(ctx, tx, e, now)
		if err != nil {
			return err
		}
		w := &change{c}
		var old *catalog.Profile
		result = Unchanged
		switch {
		case f.server != nil:
			w.takeServer(f)
			result = Server
		case f.profile != nil || f.failure != "":
			if old, result, err = s.storeProfile(ctx, tx, w, f); err != nil {
				return err
			}
		}
		told := result
		if result, err = w.keepContract(ctx, tx, f, old, result); err != nil {
			return err
		}
		if err = w.keep(ctx, tx, f, told == First || result != told); err != nil {
			return err
		}
		if f.api != nil {
			w.takeAPI(f)
		}
		return w.Put(ctx, tx)
	})
	return result, err
}

// storeProfile stores the new profile, or counts the failure, and gives the one before.
func (s *Surveyor) storeProfile(ctx context.Context, tx catalog.Tx, w *change, f *findings) (old *catalog.Profile, result string, err error) {
	old, err = tx.Profiles().Get(ctx, w.Entry.ID)
	if errors.Is(err, catalog.ErrNotFound) {
		old, err = nil, nil
	}
	if err != nil {
		return nil, "", err
	}
	next, result := after(old, f, w.At)
	s.complete(next, old, w.Entry, w.At)
	if result == Unchanged && (old == nil || len(old.Fields) == 0) {
		result = First
		w.Event(catalog.EventUpdated, counts(nil, next), nil)
	}
	return old, result, tx.Profiles().Put(ctx, *next)
}

// schemaChange is the data of entry.schema_changed.
type schemaChange struct {
	ProfileSource string `json:"profile_source"`
	drift
	// Contract names the versions between which it changed.
	Contract *contractChange `json:"contract"`
}

// counts tells the number of fields before and after.
func counts(old, next *catalog.Profile) []catalog.FieldChange {
	from := json.RawMessage("null")
	if old != nil {
		from = verify.Encoded(len(old.Fields))
	}
	return []catalog.FieldChange{{Field: "data_profile.field_count", From: from, To: verify.Encoded(len(next.Fields))}}
}

// after is the profile that follows: a good sample replaces the old one; what
// failed is counted beside what is known.
func after(old *catalog.Profile, f *findings, now time.Time) (*catalog.Profile, string) {
	p, failure := f.profile, f.failure
	if p != nil && p.Status == catalog.ProfileOK {
		next := *p
		next.ProfiledAt = now
		return &next, Unchanged
	}
	result := verify.SurveyFailed
	if p != nil {
		failure = p.ErrorMessage
		if p.Status == catalog.ProfileUnsupported {
			result = Unsupported
		}
	}
	failure = personal.Redact(table.Clip(failure, maxMessage))
	if old != nil && old.Status == catalog.ProfileOK {
		next := *old
		next.FailureCount++
		next.LastErrorAt, next.LastErrorMessage = now, failure
		return &next, result
	}
	next := catalog.Profile{Source: f.source, Kind: "unknown", Status: catalog.ProfileError}
	if p != nil {
		next = *p
	}
	next.ErrorMessage, next.LastErrorMessage, next.LastErrorAt = failure, failure, now
	if next.Status == catalog.ProfileError {
		next.FailureCount = 1
		if old != nil {
			next.FailureCount += old.FailureCount
		}
	}
	return &next, result
}

// complete sets what a sample does not know.
func (s *Surveyor) complete(next, old *catalog.Profile, e *catalog.Entry, now time.Time) {
	next.ID, next.EntryID, next.UpdatedAt, next.CreatedAt = catalog.NewID("profile", e.ID), e.ID, now, now
	if old != nil {
		next.CreatedAt = old.CreatedAt
	}
	next.RunID = s.Run
	if e.NativeLang == "en" {
		for i := range next.Fields {
			next.Fields[i].DescriptionEn = next.Fields[i].Description
		}
	}
	next.LicenseID, next.LicenseRaw = e.LicenseID, e.LicenseRaw
	if e.Type == catalog.TypeDataset {
		next.DatasetID = catalog.NewID("dataset_details", e.ID)
	}
}
