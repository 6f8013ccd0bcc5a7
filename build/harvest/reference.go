package harvest

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/assay-register/assay/build/reference"
	"github.com/assay-register/assay/render/catalog"
)

// InstitutionID is the id of the institution with a key of the reference
// tables, the same in every store.
func InstitutionID(key string) string { return catalog.NewID("institution", key) }

// SourceID is the id of the source with a stable key, the same in every store.
func SourceID(key string) string { return catalog.NewID("source", key) }

// LoadReference puts the institutions, licences and sources that ship with the
// product into the store. What is there already and says the same is not
// written; what is changed keeps its creation time. Records of other origin
// are left alone.
func LoadReference(ctx context.Context, st catalog.Store, now time.Time) error {
	institutions, err := shippedInstitutions(now)
	if err != nil {
		return err
	}
	licences, err := shippedLicences()
	if err != nil {
		return err
	}
	sources, err := ShippedSources()
	if err != nil {
		return err
	}
	err = st.Update(ctx, func(tx catalog.Tx) error {
		if err := putInstitutions(ctx, tx, institutions); err != nil {
			return err
		}
		if err := putLicences(ctx, tx, licences); err != nil {
			return err
		}
		return putSources(ctx, tx, sources, now)
	})
	if err != nil {
		return fmt.Errorf("load reference tables: %w", err)
	}
	return nil
}

func shippedInstitutions(now time.Time) ([]catalog.Institution, error) {
	rows, err := reference.Institutions()
	if err != nil {
		return nil, fmt.Errorf("read institutions: %w", err)
	}
	aliases, err := reference.Aliases()
	if err != nil {
		return nil, fmt.Errorf("read aliases of institutions: %w", err)
	}
	identifiers, err := reference.Identifiers()
	if err != nil {
		return nil, fmt.Errorf("read identifiers of institutions: %w", err)
	}
	list := make([]catalog.Institution, len(rows))
	for i, r := range rows {
		list[i] = catalog.Institution{
			State: catalog.InstitutionKnown, Names: namesOf(r.Name, r.Lang, r.NameEn), Aliases: aliases[r.Key], Identifiers: identifiers[r.Key],
			ID: InstitutionID(r.Key), Key: r.Key, Name: r.Name, NameEn: r.NameEn, NativeLang: r.Lang,
			CountryCode: r.CountryCode, Type: catalog.InstitutionType(r.Type), HomepageURL: r.Homepage,
			OfficialDomains: r.OfficialDomains, GithubOrgs: r.GithubOrgs, Source: r.Source, CreatedAt: now, UpdatedAt: now,
		}
	}
	return list, nil
}

// namesOf are the names of an institution by language.
func namesOf(name, lang, english string) catalog.Texts {
	names := catalog.Texts{}
	if english != "" {
		names["en"] = english
	}
	if lang != "" {
		names[lang] = name
	}
	return names
}

func shippedLicences() ([]catalog.Licence, error) {
	rows, err := reference.Licences()
	if err != nil {
		return nil, fmt.Errorf("read licences: %w", err)
	}
	list := make([]catalog.Licence, len(rows))
	for i, r := range rows {
		list[i] = catalog.Licence{
			ID: r.ID, Title: r.Title, URL: r.URL, EUURI: r.EUURI, Jurisdiction: r.Jurisdiction,
			CommercialUse: catalog.Right(r.CommercialUse), Redistribution: catalog.Right(r.Redistribution),
			Modification: catalog.Right(r.Modification), AttributionRequired: catalog.Right(r.AttributionRequired),
			ShareAlike: catalog.Right(r.ShareAlike), Open: catalog.Right(r.Open), Aliases: r.Aliases, Note: r.Note, Source: r.Source,
		}
	}
	return list, nil
}

// licenceIndex finds the licences of the store.
func licenceIndex(list []catalog.Licence) *reference.LicenceIndex {
	rows := make([]reference.Licence, len(list))
	for i, l := range list {
		rows[i] = reference.Licence{ID: l.ID, Title: l.Title, URL: l.URL, EUURI: l.EUURI, Aliases: l.Aliases}
	}
	return reference.NewLicenceIndex(rows)
}

// domains finds the owners of hosts among the institutions of the store.
func domains(list []catalog.Institution) (*reference.Domains, error) {
	suffixes, err := reference.Suffixes()
	if err != nil {
		return nil, fmt.Errorf("read government suffixes: %w", err)
	}
	rows, heirs := make([]reference.Institution, 0, len(list)), catalog.Heirs(list)
	for i := range list {
		if inst := &list[i]; heirs[inst.ID] == nil {
			rows = append(rows, reference.Institution{Key: inst.Key, OfficialDomains: inst.OfficialDomains})
		}
	}
	return reference.NewDomains(rows, suffixes), nil
}

func putInstitutions(ctx context.Context, tx catalog.Tx, list []catalog.Institution) error {
	stored, err := tx.Institutions().All(ctx)
	if err != nil {
		return err
	}
	known := map[string]catalog.Institution{}
	for _, inst := range stored {
		known[inst.ID] = inst
	}
	var changed []catalog.Institution
	for _, inst := range list {
		old, ok := known[inst.ID]
		if ok && old.Managed {
			continue
		}
		if ok {
			inst.CreatedAt = old.CreatedAt
			same := inst
			same.UpdatedAt = old.UpdatedAt
			if equal(same, old) {
				continue
			}
		}
		changed = append(changed, inst)
	}
	if len(changed) == 0 {
		return nil
	}
	return tx.Institutions().Put(ctx, changed...)
}

func putLicences(ctx context.Context, tx catalog.Tx, list []catalog.Licence) error {
	stored, err := tx.Licences().All(ctx)
	if err != nil {
		return err
	}
	known := map[string]catalog.Licence{}
	for _, l := range stored {
		known[l.ID] = l
	}
	var changed []catalog.Licence
	for _, l := range list {
		if old, ok := known[l.ID]; !ok || !equal(l, old) {
			changed = append(changed, l)
		}
	}
	if len(changed) == 0 {
		return nil
	}
	return tx.Licences().Put(ctx, changed...)
}

// equal compares two records as a store keeps them: an empty list is none.
func equal(a, b any) bool {
	x, errX := json.Marshal(a)
	y, errY := json.Marshal(b)
	return errX == nil && errY == nil && string(x) == string(y)
}
