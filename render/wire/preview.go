package wire

import (
	"github.com/assay-register/assay/render/catalog"
	"github.com/assay-register/assay/render/snapshot"
)

// Preview is the answer of preview: some rows of an entry's data, if they may
// be shown, where they come from, and what the words for that mean.
type Preview struct {
	EntryID     string `json:"entry_id"`
	Previewable bool   `json:"previewable"`
	// Reason is why there are no rows, null when there are.
	Reason       *string        `json:"reason"`
	SourceURL    *string        `json:"source_url"`
	Kind         *string        `json:"profile_kind"`
	ProfiledAt   *string        `json:"profiled_at"`
	Fields       []PreviewField `json:"fields"`
	Records      []any          `json:"records"`
	RecordCount  *int64         `json:"record_count"`
	Estimated    bool           `json:"record_count_estimated"`
	PersonalData *PersonalData  `json:"personal_data"`
	Provenance   []PreviewBasis `json:"provenance"`
	Vocabulary   []BasisMeaning `json:"basis_vocabulary"`
}

// PreviewField is one column. Personal is the class of personal data for which
// its values are masked or withheld, null for none.
type PreviewField struct {
	Name     string  `json:"name"`
	Type     string  `json:"type"`
	Label    *string `json:"label"`
	Concept  *string `json:"concept"`
	Personal *string `json:"personal"`
}

// PreviewBasis says where a member of a preview comes from.
type PreviewBasis struct {
	Member    string        `json:"member"`
	Basis     catalog.Basis `json:"basis"`
	Transform string        `json:"transform"`
}

// BasisMeaning is one word of the provenance vocabulary (decisions §3).
type BasisMeaning struct {
	Basis   catalog.Basis `json:"basis"`
	Meaning string        `json:"meaning"`
}

var basisMeanings = []BasisMeaning{
	{catalog.BasisPublisher, "The publisher states it."},
	{catalog.BasisInherited, "The catalogue that lists the source states it."},
	{catalog.BasisObserved, "The register saw it when it asked the source."},
	{catalog.BasisComputed, "The register computed it from other values."},
	{catalog.BasisCurator, "A curator of the register set it, with a reason."},
	{catalog.BasisTranslated, "A machine translated it."},
	{catalog.BasisNotDelivered, "Nobody delivered it."},
}

// NewPreview shows the sampled rows of an entry, or says why it does not.
func NewPreview(s *snapshot.Scored) Preview {
	p := s.Row.Profile
	out := Preview{EntryID: s.Entry().ID, Fields: []PreviewField{}, Records: []any{}, Vocabulary: basisMeanings}
	var reason string
	out.Previewable, reason = p.Preview(redistribution(s))
	out.Reason = null(reason)
	if p == nil {
		out.Provenance = previewProvenance(catalog.BasisNotDelivered, catalog.BasisNotDelivered, out.Previewable, "no sample was taken")
		return out
	}
	personal := newPersonal(&p.PersonalData)
	out.SourceURL, out.Kind, out.ProfiledAt, out.PersonalData = null(p.Source), null(p.Kind), stamp(p.ProfiledAt), &personal
	out.RecordCount, out.Estimated = p.RecordCount, p.CountEstimated
	for _, f := range p.Fields {
		out.Fields = append(out.Fields, PreviewField{f.Name, f.Type, null(f.Label), null(f.Concept), null(f.Personal)})
	}
	if out.Previewable {
		for _, r := range p.SampleRecords {
			out.Records = append(out.Records, decoded(r))
		}
	}
	count := catalog.BasisObserved
	switch {
	case p.RecordCount == nil:
		count = catalog.BasisNotDelivered
	case p.CountEstimated:
		count = catalog.BasisComputed
	}
	out.Provenance = previewProvenance(catalog.BasisObserved, count, out.Previewable, reason)
	return out
}

// previewProvenance says of each part of a preview where it comes from.
func previewProvenance(fields, count catalog.Basis, shown bool, reason string) []PreviewBasis {
	records := PreviewBasis{"records", catalog.BasisObserved, "the first rows of the sample; values that can identify a person were masked before they were stored"}
	if !shown {
		records = PreviewBasis{"records", catalog.BasisNotDelivered, reason}
	}
	return []PreviewBasis{
		records,
		{"fields", fields, "names as the source has them, types and concepts from the sampled values"},
		{"record_count", count, "counted to the end of the data, or extrapolated from the sample where record_count_estimated says so"},
	}
}
