package pages

import (
	"cmp"
	"slices"

	"github.com/assay-register/assay/render/catalog"
	"github.com/assay-register/assay/templates/entry"
)

// Bounds of what a page shows of contracts: versions, and changes of each.
const contractsShown, contractChangesShown = 10, 30

// contract is what clients of the entry depend on, the latest version first; nil where
// that was never read.
func (v *view) contract() *entry.Contract {
	list := slices.Clone(v.Row.Contracts)
	if len(list) == 0 {
		return nil
	}
	slices.SortFunc(list, func(a, b catalog.ContractVersion) int { return cmp.Compare(b.Version, a.Version) })
	c := &entry.Contract{Kind: list[0].Kind, Left: max(0, len(list)-v.most(contractsShown))}
	for i := range list[:len(list)-c.Left] {
		x := &list[i]
		w := entry.ContractVersion{Number: x.Version, At: x.At, Severity: x.Severity, Evidence: x.SHA256}
		for _, change := range x.Changes[:min(len(x.Changes), v.most(contractChangesShown))] {
			w.Changes = append(w.Changes, entry.ContractChange{Breaks: change.Severity == "breaking", Rule: change.Kind, Field: clip(change.Field, 120), From: clip(change.From, 120), To: clip(change.To, 120), Text: clip(change.Text, 300)})
		}
		w.Left = len(x.Changes) - len(w.Changes)
		c.Versions = append(c.Versions, w)
	}
	return c
}

// announced are the dates of the end that the source itself announces.
func (v *view) announced() *entry.Announced {
	e := v.e
	if e.Status != catalog.StatusActive || e.DeprecationAt.IsZero() && e.SunsetAt.IsZero() {
		return nil
	}
	return &entry.Announced{Deprecation: e.DeprecationAt, Sunset: e.SunsetAt}
}
