package datajson

import (
	"encoding/json"

	"github.com/assay-register/assay/build/harvest/source"
)

// dataset is a dataset of DCAT-US 1.1 or 3.0. Real files write texts as lists
// and lists as texts; the loose types take both.
type dataset struct {
	Identifier  identifier        `json:"identifier"`
	IRI         source.Loose      `json:"@id"`
	Title       source.LooseTexts `json:"title"`
	Description source.LooseTexts `json:"description"`
	Keyword     source.LooseTerms `json:"keyword"`
	translations
	Theme        source.LooseList `json:"theme"`
	Issued       source.Loose     `json:"issued"`
	Modified     source.Loose     `json:"modified"`
	Publisher    agent            `json:"publisher"`
	ContactPoint contacts         `json:"contactPoint"`
	AccessLevel  source.Loose     `json:"accessLevel"`
	AccessRights source.Loose     `json:"accessRights"`
	Rights       source.Loose     `json:"rights"`
	License      source.Loose     `json:"license"`
	Spatial      places           `json:"spatial"`
	Temporal     periods          `json:"temporal"`
	Periodicity  source.Loose     `json:"accrualPeriodicity"`
	LandingPage  pages            `json:"landingPage"`
	References   source.LooseList `json:"references"`
	DescribedBy  pages            `json:"describedBy"`
	Page         pages            `json:"page"`
	Language     source.LooseList `json:"language"`
	Version      source.Loose     `json:"version"`
	IsPartOf     identifier       `json:"isPartOf"`
	HVDCategory  source.LooseList `json:"hvdCategory"`
	Distribution distributions    `json:"distribution"`
	// Of version 1.0, which has no distributions of one file.
	AccessURL  source.Loose `json:"accessURL"`
	WebService source.Loose `json:"webService"`
	Format     source.Loose `json:"format"`
}

// service is a DataService of DCAT-US 3.0.
type service struct {
	Identifier  identifier        `json:"identifier"`
	IRI         source.Loose      `json:"@id"`
	Title       source.LooseTexts `json:"title"`
	Description source.LooseTexts `json:"description"`
	Keyword     source.LooseTerms `json:"keyword"`
	translations
	Theme         source.LooseList `json:"theme"`
	Issued        source.Loose     `json:"issued"`
	Modified      source.Loose     `json:"modified"`
	Publisher     agent            `json:"publisher"`
	ContactPoint  contacts         `json:"contactPoint"`
	AccessRights  source.Loose     `json:"accessRights"`
	License       source.Loose     `json:"license"`
	EndpointURL   source.LooseList `json:"endpointURL"`
	EndpointDesc  source.LooseList `json:"endpointDescription"`
	LandingPage   pages            `json:"landingPage"`
	Page          pages            `json:"page"`
	Spatial       places           `json:"spatial"`
	Version       source.Loose     `json:"version"`
	ServesDataset nodes            `json:"servesDataset"`
}

// translations are texts by language, of version 3.0.
type translations struct {
	TitleMap       source.LooseTexts            `json:"titleMap"`
	DescriptionMap source.LooseTexts            `json:"descriptionMap"`
	KeywordMap     map[string]source.LooseTerms `json:"keywordMap"`
}

// group is a catalogue or a series of datasets that holds records.
type group struct {
	Title   source.Loose `json:"title"`
	Member  nodes        `json:"seriesMember"`
	Dataset nodes        `json:"dataset"`
	Service nodes        `json:"service"`
	Series  nodes        `json:"datasetSeries"`
	Catalog nodes        `json:"catalog"`
}

// nodes are members of which there may be one alone.
type nodes []json.RawMessage

// UnmarshalJSON implements json.Unmarshaler.
func (n *nodes) UnmarshalJSON(b []byte) error {
	if len(b) > 0 && b[0] != '[' {
		*n = nodes{append(json.RawMessage{}, b...)}
		return nil
	}
	return json.Unmarshal(b, (*[]json.RawMessage)(n))
}

// identifier is a text, or an object with an IRI or a notation in it.
type identifier string

// UnmarshalJSON implements json.Unmarshaler.
func (x *identifier) UnmarshalJSON(b []byte) error {
	if len(b) == 0 || b[0] != '{' {
		return json.Unmarshal(b, (*source.Loose)(x))
	}
	var o struct {
		ID       source.Loose `json:"@id"`
		Agency   source.Loose `json:"schemaAgency"`
		Notation source.Loose `json:"notation"`
	}
	if err := json.Unmarshal(b, &o); err != nil {
		return err
	}
	switch {
	case o.ID != "":
		*x = identifier(o.ID)
	case o.Agency != "" && o.Notation != "":
		*x = identifier(o.Agency + " " + o.Notation)
	default:
		*x = identifier(o.Notation)
	}
	return nil
}

// agent is a publisher, perhaps a text or the first of a list.
type agent struct {
	Name source.Loose `json:"name"`
	// PrefLabel and HomePage are of version 3.0.
	PrefLabel source.Loose `json:"prefLabel"`
	HomePage  source.Loose `json:"homepage"`
	MailBox   source.Loose `json:"mbox"`
}

// UnmarshalJSON implements json.Unmarshaler.
func (a *agent) UnmarshalJSON(b []byte) error {
	type plain agent
	if len(b) > 0 && b[0] == '{' {
		return json.Unmarshal(b, (*plain)(a))
	}
	var list []plain
	if json.Unmarshal(b, &list) == nil {
		if len(list) > 0 {
			*a = agent(list[0])
		}
		return nil
	}
	return json.Unmarshal(b, &a.Name)
}

// contacts are contact points, of which version 1.1 has one.
type contacts []contact

type contact struct {
	Name  source.Loose     `json:"fn"`
	Mail  source.LooseList `json:"hasEmail"`
	URL   source.Loose     `json:"hasURL"`
	MailB source.Loose     `json:"mbox"`
}

// UnmarshalJSON implements json.Unmarshaler.
func (c *contacts) UnmarshalJSON(b []byte) error {
	switch {
	case len(b) > 0 && b[0] == '[':
		var list []contact
		if json.Unmarshal(b, &list) == nil {
			*c = list
		}
	case len(b) > 0 && b[0] == '{':
		var one contact
		if err := json.Unmarshal(b, &one); err != nil {
			return err
		}
		*c = contacts{one}
	case len(b) > 0 && b[0] == '"':
		var text source.Loose
		if err := json.Unmarshal(b, &text); err != nil {
			return err
		}
		*c = contacts{{Name: text}}
	}
	return nil
}

// distributions are files; version 1.0 has one alone.
type distributions []distribution

type distribution struct {
	Title       source.LooseTexts `json:"title"`
	AccessURL   source.Loose      `json:"accessURL"`
	DownloadURL source.Loose      `json:"downloadURL"`
	Format      source.Loose      `json:"format"`
	MediaType   source.Loose      `json:"mediaType"`
	FileName    source.Loose      `json:"fileName"`
	License     source.Loose      `json:"license"`
	ByteSize    source.LooseInt   `json:"byteSize"`
	Modified    source.Loose      `json:"modified"`
}

// UnmarshalJSON implements json.Unmarshaler.
func (d *distributions) UnmarshalJSON(b []byte) error {
	if len(b) > 0 && b[0] == '{' {
		var one distribution
		if err := json.Unmarshal(b, &one); err != nil {
			return err
		}
		*d = distributions{one}
		return nil
	}
	var list []json.RawMessage
	// A text or null in the place of the list has no files.
	if isList := json.Unmarshal(b, &list) == nil; !isList {
		return nil
	}
	for _, raw := range list {
		var one distribution
		if json.Unmarshal(raw, &one) == nil {
			*d = append(*d, one)
		}
	}
	return nil
}

// licence is that of a dataset and the member that states it. Version 3.0 has it on files
// only: one that all of them have is the dataset's.
func (d *dataset) licence() (member, licence string) {
	if d.License != "" || len(d.Distribution) == 0 {
		return "license", string(d.License)
	}
	all := d.Distribution[0].License
	for i := range d.Distribution {
		if d.Distribution[i].License != all {
			return "license", ""
		}
	}
	return "distribution[].license", string(all)
}
