package dcatap

import "github.com/assay-register/assay/build/rdf"

// prop is a property that the mapping reads, in one byte.
type prop uint8

const (
	propType prop = iota + 1
	propTitle
	propDescription
	propIdentifier
	propPublisher
	propIssued
	propModified
	propLanguage
	propLicense
	propRights
	propFormat
	propSpatial
	propTemporal
	propBBox
	propFrequency
	propConformsTo
	propDistribution
	propAccessURL
	propDownloadURL
	propAccessService
	propMediaType
	propByteSize
	propTheme
	propKeyword
	propLandingPage
	propContactPoint
	propStart
	propEnd
	propEndpointURL
	propEndpointDescription
	propServesDataset
	propInSeries
	propVersion
	propName
	propHomepage
	propPage
	propMail
	propURL
	propLabel
	propValue
	propHVD
	propNext
	propNextPage
	propAlternative
	propAccessRights
	propRightsHolder
	propCreator
	propSubject
	propOtherIdentifier
	propNotation
	propAgentType
	propGivenName
	propFamilyName
	propWorkPage
	propPrefLabel
	propTotal
	propCatalog
	propGeometry
	propGeoName
	propAdminUnit
	propBeginning
	propEnding
	propInstant
	propYears
	propMonths
	propWeeks
	propDays
	propHours
	propMinutes
	propLegalName
	propSource
	propPolicy
	propAttribution
	propAttributed
	propRole
	propTermsOfUse
	propTermsOfPart
)

const (
	dct     = "http://purl.org/dc/terms/"
	dc      = "http://purl.org/dc/elements/1.1/"
	dcat    = "http://www.w3.org/ns/dcat#"
	foaf    = "http://xmlns.com/foaf/0.1/"
	vcard   = "http://www.w3.org/2006/vcard/ns#"
	hydra   = "http://www.w3.org/ns/hydra/core#"
	schema  = "http://schema.org/"
	schemas = "https://schema.org/"
	skos    = "http://www.w3.org/2004/02/skos/core#"
	rdfs    = "http://www.w3.org/2000/01/rdf-schema#"
	adms    = "http://www.w3.org/ns/adms#"
	locn    = "http://www.w3.org/ns/locn#"
	owlTime = "http://www.w3.org/2006/time#"
	prov    = "http://www.w3.org/ns/prov#"
	odrl    = "http://www.w3.org/ns/odrl/2/"
	// The profiles of Italy, Germany, Czechia and Slovakia.
	dcatapit = "http://dati.gov.it/onto/dcatapit#"
	dcatde   = "http://dcat-ap.de/def/dcatde/"
	dcatcz   = "https://data.gov.cz/slovník/podmínky-užití/"
	dcatsk   = "https://data.gov.sk/def/ontology/legislation/"

	classCatalog = dcat + "Catalog"
	classDataset = dcat + "Dataset"
	classSeries  = dcat + "DatasetSeries"
	classService = dcat + "DataService"
)

// subclasses are classes of national profiles that are those of DCAT by their definition. Documents of
// the profiles also leave out the class above.
var subclasses = map[string]string{
	dcatapit + "Catalog": classCatalog, dcatapit + "Dataset": classDataset, dcatapit + "DatasetSeries": classSeries, dcatapit + "DataService": classService,
}

// properties are the properties that the mapping reads: those of DCAT-AP 3.0.1,
// the older ones that catalogues still write, and spellings that are common
// mistakes.
var properties = map[string]prop{
	rdf.RDFType:   propType,
	dct + "title": propTitle, dc + "title": propTitle,
	dct + "description": propDescription, dc + "description": propDescription, schema + "description": propDescription, schemas + "description": propDescription,
	dct + "identifier": propIdentifier, dc + "identifier": propIdentifier,
	dct + "publisher": propPublisher, dc + "publisher": propPublisher,
	dct + "issued": propIssued, dct + "modified": propModified, dct + "updated": propModified, // the last one is GeoNetwork's
	dct + "language": propLanguage, dc + "language": propLanguage,
	dct + "license": propLicense, dct + "licence": propLicense,
	schema + "license": propLicense, schemas + "license": propLicense, "http://creativecommons.org/ns#license": propLicense,
	dct + "rights": propRights, dc + "rights": propRights, odrl + "hasPolicy": propPolicy,
	dct + "source": propSource, "http://www.w3.org/2002/07/owl#sameAs": propSource, skos + "exactMatch": propSource, rdfs + "seeAlso": propSource,
	dcatcz + "specifikace": propTermsOfUse, dcatcz + "autorské-dílo": propTermsOfPart, dcatcz + "databáze-jako-autorské-dílo": propTermsOfPart,
	dcatcz + "databáze-chráněná-zvláštními-právy": propTermsOfPart,
	dcatsk + "termsOfUse": propTermsOfUse, dcatsk + "authorsWorkType": propTermsOfPart, dcatsk + "originalDatabaseType": propTermsOfPart,
	dcatsk + "databaseProtectedBySpecialRightsType": propTermsOfPart,
	prov + "qualifiedAttribution":                   propAttribution, prov + "agent": propAttributed, dcat + "hadRole": propRole, prov + "hadRole": propRole,
	dct + "format": propFormat, dc + "format": propFormat,
	dct + "spatial": propSpatial, dct + "temporal": propTemporal, dcat + "bbox": propBBox,
	dct + "accrualPeriodicity": propFrequency, dct + "conformsTo": propConformsTo,

	dcat + "distribution": propDistribution,
	dcat + "accessURL":    propAccessURL, dcat + "accessUrl": propAccessURL,
	dcat + "downloadURL": propDownloadURL, dcat + "downloadUrl": propDownloadURL,
	dcat + "accessService": propAccessService,
	dcat + "mediaType":     propMediaType,
	dcat + "byteSize":      propByteSize,
	dcat + "theme":         propTheme,
	dcat + "keyword":       propKeyword,
	dcat + "landingPage":   propLandingPage,
	dcat + "contactPoint":  propContactPoint, adms + "contactPoint": propContactPoint,
	dcat + "startDate": propStart, schema + "startDate": propStart, schemas + "startDate": propStart,
	dcat + "endDate": propEnd, schema + "endDate": propEnd, schemas + "endDate": propEnd,
	dcatapit + "startDate": propStart, dcatapit + "endDate": propEnd,
	owlTime + "hasBeginning": propBeginning, owlTime + "hasEnd": propEnding,
	owlTime + "inXSDDate": propInstant, owlTime + "inXSDDateTime": propInstant, owlTime + "inXSDDateTimeStamp": propInstant,
	owlTime + "inXSDgYear": propInstant, owlTime + "inXSDgYearMonth": propInstant,
	owlTime + "years": propYears, owlTime + "months": propMonths, owlTime + "weeks": propWeeks, owlTime + "days": propDays,
	owlTime + "hours": propHours, owlTime + "minutes": propMinutes,
	locn + "geometry": propGeometry, locn + "geographicName": propGeoName, locn + "geographicalName": propGeoName,
	locn + "adminUnitL1": propAdminUnit, locn + "adminUnitL2": propAdminUnit, dcatapit + "geographicalIdentifier": propAdminUnit,
	dcatde + "politicalGeocodingURI": propAdminUnit,
	dcat + "endpointURL":             propEndpointURL, dcat + "endpointUrl": propEndpointURL,
	dcat + "endpointDescription": propEndpointDescription,
	dcat + "servesDataset":       propServesDataset,
	dcat + "inSeries":            propInSeries,
	dcat + "catalog":             propCatalog,
	dcat + "version":             propVersion, "http://www.w3.org/2002/07/owl#versionInfo": propVersion,

	foaf + "name": propName, vcard + "fn": propName, vcard + "organization-name": propName, schema + "name": propName, schemas + "name": propName,
	"http://www.w3.org/ns/regorg#legalName": propLegalName, "http://purl.org/goodrelations/v1#legalName": propLegalName, vcard + "hasOrganizationName": propLegalName,
	foaf + "homepage": propHomepage, foaf + "page": propPage, foaf + "Page": propPage,
	vcard + "hasEmail": propMail, vcard + "email": propMail, foaf + "mbox": propMail,
	vcard + "hasURL": propURL, vcard + "url": propURL,
	rdfs + "label": propLabel, skos + "prefLabel": propPrefLabel,
	vcard + "hasValue": propValue, vcard + "value": propValue, "http://www.w3.org/1999/02/22-rdf-syntax-ns#value": propValue,
	"http://data.europa.eu/r5r/hvdCategory": propHVD,
	dct + "alternative":                     propAlternative, dct + "accessRights": propAccessRights, dct + "rightsHolder": propRightsHolder,
	dct + "creator": propCreator, dc + "creator": propCreator, dct + "subject": propSubject, dc + "subject": propSubject,
	adms + "identifier": propOtherIdentifier, skos + "notation": propNotation, dct + "type": propAgentType,
	foaf + "givenName": propGivenName, foaf + "familyName": propFamilyName, foaf + "workPlaceHomepage": propWorkPage,
	hydra + "next": propNext, hydra + "nextPage": propNextPage, hydra + "totalItems": propTotal,
}

// paths name the properties in provenance, as DCAT-AP writes them.
var paths = map[prop]string{
	propTitle: "dct:title", propDescription: "dct:description", propIdentifier: "dct:identifier", propPublisher: "dct:publisher",
	propIssued: "dct:issued", propModified: "dct:modified", propLanguage: "dct:language", propLicense: "dct:license", propRights: "dct:rights", propPolicy: "odrl:hasPolicy",
	propFormat: "dct:format", propSpatial: "dct:spatial", propTemporal: "dct:temporal", propFrequency: "dct:accrualPeriodicity",
	propConformsTo: "dct:conformsTo", propDistribution: "dcat:distribution", propAccessURL: "dcat:accessURL",
	propTheme: "dcat:theme", propKeyword: "dcat:keyword", propLandingPage: "dcat:landingPage", propContactPoint: "dcat:contactPoint",
	propEndpointURL: "dcat:endpointURL", propEndpointDescription: "dcat:endpointDescription", propServesDataset: "dcat:servesDataset",
	propAlternative: "dct:alternative", propAccessRights: "dct:accessRights", propRightsHolder: "dct:rightsHolder", propCreator: "dct:creator",
	propAttribution: "prov:qualifiedAttribution",
	propSubject:     "dct:subject", propOtherIdentifier: "adms:identifier",
	propInSeries: "dcat:inSeries", propVersion: "dcat:version", propPage: "foaf:page", propHVD: "dcatap:hvdCategory",
}
