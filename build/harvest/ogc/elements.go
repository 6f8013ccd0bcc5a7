package ogc

import (
	"encoding/xml"
	"slices"
	"strings"

	"github.com/assay-register/assay/render/catalog"
)

// attributes takes what stands in attributes: addresses, and the name of an
// operation.
func (w *walker) attributes(t *xml.StartElement) {
	s, href := w.s, attribute(t, "href")
	switch w.at(0) {
	case "Operation":
		w.operation = attribute(t, "name")
	case "OnlineResource":
		switch {
		case w.at(1) == "Service" && s.site == "":
			s.site = href
		case w.within("GetCapabilities") && w.within("Get") && s.request == "":
			s.request = href
		}
	case "Get":
		if w.within("GetCapabilities") && s.request == "" {
			s.request = attribute(t, "onlineResource") // WFS 1.0
		}
		if w.operation == "GetCapabilities" && s.request == "" {
			s.request = href
		}
	case "ProviderSite":
		s.site = href
	}
	// WFS 1.0 names its formats by empty elements.
	if w.at(1) == "ResultFormat" {
		s.format(w.at(0))
	}
}

// end takes the text of the element that ends.
func (w *walker) end(text string) {
	s := w.s
	if text != "" {
		w.header(text)
	}
	switch {
	case w.isLayer():
		w.open = w.open[:len(w.open)-1]
	case len(w.open) > 0:
		w.layer(text)
	case text == "":
	case w.at(0) == "Format" && w.at(1) == "GetMap", w.at(0) == "formats":
		s.format(text)
	case w.operation == "GetFeature" || w.operation == "GetCoverage" || w.operation == "GetRecords":
		if w.at(0) == "Value" && (w.at(1) == "Parameter" || w.at(1) == "AllowedValues") {
			w.parameter(text)
		}
	case w.at(0) == "formatSupported" && w.at(1) == "ServiceMetadata":
		s.format(text)
	}
	if w.at(0) == "Operation" {
		w.operation = ""
	}
}

// parameter takes an allowed value that looks like a format; the operations
// list other values in the same way.
func (w *walker) parameter(text string) {
	if strings.Contains(text, "/") && !strings.Contains(text, "://") {
		w.s.format(text)
	}
}

// header takes the texts about the service as a whole.
func (w *walker) header(text string) {
	s := w.s
	head := w.at(1) == "Service" || w.at(1) == "ServiceIdentification"
	switch w.at(0) {
	case "Title", "label":
		first(&s.title, text, head)
	case "Abstract", "description":
		first(&s.abstract, text, head)
	case "Fees", "fees":
		first(&s.fees, text, head)
	case "AccessConstraints", "accessConstraints":
		first(&s.constraints, text, head)
	case "OnlineResource":
		first(&s.request, text, w.at(1) == "Service") // WFS 1.0
	case "Keyword", "keyword":
		if len(s.keywords) < listMax && (w.at(2) == "Service" || w.at(2) == "ServiceIdentification") {
			s.keywords = append(s.keywords, text)
		}
	case "Keywords":
		if w.at(1) == "Service" {
			s.keywords = strings.Split(text, ",") // WFS 1.0
		}
	case "ContactOrganization", "ProviderName", "organisationName", "organizationName":
		first(&s.publisher, text, len(w.open) == 0)
	case "ContactElectronicMailAddress", "ElectronicMailAddress", "electronicMailAddress":
		first(&s.mail, text, len(w.open) == 0)
	case "Language":
		first(&s.language, text, w.at(1) == "DefaultLanguage" || w.at(1) == "ResponseLanguage")
	case "ServiceException", "ExceptionText":
		first(&s.exception, text, true)
	}
}

// first keeps the first text that is said at the right place.
func first(dst *string, text string, here bool) {
	if here && *dst == "" {
		*dst = text
	}
}

// layer takes the texts of the layer the walker is in.
func (w *walker) layer(text string) {
	i, parent := w.open[len(w.open)-1], w.at(1)
	own := parent == "Layer" || parent == "FeatureType" || parent == "CoverageOfferingBrief" || parent == "CoverageSummary"
	name := own && slices.Contains([]string{"Name", "Identifier", "CoverageId", "name"}, w.at(0))
	if name && text != "" {
		w.s.layers++
	}
	if i < 0 || text == "" {
		return
	}
	m := &w.s.members[i]
	switch w.at(0) {
	case "Name", "Identifier", "CoverageId", "name":
		first(&m.Name, text, own)
	case "Title", "label":
		first(&m.Title, text, own)
	case "Format":
		if (own || parent == "OutputFormats") && len(m.Formats) < listMax {
			m.Formats = append(m.Formats, text)
		}
	case "SupportedFormat":
		if len(m.Formats) < listMax {
			m.Formats = append(m.Formats, text)
		}
	}
}

func (s *service) format(raw string) {
	if raw != "" && len(s.formats) < listMax && !slices.Contains(s.formats, raw) {
		s.formats = append(s.formats, raw)
	}
}

// named drops the groups that cannot be asked for, because they have no name.
func (s *service) named() []catalog.Member {
	return slices.DeleteFunc(s.members, func(m catalog.Member) bool { return m.Name == "" })
}
