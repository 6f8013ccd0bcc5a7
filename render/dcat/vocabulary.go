package dcat

import "strings"

// prefixes are the only ones that a document declares, sorted. All are of
// vocabularies; names of data are always written in full.
var prefixes = [][2]string{
	{"adms", "http://www.w3.org/ns/adms#"},
	{"dcat", "http://www.w3.org/ns/dcat#"},
	{"dcatap", "http://data.europa.eu/r5r/"},
	{"dct", "http://purl.org/dc/terms/"},
	{"dqv", "http://www.w3.org/ns/dqv#"},
	{"eli", "http://data.europa.eu/eli/ontology#"},
	{"foaf", "http://xmlns.com/foaf/0.1/"},
	{"geosparql", "http://www.opengis.net/ont/geosparql#"},
	{"hydra", "http://www.w3.org/ns/hydra/core#"},
	{"prov", "http://www.w3.org/ns/prov#"},
	{"rdfs", "http://www.w3.org/2000/01/rdf-schema#"},
	{"skos", "http://www.w3.org/2004/02/skos/core#"},
	{"vcard", "http://www.w3.org/2006/vcard/ns#"},
	{"xsd", "http://www.w3.org/2001/XMLSchema#"},
}

// name is a term of a vocabulary. Documents write it with its prefix; only
// rdf:type has a word of its own in each form.
type name struct {
	iri            iri
	turtle, jsonld string
}

var rdfType = &name{"http://www.w3.org/1999/02/22-rdf-syntax-ns#type", "a", "@type"}

// term declares a name of a vocabulary.
func term(prefixed string) *name {
	prefix, local, _ := strings.Cut(prefixed, ":")
	for _, p := range prefixes {
		if p[0] == prefix {
			return &name{checked(p[1] + local), prefixed, prefixed}
		}
	}
	panic("no prefix for " + prefixed)
}

// Classes.
var (
	classCatalog     = term("dcat:Catalog")
	classRecord      = term("dcat:CatalogRecord")
	classDataset     = term("dcat:Dataset")
	classService     = term("dcat:DataService")
	classSeries      = term("dcat:DatasetSeries")
	classDist        = term("dcat:Distribution")
	classAgent       = term("foaf:Agent")
	classDocument    = term("foaf:Document")
	classKind        = term("vcard:Kind")
	classOrg         = term("vcard:Organization")
	classConcept     = term("skos:Concept")
	classScheme      = term("skos:ConceptScheme")
	classLocation    = term("dct:Location")
	classLanguage    = term("dct:LinguisticSystem")
	classExtent      = term("dct:MediaTypeOrExtent")
	classMediaType   = term("dct:MediaType")
	classFrequency   = term("dct:Frequency")
	classRights      = term("dct:RightsStatement")
	classLicence     = term("dct:LicenseDocument")
	classStandard    = term("dct:Standard")
	classPeriod      = term("dct:PeriodOfTime")
	classProvenance  = term("dct:ProvenanceStatement")
	classIdentifier  = term("adms:Identifier")
	classLegal       = term("eli:LegalResource")
	classMeasurement = term("dqv:QualityMeasurement")
	classMetric      = term("dqv:Metric")
	classPaged       = term("hydra:PagedCollection")
	classPartial     = term("hydra:PartialCollectionView")
)

// Properties.
var (
	dctTitle        = term("dct:title")
	dctDescription  = term("dct:description")
	dctIdentifier   = term("dct:identifier")
	dctPublisher    = term("dct:publisher")
	dctLicense      = term("dct:license")
	dctRights       = term("dct:rights")
	dctAccessRights = term("dct:accessRights")
	dctAlternative  = term("dct:alternative")
	dctType         = term("dct:type")
	dctFormat       = term("dct:format")
	dctLanguage     = term("dct:language")
	dctSpatial      = term("dct:spatial")
	dcatBBox        = term("dcat:bbox")
	dctTemporal     = term("dct:temporal")
	dctIssued       = term("dct:issued")
	dctModified     = term("dct:modified")
	dctConformsTo   = term("dct:conformsTo")
	dctProvenance   = term("dct:provenance")
	dctPeriodicity  = term("dct:accrualPeriodicity")

	dcatDataset         = term("dcat:dataset")
	dcatService         = term("dcat:service")
	dcatRecord          = term("dcat:record")
	dcatThemeTaxonomy   = term("dcat:themeTaxonomy")
	dcatTheme           = term("dcat:theme")
	dcatKeyword         = term("dcat:keyword")
	dcatContactPoint    = term("dcat:contactPoint")
	dcatLandingPage     = term("dcat:landingPage")
	dcatDistribution    = term("dcat:distribution")
	dcatAccessURL       = term("dcat:accessURL")
	dcatDownloadURL     = term("dcat:downloadURL")
	dcatAccessService   = term("dcat:accessService")
	dcatMediaType       = term("dcat:mediaType")
	dcatByteSize        = term("dcat:byteSize")
	dcatEndpointURL     = term("dcat:endpointURL")
	dcatEndpointDesc    = term("dcat:endpointDescription")
	dcatServesDataset   = term("dcat:servesDataset")
	dcatInSeries        = term("dcat:inSeries")
	dcatVersion         = term("dcat:version")
	dcatStartDate       = term("dcat:startDate")
	dcatEndDate         = term("dcat:endDate")
	dcatapLegislation   = term("dcatap:applicableLegislation")
	dcatapHVDCategory   = term("dcatap:hvdCategory")
	admsStatus          = term("adms:status")
	admsIdentifier      = term("adms:identifier")
	foafName            = term("foaf:name")
	foafHomepage        = term("foaf:homepage")
	foafPage            = term("foaf:page")
	foafPrimaryTopic    = term("foaf:primaryTopic")
	vcardFn             = term("vcard:fn")
	vcardHasURL         = term("vcard:hasURL")
	vcardHasEmail       = term("vcard:hasEmail")
	skosPrefLabel       = term("skos:prefLabel")
	skosInScheme        = term("skos:inScheme")
	skosNotation        = term("skos:notation")
	skosDefinition      = term("skos:definition")
	rdfsLabel           = term("rdfs:label")
	rdfsSeeAlso         = term("rdfs:seeAlso")
	provDerivedFrom     = term("prov:wasDerivedFrom")
	provGeneratedAtTime = term("prov:generatedAtTime")
	dqvComputedOn       = term("dqv:computedOn")
	dqvMeasurementOf    = term("dqv:isMeasurementOf")
	dqvValue            = term("dqv:value")
	dqvExpectedDataType = term("dqv:expectedDataType")
)

// Hydra names each link twice: the first of a pair is what newer clients read,
// the second what older ones do (research, §4).
var (
	hydraTotalItems   = term("hydra:totalItems")
	hydraItemsPerPage = term("hydra:itemsPerPage")
	hydraFirst        = []*name{term("hydra:first"), term("hydra:firstPage")}
	hydraPrevious     = []*name{term("hydra:previous"), term("hydra:previousPage")}
	hydraNext         = []*name{term("hydra:next"), term("hydra:nextPage")}
	hydraLast         = []*name{term("hydra:last"), term("hydra:lastPage")}
)

// Datatypes.
var (
	xsdString   = term("xsd:string")
	wktLiteral  = term("geosparql:wktLiteral")
	xsdDate     = term("xsd:date")
	xsdDateTime = term("xsd:dateTime")
	xsdDecimal  = term("xsd:decimal")
	xsdInteger  = term("xsd:integer")
	xsdNonNeg   = term("xsd:nonNegativeInteger")
)

// profileDCATAP is the profile that records conform to.
const profileDCATAP iri = "https://semiceu.github.io/DCAT-AP/releases/3.0.1/"
