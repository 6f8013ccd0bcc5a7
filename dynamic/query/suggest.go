package query

import (
	"net/url"
	"regexp"
	"runtime"
	"strconv"
	"strings"

	"github.com/assay-register/assay/render/search"
	"github.com/assay-register/assay/render/search/segment"
	"github.com/assay-register/assay/render/wire"
)

// langForm is a language of the interface.
var langForm = regexp.MustCompile("^[a-z]{2}$")

// typedMax is the longest text that is completed, in bytes.
const typedMax = 200

// Suggest is a request for suggestions that was found valid.
type Suggest struct {
	// Lang is the reader's language, "" for none.
	Text, Lang string
	Limit      int
	Snapshot   string
}

// String is the normal form: requests with the same answer are equal.
func (s *Suggest) String() string {
	return "lang=" + s.Lang + "&limit=" + strconv.Itoa(s.Limit) + "&q=" + url.QueryEscape(s.Text)
}

// ParseSuggest reads the parameters of the suggestions. All errors come
// together.
func ParseSuggest(values url.Values) (*Suggest, error) {
	params := wire.SuggestionParams()
	p := &parser{values: values, out: &Request{}}
	for i := range params {
		if params[i].Name == "limit" {
			p.out.Limit = params[i].Default.(int)
		}
		if params[i].Name != "q" && params[i].Name != "lang" {
			p.param(&params[i])
		}
	}
	p.unknown(params)
	text, lang := p.query(typedMax), values.Get("lang")
	if len(values["lang"]) > 1 || lang != "" && !langForm.MatchString(lang) {
		p.wrong("lang", lang, "use a code of two letters (ISO 639-1), such as fr")
	}
	if len(p.errors) > 0 {
		return nil, &paramsError{p.errors}
	}
	return &Suggest{text, lang, p.out.Limit, p.out.Snapshot}, nil
}

// kinds are the names of the completions' kinds.
var kinds = map[segment.Kind]string{segment.KindTitle: "title", segment.KindInstitution: "institution", segment.KindTag: "tag"}

// SuggestPage completes what was typed. Where nothing goes on from it, its
// words are mended first.
func (s *Snapshot) SuggestPage(r *Suggest) ([]byte, error) {
	if s.engine == nil {
		return nil, errNoIndex
	}
	seg := s.engine.Segment()
	defer runtime.KeepAlive(seg)
	typed := search.Key(r.Text, "")
	if typed != "" && strings.HasSuffix(r.Text, " ") {
		typed += " "
	}
	out := wire.Suggestions{Query: r.Text, Suggestions: []wire.Suggestion{}, Snapshot: s.ID}
	if typed != "" {
		subjects := begun(s.subjects(), typed, r.Lang)
		out.Suggestions = append(out.Suggestions, subjects[:min(len(subjects), r.Limit)]...)
		list := seg.Complete(typed, r.Limit)
		if len(list) == 0 && len(subjects) == 0 {
			list = seg.Complete(s.engine.Mend(typed), r.Limit)
		}
		list = list[:min(len(list), r.Limit-len(out.Suggestions))]
		for _, c := range list {
			out.Suggestions = append(out.Suggestions, wire.Suggestion{Text: c.Text, Kind: kinds[c.Kind], Entries: int(c.Count)})
		}
	}
	return wire.Seal(out, s.AsOf, true)
}
