package setup

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"

	"github.com/spf13/cobra"
	"gopkg.in/yaml.v3"
)

// sourcesKey is the one key of the configuration file that is no flag.
const sourcesKey = "sources"

// Source is a catalogue as the configuration file describes it. What is left
// out of a source that ships with the product stays as it ships.
type Source struct {
	Key         string            `yaml:"key"`
	Kind        string            `yaml:"kind"`
	URL         string            `yaml:"url"`
	Endpoint    string            `yaml:"endpoint"`
	File        string            `yaml:"file"`
	Title       string            `yaml:"title"`
	Country     string            `yaml:"country"`
	Institution string            `yaml:"institution"`
	Official    string            `yaml:"official"`
	Schedule    string            `yaml:"schedule"`
	Filters     map[string]string `yaml:"filters"`
	// Enabled is true when it is left out: who writes a source down wants it.
	Enabled     *bool `yaml:"enabled"`
	Incremental bool  `yaml:"incremental"`
	// Place is the file and the line of the source, for messages.
	Place string `yaml:"-"`
}

// Sources reads the sources of the configuration file; there are none when
// there is no file.
func Sources(cmd *cobra.Command) ([]Source, error) {
	path, named := configPath(cmd)
	b, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) && !named {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("configuration: %w", err)
	}
	return parseSources(path, b)
}

func parseSources(path string, b []byte) ([]Source, error) {
	var file struct {
		Sources []Source             `yaml:"sources"`
		Rest    map[string]yaml.Node `yaml:",inline"`
	}
	dec := yaml.NewDecoder(bytes.NewReader(b))
	dec.KnownFields(true)
	if err := dec.Decode(&file); err != nil && !errors.Is(err, io.EOF) {
		return nil, fmt.Errorf("configuration %s: %w; a source has key, kind, url or file, endpoint, title, country, institution, official, schedule, filters, enabled, incremental", path, err)
	}
	lines := sourceLines(b)
	for i := range file.Sources {
		file.Sources[i].Place = "configuration " + path
		if i < len(lines) {
			file.Sources[i].Place += fmt.Sprintf(", line %d", lines[i])
		}
	}
	return file.Sources, nil
}

// sourceLines gives the line of each source.
func sourceLines(b []byte) []int {
	var doc struct {
		Sources []yaml.Node `yaml:"sources"`
	}
	if yaml.Unmarshal(b, &doc) != nil {
		return nil
	}
	lines := make([]int, len(doc.Sources))
	for i := range doc.Sources {
		lines[i] = doc.Sources[i].Line
	}
	return lines
}
