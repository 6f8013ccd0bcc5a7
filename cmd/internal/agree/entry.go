package main

import "time"

// entry is what the JSON of an entry says, as far as pages say it too.
type entry struct {
	ID              string     `json:"id"`
	Slug            string     `json:"slug"`
	Name            string     `json:"name"`
	Type            string     `json:"type"`
	Status          string     `json:"status"`
	State           string     `json:"verification_state"`
	Class           string     `json:"free_access_class"`
	Auth            string     `json:"auth_type"`
	Rights          *string    `json:"access_rights"`
	Confidence      *int       `json:"official_confidence"`
	Ranking         float64    `json:"ranking_score"`
	Trust           float64    `json:"trust_score"`
	Quality         float64    `json:"mqa_score"`
	Tier            string     `json:"mqa_tier"`
	SourceID        *string    `json:"source_id"`
	Created         time.Time  `json:"created_at"`
	Updated         time.Time  `json:"updated_at"`
	Published       *time.Time `json:"published_at"`
	SourceIssued    *time.Time `json:"source_issued_at"`
	SourceModified  *time.Time `json:"source_modified_at"`
	Sunset          *time.Time `json:"sunset_at"`
	Deprecation     *time.Time `json:"deprecation_at"`
	Licence         *licence   `json:"license"`
	LicenceRaw      *string    `json:"license_raw"`
	Reuse           reuse      `json:"reuse"`
	Check           *check     `json:"latest_check"`
	Profile         *profile   `json:"data_profile"`
	Maturity        maturity   `json:"maturity"`
	Dataset         *dataset   `json:"dataset_details"`
	API             *api       `json:"api_details"`
	MCP             *server    `json:"mcp_details"`
	ContentChanged  time.Time  `json:"content_changed_at"`
	NativeLang      string     `json:"native_lang"`
	GeographicScope string     `json:"geographic_scope"`
}

type licence struct {
	ID, Title string
	URL       *string
	Open      string
}

// right is a right by the table of licences, Value nil where it is not known.
type right struct{ Value *bool }

type reuse struct {
	Commercial     right `json:"commercial_use"`
	Redistribution right `json:"redistribution"`
	Attribution    right `json:"attribution_required"`
	ShareAlike     right `json:"share_alike"`
}

type check struct {
	At        time.Time  `json:"last_checked_at"`
	Succeeded *time.Time `json:"probe_succeeded_at"`
	P50       *int       `json:"p50_latency_ms"`
	P95       *int       `json:"p95_latency_ms"`
	Method    string     `json:"probe_method"`
	URL       string     `json:"probe_url"`
	HTTP      *int       `json:"probe_http_status"`
}

type profile struct {
	Records    *int64     `json:"record_count"`
	Estimated  bool       `json:"record_count_estimated"`
	Size       *int64     `json:"data_size_bytes"`
	FieldCount int        `json:"field_count"`
	Fields     []field    `json:"fields"`
	Profiled   *time.Time `json:"profiled_at"`
}

type field struct {
	Name, Type string
	Personal   *string
	Spread     *spread
}

// spread is how the sampled values of a column are distributed.
type spread struct {
	Values, Missing int
	Top             []struct {
		Value string
		Count int
	}
}

type maturity struct {
	Level string
	Index int `json:"level_index"`
	Rungs []struct {
		Level        string
		Met, Reached bool
	}
	Officialness struct{ Basis string }
}

type dataset struct {
	Start         *time.Time `json:"temporal_start"`
	End           *time.Time `json:"temporal_end"`
	Distributions []file
}

type file struct {
	Access   *string    `json:"access_url"`
	Download *string    `json:"download_url"`
	Format   *string    `json:"format"`
	Size     *int64     `json:"byte_size"`
	Modified *time.Time `json:"modified_at"`
	Licence  *string    `json:"license"`
	Raw      *string    `json:"license_raw"`
}

type api struct {
	Terms     *string `json:"terms_url"`
	Version   *string `json:"api_version"`
	Endpoints []struct{ Method, Path string }
}

type server struct {
	Version   *string
	Transport *string
	Tools     []struct{ Name string }
}

// score is what the register publishes of how an entry was scored.
type score struct {
	Quality float64 `json:"mqa_score"`
	Tier    string  `json:"mqa_tier"`
	Trust   float64 `json:"trust_score"`
	Ranking float64 `json:"ranking_score"`
	Axes    []struct {
		ID       string
		Weight   int
		Value    *float64
		Findings []struct {
			Points, Max float64
		}
	}
}

// origin is where a field comes from.
type origin struct {
	Field, Basis string
}
