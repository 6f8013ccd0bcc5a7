package setup

import (
	"errors"
	"fmt"
	"regexp"
	"strconv"

	"github.com/spf13/cobra"
	"gopkg.in/yaml.v3"

	"github.com/assay-register/assay/build/harvest"
	"github.com/assay-register/assay/render/catalog"
)

// Source is a catalogue as the configuration file describes it. What is left
// out of a source that ships with the product stays as it ships.
type Source struct {
	Key, Kind, URL, Endpoint, File, Title string
	Country, Institution, Official        string
	Schedule                              string
	Filters                               map[string]string
	// Enabled is true when it is left out: who writes a source down wants it.
	Enabled     *bool
	Incremental bool
	// Portal is nil when it is left out: what is known of the source stays.
	Portal *bool
	// Place is the file and the line of the source, for messages.
	Place string
}

// Field is one key of a source.
type Field struct {
	Key, Meaning string
	set          func(*Source, *yaml.Node) error
}

// SourceFields lists the keys of a source in the order in which they are
// explained.
func SourceFields() []Field {
	return []Field{
		{"key", "its name among the sources, of small letters, digits and hyphens; that of a source that ships with the product takes over all that is left out", text(func(s *Source) *string { return &s.Key }, sourceName)},
		{"kind", "its protocol, one of those that `assay harvest --help` lists", text(func(s *Source) *string { return &s.Kind }, kind)},
		{"url", "address of the catalogue", text(func(s *Source) *string { return &s.URL }, URL)},
		{"endpoint", "address of its interface, where that is another one", text(func(s *Source) *string { return &s.Endpoint }, URL)},
		{"file", "file or folder that is read instead of the address", text(func(s *Source) *string { return &s.File }, nil)},
		{"title", "what it is called on the pages", text(func(s *Source) *string { return &s.Title }, nil)},
		{"country", "country of records that name none, two letters (ISO 3166-1 alpha-2)", text(func(s *Source) *string { return &s.Country }, Country)},
		{"institution", "institution of records whose publisher is not known: its key or id", text(func(s *Source) *string { return &s.Institution }, nil)},
		{"official", "the reason why all that it lists is public at once; without it, entries are admitted by the rules of officialness or by a moderator", text(func(s *Source) *string { return &s.Official }, nil)},
		{"schedule", "when it is harvested: hourly, daily, weekly, monthly or a duration such as 6h", text(func(s *Source) *string { return &s.Schedule }, schedule)},
		{"filters", "keys and values that narrow what is asked for, as its kind knows them", setFilters},
		{"enabled", "false leaves it out of what is harvested by itself", setEnabled},
		{"incremental", "true asks for what changed since the last complete run, where the protocol can tell", setIncremental},
		{"portal", "true for a catalogue that lists what others publish: its host tells who hosts, not who publishes", setPortal},
	}
}

// Sources reads the sources of the configuration file. They are nil when there
// is no file, which says nothing of any, and empty when a file lists none.
func Sources(cmd *cobra.Command) ([]Source, error) {
	f, err := readFile(cmd)
	if err != nil || f.values == nil {
		return nil, err
	}
	return f.readSources()
}

func (f *file) readSources() ([]Source, error) {
	list := []Source{}
	if f.sources == nil || empty(f.sources) {
		return list, nil
	}
	if f.sources.Kind != yaml.SequenceNode {
		return nil, fmt.Errorf("%s: sources: write a list of sources, each beginning with \"- key:\"", f.at(f.sources.Line))
	}
	var errs []error
	for _, n := range f.sources.Content {
		n = resolve(n)
		s, err := f.readSource(n)
		s.Place = f.at(n.Line)
		list, errs = append(list, s), append(errs, err)
	}
	return list, errors.Join(errs...)
}

func (f *file) readSource(n *yaml.Node) (s Source, err error) {
	if n.Kind != yaml.MappingNode {
		return s, fmt.Errorf("%s: sources: write keys and values, such as key: %s", f.at(n.Line), n.Value)
	}
	fields, names := map[string]Field{}, []string{}
	for _, field := range SourceFields() {
		fields[field.Key], names = field, append(names, field.Key)
	}
	var errs []error
	err = pairs(f, n, func(k, v *yaml.Node) {
		field, known := fields[k.Value]
		switch {
		case !known:
			errs = append(errs, fmt.Errorf("%s: a source has no key %q%s", f.at(k.Line), k.Value, meant(k.Value, names)))
		case !empty(v):
			if err := field.set(&s, v); err != nil {
				errs = append(errs, fmt.Errorf("%s: %s: %w", f.at(k.Line), k.Value, err))
			}
		}
	})
	if err == nil && s.Key == "" && len(errs) == 0 {
		err = fmt.Errorf("%s: the source has no key: give it one of small letters, digits and hyphens, such as gr-data-gov", f.at(n.Line))
	}
	return s, errors.Join(append(errs, err)...)
}

// text sets a field that takes one value, which a rule may bound.
func text(at func(*Source) *string, check func(string) error) func(*Source, *yaml.Node) error {
	return func(s *Source, n *yaml.Node) error {
		if n.Kind != yaml.ScalarNode {
			return errors.New("write one value")
		}
		*at(s) = n.Value
		if check == nil || n.Value == "" {
			return nil
		}
		if err := check(n.Value); err != nil {
			return fmt.Errorf("%q: %w", n.Value, err)
		}
		return nil
	}
}

var sourceKey = regexp.MustCompile(`^[a-z0-9]+(-[a-z0-9]+)*$`)

// sourceKeyMax bounds the keys of sources, in bytes.
const sourceKeyMax = 64

func sourceName(s string) error {
	if !sourceKey.MatchString(s) || len(s) > sourceKeyMax {
		return remedy("use small letters, digits and hyphens, such as gr-data-gov")
	}
	return nil
}

func kind(s string) error {
	if near := Nearest(s, harvest.Kinds()); near != "" && near != s {
		return remedy("there is no such protocol; did you mean " + near + "?")
	}
	return OneOf(harvest.Kinds()...)(s)
}

func schedule(s string) error {
	if _, err := catalog.ParseSchedule(s); err != nil {
		return remedy("use hourly, daily, weekly, monthly, or a duration such as 36h")
	}
	return nil
}

func truth(n *yaml.Node) (bool, error) {
	b, err := strconv.ParseBool(n.Value)
	if err != nil || n.Kind != yaml.ScalarNode {
		return false, fmt.Errorf("%q: %s", n.Value, shapes["bool"])
	}
	return b, nil
}

func setEnabled(s *Source, n *yaml.Node) error {
	b, err := truth(n)
	s.Enabled = &b
	return err
}

func setIncremental(s *Source, n *yaml.Node) (err error) {
	s.Incremental, err = truth(n)
	return err
}

func setPortal(s *Source, n *yaml.Node) error {
	b, err := truth(n)
	s.Portal = &b
	return err
}

func setFilters(s *Source, n *yaml.Node) error {
	if n.Kind != yaml.MappingNode {
		return errors.New("write keys and values, such as {organization: harbour-board}")
	}
	s.Filters = map[string]string{}
	for i := 0; i+1 < len(n.Content); i += 2 {
		k, v := n.Content[i], resolve(n.Content[i+1])
		if v.Kind != yaml.ScalarNode {
			return fmt.Errorf("%s: write one value", k.Value)
		}
		s.Filters[k.Value] = v.Value
	}
	return nil
}
