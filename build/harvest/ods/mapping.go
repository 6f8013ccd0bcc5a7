package ods

import (
	"net/url"
	"slices"

	"github.com/assay-register/assay/build/harvest/source"
	"github.com/assay-register/assay/render/catalog"
)

func (m *mapper) publisher(b *source.Builder, r *record) {
	who, path := string(r.Metas.Default.Publisher), "metas.default.publisher"
	if who == "" {
		who, path = string(r.Metas.DCAT.Creator), "metas.dcat.creator"
	}
	b.Publisher(path, who, "")
	b.ContactOf("metas.dcat.contact_email", string(r.Metas.DCAT.ContactName), "", string(r.Metas.DCAT.ContactEmail))
	b.Themes("metas.dcat.theme", r.Metas.DCAT.Theme...)
	b.HVD("metas.dcat_ap.hvd_category", append(slices.Clone([]string(r.Metas.DCATAP.HVD)), r.Metas.DCAT.HVD...)...)
}

// files lists attachments and the exports that the platform makes of a dataset
// with records.
func (m *mapper) files(b *source.Builder, r *record, id string) {
	var files []source.File
	records := r.HasRecords != nil && *r.HasRecords || r.HasRecords == nil && r.Metas.Default.RecordsCount > 0
	if records && m.api != "" {
		root := m.api + "/api/explore/v2.1/catalog/datasets/" + url.PathEscape(id) + "/exports/"
		kinds := []struct{ path, format, media string }{{"csv", "CSV", "text/csv"}, {"json", "JSON", "application/json"}}
		if slices.Contains(r.Features, "geo") {
			kinds = append(kinds, struct{ path, format, media string }{"geojson", "GEOJSON", "application/geo+json"})
		}
		for _, k := range kinds {
			files = append(files, source.File{Title: k.format, DownloadURL: root + k.path, Formats: []string{k.format}, MediaType: k.media})
		}
	}
	made := len(files)
	for _, list := range [][]attachment{r.Attachments, r.Exports} {
		for i := range list {
			a := &list[i]
			title := string(a.Title)
			if title == "" {
				title = string(a.ID)
			}
			f := source.File{Title: title, DownloadURL: string(a.URL), Formats: []string{string(a.MimeType)}, MediaType: string(a.MimeType)}
			if _, known := source.Format(string(a.ID)); known { // an id made of the name of the file
				f.Formats = append(f.Formats, string(a.ID))
			}
			files = append(files, f)
		}
	}
	b.Files(source.FilePaths{List: "attachments[]", URL: "attachments[].url", Format: "attachments[].mimetype"}, files)
	if made == 0 || made < len(files) {
		return
	}
	for i := range b.Draft.Rows {
		if f := b.Draft.Rows[i].Field; f == "dataset.distributions" || f == "formats" {
			b.Draft.Rows[i].Basis, b.Draft.Rows[i].UpstreamField = catalog.BasisComputed, "has_records"
			b.Draft.Rows[i].Transform = "the exports that the platform makes of every dataset"
		}
	}
}

func (m *mapper) times(b *source.Builder, r *record) {
	c, d := &r.Metas.DCAT, &r.Metas.Default
	issued, path := string(c.Issued), "metas.dcat.issued"
	if issued == "" {
		issued, path = string(c.Created), "metas.dcat.created"
	}
	b.Dates(path, issued, "metas.default.modified", string(d.Modified))
	if c.Periodicity == "" || !b.Frequency("metas.dcat.accrualperiodicity", string(c.Periodicity)) {
		b.Frequency("metas.default.update_frequency", string(d.UpdateFrequency))
	}
	period := string(c.Temporal)
	path = "metas.dcat.temporal"
	if c.TemporalStart != "" || c.TemporalEnd != "" {
		period, path = string(c.TemporalStart)+"/"+string(c.TemporalEnd), "metas.dcat.temporal_coverage_start"
	}
	details := b.Dataset()
	b.Period(&details.TemporalStart, &details.TemporalEnd, "dataset.temporal", path, period)
	if len(c.Spatial) > 0 {
		b.Spatial("metas.dcat.spatial", c.Spatial...)
		return
	}
	b.Spatial("metas.default.territory", d.Territory...)
}
