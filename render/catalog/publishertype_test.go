package catalog

import "testing"

func TestPublisherType(t *testing.T) {
	t.Parallel()
	for stated, want := range map[string]InstitutionType{
		"http://purl.org/adms/publishertype/LocalAuthority":     InstMunicipality,
		"http://purl.org/adms/publishertype/NationalAuthority/": InstGovernment,
		"RegionalAuthority":               InstRegion,
		"Academia-ScientificOrganisation": InstAcademia,
		"http://purl.org/adms/publishertype/NonGovernmentalOrganisation":        InstNonProfit,
		"http://purl.org/adms/publishertype/PrivateIndividual(s)":               "",
		"http://publications.europa.eu/resource/authority/corporate-body/ESTAT": "",
		"": "", "Ministry": "",
	} {
		if got := PublisherType(stated); got != want {
			t.Errorf("%s is %q, want %q", stated, got, want)
		}
	}
	if !PrivatePublisher("http://purl.org/adms/publishertype/PrivateIndividual(s)") || PrivatePublisher("Company") {
		t.Error("persons")
	}
}

func TestInstitutionTypeOf(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		stated string
		inst   *Institution
		want   InstitutionType
	}{
		{"LocalAuthority", &Institution{Type: InstRegion}, InstMunicipality},
		{"NationalAuthority", &Institution{Type: InstStatistics}, InstStatistics},
		{"Company", &Institution{Type: InstAgency}, InstCompany},
		{"LocalAuthority", &Institution{Type: InstRegion, Managed: true}, InstRegion},
		{"", &Institution{Type: InstRegion}, InstRegion},
		{"LocalAuthority", nil, ""},
	} {
		if got := InstitutionTypeOf(&Agent{Type: tt.stated}, tt.inst); got != tt.want {
			t.Errorf("%s of %+v is %q, want %q", tt.stated, tt.inst, got, tt.want)
		}
	}
	if got := InstitutionTypeOf(nil, &Institution{Type: InstRegion}); got != InstRegion {
		t.Errorf("%q", got)
	}
}
