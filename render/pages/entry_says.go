package pages

import (
	"cmp"
	"slices"
	"strings"

	"github.com/assay-register/assay/render/catalog"
	"github.com/assay-register/assay/templates/entry"
)

// terms say in a line what may be done with the entry.
func (v *view) terms() entry.Terms {
	l := v.Licence
	switch {
	case l != nil:
		return entry.Terms{Key: termsKey(l), Licence: licenceName(l), Link: l.URL}
	case strings.TrimSpace(v.e.LicenseRaw) != "":
		raw := strings.TrimSpace(v.e.LicenseRaw)
		return entry.Terms{Key: "terms.stated", Licence: clip(raw, 90), Link: raw}
	case v.termsURL() != "":
		return entry.Terms{Key: "terms.stated", Licence: clip(v.termsURL(), 60), Link: v.termsURL()}
	case len(v.fileTerms()) > 0:
		return entry.Terms{Key: "terms.files"}
	}
	return entry.Terms{Key: "terms.none"}
}

func (v *view) termsURL() string {
	if d := v.e.API; d != nil && linkable(d.TermsURL) {
		return d.TermsURL
	}
	return ""
}

// termsKey is the string that sums a licence up. What it does not say is not promised.
func termsKey(l *catalog.Licence) string {
	switch {
	case l.CommercialUse == catalog.RightNo:
		return "terms.noncommercial"
	case l.Modification == catalog.RightNo:
		return "terms.unchanged"
	case l.CommercialUse != catalog.RightYes || l.Redistribution != catalog.RightYes || l.Modification != catalog.RightYes:
		return "terms.licence"
	case l.ShareAlike == catalog.RightYes:
		return "terms.share"
	case l.AttributionRequired == catalog.RightYes:
		return "terms.attribution"
	case l.AttributionRequired == catalog.RightNo:
		return "terms.free"
	}
	return "terms.licence"
}

// licenceName is what people call a licence: CC BY-SA 4.0, not its SPDX id.
func licenceName(l *catalog.Licence) string {
	if rest, ok := strings.CutPrefix(l.ID, "CC-"); ok {
		if i := strings.LastIndexByte(rest, '-'); i > 0 {
			return "CC " + rest[:i] + " " + rest[i+1:]
		}
	}
	if rest, ok := strings.CutPrefix(l.ID, "CC0-"); ok {
		return "CC0 " + rest
	}
	return cmp.Or(l.Title, l.ID)
}

// access says in a line who gets it, and whether it answers.
func (v *view) access() entry.Access {
	a := entry.Access{Key: accessKey(v.e.FreeAccessClass, v.e.AccessRights), State: string(v.Result.State)}
	if st := v.Row.State; st != nil {
		a.At, a.Checked = st.SucceededAt, st.LastCheckedAt
	}
	return a
}

// accessKey is the text that says how one gets in; where that is not known, who may
// (decisions-2 §C).
func accessKey(class catalog.FreeAccessClass, rights catalog.AccessRights) string {
	if class == catalog.AccessUnknown && rights != "" {
		return "access." + string(rights)
	}
	return "access." + string(class)
}

// fresh says in a line how old the data are.
func (v *view) fresh() entry.Fresh {
	return entry.Fresh{Modified: v.e.SourceModifiedAt, Frequency: v.frequency()}
}

// frequency is a code of the EU frequency table, "" for none.
func (v *view) frequency() string {
	switch e := v.e; {
	case e.Dataset != nil:
		return e.Dataset.Frequency
	case e.API != nil:
		return e.API.Frequency
	}
	return ""
}

// rights are what may be done, right by right; silence is "unknown".
func (v *view) rights() entry.Rights {
	r := entry.Rights{Terms: v.termsURL(), Files: v.fileTerms()}
	l := v.Licence
	if l == nil {
		r.Raw = clip(strings.TrimSpace(v.e.LicenseRaw), 300)
		return r
	}
	r.Licence = cmp.Or(l.Title, l.ID)
	for _, answer := range [...]catalog.Right{l.Open, l.CommercialUse, l.Redistribution, l.Modification, l.AttributionRequired, l.ShareAlike} {
		r.Answers = append(r.Answers, answerOf(answer))
	}
	return r
}

// fileTermsMax is how many different terms of files are named.
const fileTermsMax = 10

// fileTerms are the terms that files state and the entry does not, in the order of the files.
func (v *view) fileTerms() (list []entry.FileTerms) {
	if v.e.Dataset == nil {
		return nil
	}
	for i := range v.e.Dataset.Distributions {
		d := &v.e.Dataset.Distributions[i]
		raw := strings.TrimSpace(d.LicenseRaw)
		x := entry.FileTerms{Name: clip(raw, 90), Link: raw, Files: 1}
		if d.LicenseID != "" { // named without the table of licences, on which the page does not depend for them
			x.Name = licenceName(&catalog.Licence{ID: d.LicenseID})
		}
		if x.Name == "" || d.LicenseID == v.e.LicenseID && (d.LicenseID != "" || raw == strings.TrimSpace(v.e.LicenseRaw)) {
			continue
		}
		if at := slices.IndexFunc(list, func(o entry.FileTerms) bool { return o.Name == x.Name }); at >= 0 {
			list[at].Files++
		} else if len(list) < fileTermsMax {
			list = append(list, x)
		}
	}
	return list
}

// answerOf is a right as a string of the interface.
func answerOf(r catalog.Right) string {
	switch r {
	case catalog.RightYes:
		return "yes"
	case catalog.RightNo:
		return "no"
	}
	return "unknown"
}
