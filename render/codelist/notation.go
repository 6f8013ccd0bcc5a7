package codelist

// Kind is what a code stands for.
type Kind string

// Kinds, in the order in which readings of the same spelling are given.
const (
	KindCountry  Kind = "country"
	KindLanguage Kind = "language"
	KindFileType Kind = "file-type"
	KindLicence  Kind = "licence"
	KindRegion   Kind = "nuts-region"
)

// Kinds lists the closed vocabulary.
func Kinds() []Kind {
	return []Kind{KindCountry, KindLanguage, KindFileType, KindLicence, KindRegion}
}

// Notation is one way of writing the codes of a kind.
type Notation struct {
	// ID is how a request names it.
	ID     string
	Name   string
	Source string
}

// Ids of notations.
const (
	Alpha2       = "iso3166-1-alpha-2"
	Alpha3       = "iso3166-1-alpha-3"
	Numeric      = "iso3166-1-numeric"
	EUCountry    = "eu-country"
	Lang1        = "iso639-1"
	Lang2B       = "iso639-2b"
	Lang2T       = "iso639-2t"
	Lang3        = "iso639-3"
	EULanguage   = "eu-language"
	MediaType    = "media-type"
	Extension    = "file-extension"
	EUFileType   = "eu-file-type"
	SPDX         = "spdx"
	EULicence    = "eu-licence"
	NUTSLevel    = "nuts-level"
	nutsPrefix   = "nuts-"
	nutsLevelMax = 3
)

// notations lists them in the order in which they are answered.
var notations = []Notation{
	{Alpha2, "country code of two letters", "ISO 3166-1"},
	{Alpha3, "country code of three letters", "ISO 3166-1"},
	{Numeric, "country number of three digits", "ISO 3166-1"},
	{EUCountry, "address in the EU authority table country", "EU Vocabularies, country 20181212-0"},
	{Lang1, "language code of two letters", "ISO 639-1:2002"},
	{Lang2B, "bibliographic language code of three letters", "ISO 639-2:1998"},
	{Lang2T, "terminological language code of three letters", "ISO 639-2:1998"},
	{Lang3, "language code of three letters", "ISO 639-3:2007"},
	{EULanguage, "address in the EU authority table language", "EU Vocabularies, language 20180725-0"},
	{MediaType, "media types, the usual one first", "IANA; EU Vocabularies, file-type 20220928-0"},
	{Extension, "file name extensions, the usual one first", "IANA and the formats' own specifications"},
	{EUFileType, "address in the EU authority table file-type", "EU Vocabularies, file-type 20220928-0"},
	{SPDX, "licence id of SPDX", "SPDX licence list"},
	{EULicence, "address in the EU authority table licence", "EU Vocabularies, licence 20241211-0"},
	{NUTSLevel, "level of a NUTS region", "Regulation (EC) No 1059/2003"},
	{"nuts-0", "country of NUTS", "Eurostat, NUTS 2024"},
	{"nuts-1", "NUTS regions of level 1", "Regulation (EU) 2023/674, NUTS 2024"},
	{"nuts-2", "NUTS region of level 2", "Regulation (EU) 2023/674, NUTS 2024"},
	{"nuts-3", "NUTS region of level 3", "Regulation (EU) 2023/674, NUTS 2024"},
}

// Notations lists the known notations.
func Notations() []Notation { return append([]Notation(nil), notations...) }

// NotationIDs are the ids of the known notations.
func NotationIDs() []string {
	ids := make([]string, len(notations))
	for i := range notations {
		ids[i] = notations[i].ID
	}
	return ids
}
