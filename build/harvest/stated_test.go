package harvest_test

import (
	"testing"
	"time"

	"github.com/assay-register/assay/build/harvest"
	"github.com/assay-register/assay/build/harvest/source"
	"github.com/assay-register/assay/render/catalog"
	"github.com/assay-register/assay/render/score"
)

func (w *world) institution(id string) *catalog.Institution {
	w.t.Helper()
	var found *catalog.Institution
	w.update(func(tx catalog.Tx) (err error) {
		found, err = tx.Institutions().Get(w.ctx, id)
		return err
	})
	return found
}

// publishedBy is a draft of a publisher.
func publishedBy(id, name string, agent *catalog.Agent) source.Draft {
	d := draft("h:k:"+id, "Dataset "+id, "https://elsewhere.example.com/"+id)
	d.PublisherKey, d.PublisherName, d.Entry.PublisherName, d.Entry.Publisher = "", name, name, agent
	return d
}

const townNumber = "https://org.belgif.be/id/CbeRegisteredEntity/0207500123"

// TestStatedPublishers: whoever is named has an institution, once, that proves
// nothing; a person has none.
func TestStatedPublishers(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	town := &catalog.Agent{IRI: townNumber, Names: catalog.Texts{"nl": "Havenstad", "fr": "Ville-Port"}, Type: "http://purl.org/adms/publishertype/LocalAuthority",
		HomepageURL: "https://havenstad.example/"}
	r := w.run(w.official, harvest.Options{Institution: "fr-meteo"},
		publishedBy("1", "Havenstad", town), publishedBy("2", "Ville-Port", &catalog.Agent{Names: catalog.Texts{"fr": "Ville-Port"}, IRI: "http://x.example/.well-known/genid/1"}),
		publishedBy("3", "Ville-Port", &catalog.Agent{IRI: "https://org.belgif.be/id/CbeRegisteredEntity/0207500124"}),
		publishedBy("4", "Jo Doe", &catalog.Agent{Person: true}), publishedBy("5", "Jo Roe", &catalog.Agent{Type: "PrivateIndividual(s)"}),
		publishedBy("6", "", nil), publishedBy("7", "data.example", &catalog.Agent{}), publishedBy("8", "registry.example", nil))
	rules := map[string]string{}
	for _, d := range r.Publishers {
		rules[d.Publisher+d.IRI] = d.Rule
	}
	if len(r.Publishers) != 8 || rules["Havenstad"+townNumber] != "stated" || rules["Ville-Port"] != "name" || rules[""] != "default" || rules["Jo Doe"] != "" {
		t.Errorf("decisions %+v", r.Publishers)
	}
	w.wantDecisions(w.official, r.Publishers)
	got := map[string]catalog.Entry{}
	for _, e := range w.entries() {
		got[e.Name] = e
	}
	first := got["Dataset 1"]
	inst := w.institution(first.InstitutionID)
	if inst.ID != catalog.NewID("institution", townNumber) || inst.State != catalog.InstitutionStated || inst.Type != catalog.InstMunicipality || inst.CountryCode != "GB" ||
		inst.SourceID != w.official.ID || inst.Names["fr"] != "Ville-Port" || inst.HomepageURL != "https://havenstad.example/" || inst.Key != "havenstad-"+inst.ID[:8] {
		t.Errorf("%+v", inst)
	}
	if got["Dataset 2"].InstitutionID != inst.ID {
		t.Error("the same name in another language is the same body")
	}
	if other := got["Dataset 3"].InstitutionID; other == inst.ID || other == "" {
		t.Error("a town with another number is another town")
	}
	if got["Dataset 4"].InstitutionID != "" || got["Dataset 5"].InstitutionID != "" || got["Dataset 4"].PublisherName != "Jo Doe" {
		t.Error("a person is shown and is no institution")
	}
	if got["Dataset 6"].InstitutionID != harvest.InstitutionID("fr-meteo") {
		t.Error("the default is for records that name nobody")
	}
	if got["Dataset 7"].InstitutionID == "" || w.institution(got["Dataset 7"].InstitutionID).Known() {
		t.Error("a body that its catalogue names by its domain alone is a stated one")
	}
	for _, s := range first.Signals {
		if s.Held && s.Kind != catalog.SignalBacklink {
			t.Errorf("%+v", s)
		}
	}
	first.Admission = nil
	result := score.Of(&score.Input{Row: &catalog.Row{Entry: first}, Institution: inst})
	if result.PublicSector || result.Basis == catalog.OfficialProven {
		t.Errorf("public sector %v, basis %s", result.PublicSector, result.Basis)
	}
}

// TestStatedInstitutionsStay: a second harvest makes no second institution, and
// what an administrator merged stays merged.
func TestStatedInstitutionsStay(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	list := []source.Draft{publishedBy("1", "Quay Office", nil), publishedBy("2", "Havenstad", &catalog.Agent{IRI: townNumber})}
	w.run(w.official, harvest.Options{}, list...)
	before := w.entries()
	w.now = w.now.Add(time.Hour)
	if r := w.run(w.official, harvest.Options{}, list...); r.Unchanged != 2 {
		t.Errorf("%s", r.Summary())
	}
	quay := w.institution(before[0].InstitutionID)
	if quay.Name != "Quay Office" {
		quay = w.institution(before[1].InstitutionID)
	}
	w.update(func(tx catalog.Tx) error {
		next := *quay
		next.MergedIntoID, next.Managed = harvest.InstitutionID("gb-tides"), true
		return tx.Institutions().Put(w.ctx, next)
	})
	w.run(w.official, harvest.Options{}, append(list, publishedBy("3", "QUAY OFFICE", nil))...)
	for _, e := range w.entries() {
		if e.PublisherName != "Havenstad" && e.InstitutionID != harvest.InstitutionID("gb-tides") {
			t.Errorf("%s of %s belongs to %s", e.Name, e.PublisherName, e.InstitutionID)
		}
	}
	if w.institution(quay.ID).MergedIntoID == "" {
		t.Error("the merge was taken back")
	}
}

// TestHostsOfOthersProveNothing: a body's own domain proves it only where it is
// the publisher, and never through the address of a blank node or a portal.
func TestHostsOfOthersProveNothing(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	portal := w.official
	portal.Portal, portal.URL = true, "https://open.tides.example.uk/"
	at := func(id, name, page string) source.Draft {
		d := publishedBy(id, name, nil)
		d.Entry.PrimarySourceURL, d.Entry.API.BaseURL = page, page
		return d
	}
	w.run(portal, harvest.Options{},
		at("1", "Tide Office", "https://data.tides.example.uk/1"), at("2", "Havenstad", "https://data.tides.example.uk/2"),
		at("3", "", "https://open.tides.example.uk/3"), at("4", "", "https://data.tides.example.uk/4"),
		at("5", "", "https://data.tides.example.uk/.well-known/genid/5"), at("6", "Tide Office", "https://data.tides.example.uk/.well-known/genid/6"))
	for _, e := range w.entries() {
		proved := false
		for _, s := range e.Signals {
			proved = proved || s.Held && s.Kind == catalog.SignalDomain
		}
		tides := e.InstitutionID == harvest.InstitutionID("gb-tides")
		want := map[string][2]bool{"Dataset 1": {true, true}, "Dataset 2": {false, false}, "Dataset 3": {false, false}, "Dataset 4": {true, true},
			"Dataset 5": {false, false}, "Dataset 6": {true, false}}[e.Name]
		if tides != want[0] || proved != want[1] {
			t.Errorf("%s: institution %v, proved %v", e.Name, tides, proved)
		}
	}
}

func TestCountryOrder(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	nowhere := w.official
	nowhere.CountryCode = ""
	with := func(id, name, page string, places ...string) source.Draft {
		d := publishedBy(id, name, nil)
		d.Entry.Type, d.Entry.API, d.Entry.CountryCode, d.Entry.PrimarySourceURL = catalog.TypeDataset, nil, "", page
		d.Entry.Dataset = &catalog.DatasetDetails{Spatial: places}
		return d
	}
	const eu = "http://publications.europa.eu/resource/authority/"
	w.run(nowhere, harvest.Options{},
		with("1", "Météo", "https://a.example.com/1", eu+"country/BEL"), with("2", "A body", "https://a.example.com/2", eu+"country/BEL", "Brussels"),
		with("3", "A body", "https://a.example.com/3", eu+"country/BEL", eu+"country/FRA"), with("4", "A body", "https://x.gov.uk/4"),
		with("5", "A body", "https://a.example.com/5", "http://data.europa.eu/nuts/code/EL30"), with("6", "A body", "https://a.example.com/6", "Belgium"))
	want := map[string]string{"Dataset 1": "FR", "Dataset 2": "BE", "Dataset 3": "", "Dataset 4": "GB", "Dataset 5": "GR", "Dataset 6": "BE"}
	for _, e := range w.entries() {
		if e.CountryCode != want[e.Name] {
			t.Errorf("%s is of %q, want %q", e.Name, e.CountryCode, want[e.Name])
		}
	}
}

// TestPublishersWithoutNames: a publisher that is only identified is one body, under its identifier until a record of the
// source names it; whose domain serves it says nothing of it, nor does the default of the harvest.
func TestPublishersWithoutNames(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	const office, other = "https://rpp.example.cz/ovm/1", "https://rpp.example.cz/ovm/2"
	served := publishedBy("1", "", &catalog.Agent{IRI: office})
	served.Entry.PrimarySourceURL = tides
	w.run(w.official, harvest.Options{Institution: "fr-meteo"}, served, publishedBy("2", "", &catalog.Agent{IRI: office}), publishedBy("3", "", &catalog.Agent{IRI: other}),
		publishedBy("4", "The Tide Office", &catalog.Agent{IRI: other, Names: catalog.Texts{"en": "The Tide Office"}}))
	got := map[string]catalog.Entry{}
	read := func() {
		for _, e := range w.entries() {
			got[e.Name] = e
		}
	}
	read()
	first := w.institution(got["Dataset 1"].InstitutionID)
	if first.ID != catalog.NewID("institution", office) || !first.Unnamed() || first.Name != office || got["Dataset 2"].InstitutionID != first.ID {
		t.Errorf("%+v", first)
	}
	for _, s := range got["Dataset 1"].Signals {
		if s.Held && s.Kind == catalog.SignalDomain {
			t.Errorf("an identifier proves a domain: %+v", s)
		}
	}
	// A record names the one, and what the register knew of the other's name holds from the next run on.
	w.run(w.official, harvest.Options{}, publishedBy("2", "Office of Maps", &catalog.Agent{IRI: office, Names: catalog.Texts{"en": "Office of Maps"}}), publishedBy("3", "", &catalog.Agent{IRI: other}))
	read()
	if named := w.institution(first.ID); named.Name != "Office of Maps" || named.Unnamed() || got["Dataset 1"].InstitutionID != first.ID {
		t.Errorf("%+v", named)
	}
	if id := got["Dataset 3"].InstitutionID; id != got["Dataset 4"].InstitutionID || !w.institution(id).Known() {
		t.Errorf("the institution of an identifier that another record names is %q, want %q", id, got["Dataset 4"].InstitutionID)
	}
}
