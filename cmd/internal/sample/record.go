package sample

import (
	"bytes"
	"embed"
	"fmt"
	"io/fs"
	"path"
	"time"

	"gopkg.in/yaml.v3"
)

//go:embed register/*.yaml
var register embed.FS

const portalsFile = "register/portals.yaml"

// portal is a catalogue that lists some of the records.
type portal struct {
	Key         string `yaml:"key"`
	Title       string `yaml:"title"`
	URL         string `yaml:"url"`
	Country     string `yaml:"country"`
	Institution string `yaml:"institution"`
	Official    string `yaml:"official"`
}

// record is one source of the sample register.
type record struct {
	Name          string         `yaml:"name"`
	NameEn        string         `yaml:"name_en"`
	Lang          string         `yaml:"lang"`
	Type          string         `yaml:"type"`
	URL           string         `yaml:"url"`
	Homepage      string         `yaml:"homepage"`
	Docs          string         `yaml:"docs"`
	Repo          string         `yaml:"repo"`
	Logo          string         `yaml:"logo"`
	Description   string         `yaml:"description"`
	DescriptionEn string         `yaml:"description_en"`
	Country       string         `yaml:"country"`
	Institution   string         `yaml:"institution"`
	License       string         `yaml:"license"`
	Auth          string         `yaml:"auth"`
	Access        string         `yaml:"access"`
	Tags          []string       `yaml:"tags"`
	Formats       []string       `yaml:"formats"`
	Themes        []string       `yaml:"themes"`
	UpstreamRef   string         `yaml:"upstream_ref"`
	Issued        time.Time      `yaml:"issued"`
	Modified      time.Time      `yaml:"modified"`
	Contact       *contact       `yaml:"contact"`
	Portal        string         `yaml:"portal"`
	ThirdParty    bool           `yaml:"third_party"`
	API           *apiRecord     `yaml:"api"`
	Dataset       *datasetRecord `yaml:"dataset"`
	MCP           *mcpRecord     `yaml:"mcp"`
	Members       []member       `yaml:"members"`
	Signals       signals        `yaml:"signals"`
	Data          data           `yaml:"data"`
	Target        *target        `yaml:"target"`
	Review        *review        `yaml:"review"`
	Uses          uses           `yaml:"uses"`
	Checks        checks         `yaml:"checks"`
	Lifecycle     lifecycle      `yaml:"lifecycle"`

	place string
}

type contact struct {
	Name string `yaml:"name"`
	URL  string `yaml:"url"`
}

type apiRecord struct {
	BaseURL    string     `yaml:"base_url"`
	OpenAPIURL string     `yaml:"openapi_url"`
	GraphQLURL string     `yaml:"graphql_url"`
	SpecFormat string     `yaml:"spec_format"`
	Version    string     `yaml:"version"`
	PingURL    string     `yaml:"ping_url"`
	RateLimit  string     `yaml:"rate_limit"`
	FreeTier   string     `yaml:"free_tier"`
	TermsURL   string     `yaml:"terms_url"`
	Endpoints  []endpoint `yaml:"endpoints"`
}

type endpoint struct {
	Method  string `yaml:"method"`
	Path    string `yaml:"path"`
	Summary string `yaml:"summary"`
}

type datasetRecord struct {
	LandingPage string   `yaml:"landing_page"`
	Frequency   string   `yaml:"frequency"`
	Spatial     []string `yaml:"spatial"`
	Temporal    struct {
		Start time.Time `yaml:"start"`
		End   time.Time `yaml:"end"`
	} `yaml:"temporal"`
	Distributions []distribution `yaml:"distributions"`
}

type distribution struct {
	Title     string `yaml:"title"`
	URL       string `yaml:"url"`
	Format    string `yaml:"format"`
	MediaType string `yaml:"media_type"`
	Bytes     int64  `yaml:"bytes"`
}

type mcpRecord struct {
	Endpoint  string `yaml:"endpoint"`
	Transport string `yaml:"transport"`
	Version   string `yaml:"version"`
	Tools     []tool `yaml:"tools"`
}

type tool struct {
	Name        string `yaml:"name"`
	Description string `yaml:"description"`
}

type member struct {
	Name    string   `yaml:"name"`
	Title   string   `yaml:"title"`
	URL     string   `yaml:"url"`
	Formats []string `yaml:"formats"`
}

// signals are recorded proofs of officialness, each the URL or name that shows
// it; the domain is proved when the sample is loaded.
type signals struct {
	Backlink   string `yaml:"backlink"`
	Github     string `yaml:"github"`
	Reciprocal string `yaml:"reciprocal"`
	Policy     string `yaml:"policy"`
}

// data names the files of the folder data with which the address that is
// sampled answers: small files of our own in the shape of the source's.
type data struct {
	File string `yaml:"file"`
	// Before is what lay there in the middle of the trace.
	Before string `yaml:"before"`
	// Unreadable marks a source that is looked at although no file of it has a
	// format that is profiled.
	Unreadable bool `yaml:"unreadable"`
}

// uses are how often readers used the entry in the middle of the trace.
type uses struct {
	Watches   int `yaml:"watches"`
	Citations int `yaml:"citations"`
	Proxied   int `yaml:"proxied"`
}

// review is a curator's reading of a licence.
type review struct {
	License string    `yaml:"license"`
	Reason  string    `yaml:"reason"`
	At      time.Time `yaml:"at"`
}

// target is a reliability target, in percent over days.
type target struct {
	Availability float64 `yaml:"availability"`
	Days         int     `yaml:"days"`
	Reason       string  `yaml:"reason"`
}

// checks is a run-length trace of slots, oldest first: U up, A up behind
// credentials, T time-out, D name not found, S TLS error, H server error, N
// not found, W wrong content type, R rate limited, - no check.
type checks struct {
	Trace   string `yaml:"trace"`
	Latency int    `yaml:"latency"`
}

type lifecycle struct {
	Deprecated *struct {
		Reason    string    `yaml:"reason"`
		Successor string    `yaml:"successor"`
		Sunset    time.Time `yaml:"sunset"`
		At        time.Time `yaml:"at"`
	} `yaml:"deprecated"`
	MergedInto string    `yaml:"merged_into"`
	Pending    bool      `yaml:"pending"`
	Removed    string    `yaml:"removed"`
	PublishAt  time.Time `yaml:"publish_at"`
	Moderated  string    `yaml:"moderated"`
}

// read decodes the embedded register.
func read() ([]portal, []*record, error) {
	var portals []portal
	if err := decode(portalsFile, &portals); err != nil {
		return nil, nil, err
	}
	files, err := fs.Glob(register, "register/*.yaml")
	if err != nil {
		return nil, nil, err
	}
	var records []*record
	for _, file := range files {
		if file == portalsFile {
			continue
		}
		var list []*record
		if err := decode(file, &list); err != nil {
			return nil, nil, err
		}
		for i, r := range list {
			r.place = fmt.Sprintf("%s, record %d", path.Base(file), i+1)
		}
		records = append(records, list...)
	}
	return portals, records, nil
}

func decode(file string, into any) error {
	b, err := register.ReadFile(file)
	if err != nil {
		return err
	}
	d := yaml.NewDecoder(bytes.NewReader(b))
	d.KnownFields(true)
	if err := d.Decode(into); err != nil {
		return fmt.Errorf("sample %s: %w", file, err)
	}
	return nil
}
