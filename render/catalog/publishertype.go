package catalog

import "strings"

// publisherTypes are the institution types of the codes of the EU and ADMS
// tables of publisher types, in small letters without what is no letter.
var publisherTypes = map[string]InstitutionType{
	"nationalauthority": InstGovernment, "regionalauthority": InstRegion, "localauthority": InstMunicipality,
	"supranationalauthority": InstInternational, "academiascientificorganisation": InstAcademia, "company": InstCompany,
	"industryconsortium": InstCompany, "nongovernmentalorganisation": InstNonProfit, "nonprofitorganisation": InstNonProfit,
	"standardisationbody": InstPublicBody,
}

// PublisherType is the institution type of a stated type of publisher: an IRI
// or a code of the EU or ADMS table. It is "" for any other word.
func PublisherType(stated string) InstitutionType {
	return publisherTypes[publisherCode(stated)]
}

// PrivatePublisher tells that a stated type of publisher is that of a person.
func PrivatePublisher(stated string) bool {
	return strings.HasPrefix(publisherCode(stated), "privateindividual")
}

func publisherCode(stated string) string {
	code := strings.TrimRight(strings.TrimSpace(stated), "/#")
	code = code[strings.LastIndexAny(code, "/#")+1:]
	return strings.Map(func(r rune) rune {
		if 'A' <= r && r <= 'Z' {
			return r + 'a' - 'A'
		}
		if r < 'a' || r > 'z' {
			return -1
		}
		return r
	}, code)
}

// finer are the types of public bodies that exist at every level of government:
// they say more than a stated level and do not contradict it.
var finer = map[InstitutionType]bool{InstStatistics: true, InstRegulator: true, InstAgency: true, InstPublicBody: true}

// InstitutionTypeOf is the type of the institution behind an entry: the stated
// one, before that of the register of institutions, unless this one only tells
// what kind of authority it is.
func InstitutionTypeOf(publisher *Agent, inst *Institution) InstitutionType {
	stated := InstitutionType("")
	if publisher != nil {
		stated = PublisherType(publisher.Type)
	}
	switch {
	case inst == nil:
		return ""
	case stated == "" || inst.Managed:
		return inst.Type
	case finer[inst.Type] && (stated == InstGovernment || stated == InstRegion || stated == InstMunicipality):
		return inst.Type
	}
	return stated
}

// Known tells that an institution is one of the register of institutions, not
// only named by a catalogue.
func (i *Institution) Known() bool { return i != nil && i.State != InstitutionStated }
