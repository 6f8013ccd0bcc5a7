package dcat

import (
	"github.com/assay-register/assay/render/catalog"
	"github.com/assay-register/assay/render/snapshot"
)

// refSeries is a reference to a series by its id.
const refSeries = "series"

// writeSeries puts the datasets of a range into their series (DCAT 3, section 11;
// DCAT-AP 3.0.1, Dataset Series), which the tail declares. Which member comes before
// which is not said: the documents of single entries could not.
func (d *document) writeSeries(w writer, tail *tail) {
	for _, i := range d.within(d.from, d.to) {
		l := &d.catalog.Lines[i]
		s := d.catalog.SeriesOf(int(i))
		if s == nil || l.Type != catalog.TypeDataset {
			continue
		}
		g := newGraph()
		g.node(entryIRI(l.ID)).link(dcatInSeries, seriesIRI(d.catalog, s))
		g.ref(refSeries, s.ID)
		tail.adopt(g)
		g.write(w)
		g.release()
	}
	w.rest()
}

// seriesIRI names a series: the entry that stands for it, where the documents have
// that, else its page.
func seriesIRI(c *snapshot.Catalog, s *snapshot.Series) iri {
	if i := c.ByID(s.EntryID); s.EntryID != "" && i >= 0 && kept(c, i) {
		return entryIRI(s.EntryID)
	}
	return own("/series/" + s.ID)
}

func (g *graph) declareSeries(c *snapshot.Catalog, s *snapshot.Series) {
	if s == nil {
		return
	}
	n := g.node(seriesIRI(c, s), classSeries)
	n.add(dctTitle, inLanguage(cleanText(s.Title), langTag(s.Lang)))
	if s.Stated {
		n.add(dctDescription, tagged("Datasets that their publisher puts into one series", "en"))
		return
	}
	n.add(dctDescription, tagged("Datasets of one publisher whose titles differ only by what they cover", "en"))
	if body := c.Lines[s.Members[0]].InstitutionID; c.Institutions[body] != nil {
		n.link(dctPublisher, institutionIRI(body))
	}
}
