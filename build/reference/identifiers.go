package reference

import (
	"regexp"
	"strings"
)

// register is how one register of bodies writes its numbers: the canonical IRI
// of a number, and the addresses and numbers in which it is found.
type register struct {
	iri      string
	patterns []*regexp.Regexp
}

// registers are known by what they publish themselves: the identifier schemes
// of org-id.guide, the IRIs of the registers' own pages and of national
// reference data. Numbers of other registers are still identifiers, as IRIs.
var registers = []register{
	{"https://org.belgif.be/id/CbeRegisteredEntity/", patterns(
		`/CbeRegisteredEntity/([01]\d{9})\b`, `ondernemingsnummer=([01]\d{9})\b`, `^(?:BE-BCE_KBO|KBO|BCE|CBE)[-: ]([01]\d{9})$`)},
	{"https://org.belgif.be/id/CbeEstablishmentUnit/", patterns(`/CbeEstablishmentUnit/([2-8]\d{9})\b`, `vestigingsnummer=([2-8]\d{9})\b`)},
	{"https://data.vlaanderen.be/id/organisatie/", patterns(`data\.vlaanderen\.be/(?:id|doc)/organisatie/(OVO\d{6})\b`)},
	{"https://annuaire-entreprises.data.gouv.fr/entreprise/", patterns(
		`annuaire-entreprises\.data\.gouv\.fr/(?:entreprise|etablissement)/(?:[a-z0-9-]*-)?(\d{9})(?:\d{5})?\b`,
		`(?:siren|SIREN|FR-RCS|FR-SIRENE)[-:/= ](\d{9})(?:\d{5})?$`)},
	{"https://find-and-update.company-information.service.gov.uk/company/", patterns(
		`company-information\.service\.gov\.uk/company/([A-Z0-9]{8})\b`, `companieshouse\.gov\.uk/(?:company|doc/company|id/company)/([A-Z0-9]{8})\b`,
		`business\.data\.gov\.uk/id/company/([A-Z0-9]{8})\b`, `^GB-COH-([A-Z0-9]{8})$`)},
	{"https://data.brreg.no/enhetsregisteret/api/enheter/", patterns(
		`data\.brreg\.no/enhetsregisteret/(?:api/)?enhet(?:er)?/(\d{9})\b`, `^NO-BRC-(\d{9})$`)},
	{"https://ror.org/", patterns(`\bror\.org/(0[a-z0-9]{6}\d{2})\b`)},
	{"https://www.gleif.org/lei/", patterns(
		`(?:gleif\.org|lei\.info|lei-lookup\.com)/(?:.*/)?([A-Z0-9]{18}\d{2})\b`, `^(?:urn:lei:|XI-LEI-|lei:)([A-Z0-9]{18}\d{2})$`)},
	{"http://www.wikidata.org/entity/", patterns(`\bwikidata\.org/(?:wiki|entity)/(Q\d{1,12})\b`)},
	{"http://publications.europa.eu/resource/authority/corporate-body/", patterns(`publications\.europa\.eu/resource/authority/corporate-body/([A-Z0-9_]+)\b`)},
}

func patterns(list ...string) []*regexp.Regexp {
	out := make([]*regexp.Regexp, len(list))
	for i, p := range list {
		out[i] = regexp.MustCompile(p)
	}
	return out
}

// identifierMax is the longest text in which a number is looked for, in bytes.
const identifierMax = 500

// BodyIdentifier reads the persistent identifier of a body out of an IRI or a
// number: the canonical IRI of its number in a company register, of ROR, LEI,
// Wikidata or the EU table of corporate bodies. It fails for all else.
func BodyIdentifier(raw string) (string, bool) {
	raw = strings.TrimSpace(raw)
	if raw == "" || len(raw) > identifierMax {
		return "", false
	}
	for i := range registers {
		for _, p := range registers[i].patterns {
			if found := p.FindStringSubmatch(raw); found != nil {
				return registers[i].iri + found[1], true
			}
		}
	}
	return "", false
}

// Register is the address before the numbers of the register that an
// identifier is of, "" for another text.
func Register(identifier string) string {
	for i := range registers {
		if strings.HasPrefix(identifier, registers[i].iri) {
			return registers[i].iri
		}
	}
	return ""
}
