package ogc

import (
	"cmp"
	"encoding/xml"
	"slices"
	"strings"

	"github.com/assay-register/assay/render/catalog"
)

// answer has the elements of all versions of WMS, WFS, WCS, WMTS and CSW that
// are read, by their local names, and those of exception reports.
type answer struct {
	Version string `xml:"version,attr"`
	// Service is the head in the documents before OWS Common.
	Service struct {
		head
		Label       string   `xml:"label"`
		Description string   `xml:"description"`
		KeywordList []string `xml:"KeywordList>Keyword"`
		Lower       []string `xml:"keywords>keyword"`
		Fees        string   `xml:"fees"`
		Constraints string   `xml:"accessConstraints"`
		// Online is an address in an attribute (WMS), or the text (WFS 1.0).
		Online       online `xml:"OnlineResource"`
		Organization string `xml:"ContactInformation>ContactPersonPrimary>ContactOrganization"`
		Mail         string `xml:"ContactInformation>ContactElectronicMailAddress"`
		Party        struct {
			Organisation string `xml:"organisationName"`
			Organization string `xml:"organizationName"`
			Mail         string `xml:"contactInfo>address>electronicMailAddress"`
		} `xml:"responsibleParty"`
	} `xml:"Service"`
	// Identification and Provider are those of OWS Common (OGC 06-121r3, section 7.4).
	Identification head `xml:"ServiceIdentification"`
	Provider       struct {
		Name string `xml:"ProviderName"`
		Site online `xml:"ProviderSite"`
		Mail string `xml:"ServiceContact>ContactInfo>Address>ElectronicMailAddress"`
	} `xml:"ServiceProvider"`
	Operations []operation `xml:"OperationsMetadata>Operation"`
	Supported  []string    `xml:"ServiceMetadata>formatSupported"`
	Extended   extended    `xml:"OperationsMetadata>ExtendedCapabilities"`

	Request struct {
		Capabilities []get `xml:"GetCapabilities>DCPType>HTTP>Get"`
		// Bare is without what should be around it.
		Bare    []get    `xml:"GetCapabilities>Get"`
		Map     []string `xml:"GetMap>Format"`
		Results struct {
			Formats []struct{ XMLName xml.Name } `xml:",any"`
		} `xml:"GetFeature>ResultFormat"`
	} `xml:"Capability>Request"`
	Inspire extended `xml:"Capability>ExtendedCapabilities"`

	Layers    []layer `xml:"Capability>Layer"`
	Features  []layer `xml:"FeatureTypeList>FeatureType"`
	Tiles     []layer `xml:"Contents>Layer"`
	Coverages []layer `xml:"Contents>CoverageSummary"`
	Brief     []layer `xml:"ContentMetadata>CoverageOfferingBrief"`

	Exceptions []string `xml:"ServiceException"`
	Texts      []string `xml:"Exception>ExceptionText"`
}

// head is what a service says of itself.
type head struct {
	Title    string `xml:"Title"`
	Abstract string `xml:"Abstract"`
	Keywords struct {
		// Text is the list of WFS 1.0, with commas.
		Text string   `xml:",chardata"`
		List []string `xml:"Keyword"`
	} `xml:"Keywords"`
	FeesText    string `xml:"Fees"`
	Constraints string `xml:"AccessConstraints"`
}

// online is an address, in an attribute or as text.
type online struct {
	Href string `xml:"href,attr"`
	Text string `xml:",chardata"`
}

// get is where a request by GET goes.
type get struct {
	Href string `xml:"href,attr"`
	// Resource is that of WFS 1.0, Online that of WMS.
	Resource string `xml:"onlineResource,attr"`
	Online   online `xml:"OnlineResource"`
}

type operation struct {
	Name       string `xml:"name,attr"`
	Get        []get  `xml:"DCP>HTTP>Get"`
	Parameters []struct {
		Values  []string `xml:"Value"`
		Allowed []string `xml:"AllowedValues>Value"`
	} `xml:"Parameter"`
}

// extended is what INSPIRE adds; some servers nest it in an element of its name.
type extended struct {
	Default  string    `xml:"SupportedLanguages>DefaultLanguage>Language"`
	Response string    `xml:"ResponseLanguage>Language"`
	Within   *extended `xml:"ExtendedCapabilities"`
}

// layer is a layer with those in it, a feature type or a coverage.
type layer struct {
	Name       string   `xml:"Name"`
	Identifier string   `xml:"Identifier"`
	CoverageID string   `xml:"CoverageId"`
	Lower      string   `xml:"name"`
	Title      string   `xml:"Title"`
	Label      string   `xml:"label"`
	Formats    []string `xml:"Format"`
	Outputs    []string `xml:"OutputFormats>Format"`
	Supported  []string `xml:"SupportedFormat"`
	Layers     []layer  `xml:"Layer"`
}

// first is the first text that says something, without white space around it.
func first(texts ...string) string {
	for i := range texts {
		texts[i] = strings.TrimSpace(texts[i])
	}
	return cmp.Or(texts...)
}

// tell says what the document says about its service.
func (c *answer) tell(s *service) {
	v, o := &c.Service, &c.Identification
	s.version = c.Version
	s.title, s.abstract = first(v.Title, v.Label, o.Title), first(v.Abstract, v.Description, o.Abstract)
	s.fees, s.constraints = first(v.FeesText, v.Fees, o.FeesText), first(v.head.Constraints, v.Constraints, o.Constraints)
	for _, list := range [][]string{v.KeywordList, v.Keywords.List, v.Lower, o.Keywords.List, strings.Split(v.Keywords.Text, ",")} {
		for _, word := range list {
			if word = strings.TrimSpace(word); word != "" && len(s.keywords) < listMax {
				s.keywords = append(s.keywords, word)
			}
		}
	}
	s.publisher = first(v.Organization, v.Party.Organisation, v.Party.Organization, c.Provider.Name)
	s.mail = first(v.Mail, v.Party.Mail, c.Provider.Mail)
	s.site = first(v.Online.Href, c.Provider.Site.Href)
	s.language = first(c.Inspire.language(), c.Extended.language())
	s.request = c.request()
	s.exception = first(append(c.Exceptions, c.Texts...)...)
	c.formats(s)
	for _, list := range [][]layer{c.Layers, c.Features, c.Tiles, c.Coverages, c.Brief} {
		s.take(list)
	}
}

func (e *extended) language() string {
	for ; e != nil; e = e.Within {
		if found := first(e.Default, e.Response); found != "" {
			return found
		}
	}
	return ""
}

// request is the address of GetCapabilities.
func (c *answer) request() string {
	all := []string{c.Service.Online.Text}
	for _, g := range append(c.Request.Capabilities, c.Request.Bare...) {
		all = append(all, g.Resource, g.Online.Href)
	}
	for i := range c.Operations {
		if op := &c.Operations[i]; op.Name == "GetCapabilities" {
			for _, g := range op.Get {
				all = append(all, g.Href)
			}
		}
	}
	return first(all...)
}

// formats takes what the operations answer in. WFS 1.0 names its formats by empty
// elements; OWS Common lists them among other values in the same way.
func (c *answer) formats(s *service) {
	for _, f := range append(c.Request.Map, c.Supported...) {
		s.format(f)
	}
	for _, f := range c.Request.Results.Formats {
		s.format(f.XMLName.Local)
	}
	for i := range c.Operations {
		op := &c.Operations[i]
		if op.Name != "GetFeature" && op.Name != "GetCoverage" && op.Name != "GetRecords" {
			continue
		}
		for _, p := range op.Parameters {
			for _, value := range append(p.Values, p.Allowed...) {
				if strings.Contains(value, "/") && !strings.Contains(value, "://") {
					s.format(value)
				}
			}
		}
	}
}

// take takes layers, each before those in it.
func (s *service) take(list []layer) {
	for i := range list {
		l := &list[i]
		m := catalog.Member{Name: first(l.Name, l.Identifier, l.CoverageID, l.Lower), Title: first(l.Title, l.Label)}
		for _, f := range slices.Concat(l.Formats, l.Outputs, l.Supported) {
			if f = strings.TrimSpace(f); f != "" && len(m.Formats) < listMax {
				m.Formats = append(m.Formats, f)
			}
		}
		if m.Name != "" {
			s.layers++
		}
		if len(s.members) < catalog.ListMax {
			s.members = append(s.members, m)
		}
		s.take(l.Layers)
	}
}

func (s *service) format(raw string) {
	if raw = strings.TrimSpace(raw); raw != "" && len(s.formats) < listMax && !slices.Contains(s.formats, raw) {
		s.formats = append(s.formats, raw)
	}
}

// named drops the groups that cannot be asked for, because they have no name.
func (s *service) named() []catalog.Member {
	return slices.DeleteFunc(s.members, func(m catalog.Member) bool { return m.Name == "" })
}
