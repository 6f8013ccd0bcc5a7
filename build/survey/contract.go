package survey

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"path"
	"strings"

	"github.com/assay-register/assay/build/contract"
	"github.com/assay-register/assay/build/profile"
	"github.com/assay-register/assay/build/verify"
	"github.com/assay-register/assay/render/artifact"
	"github.com/assay-register/assay/render/catalog"
)

// keptContract is a version of a contract as it is kept: canonical JSON among the
// evidence of the entry, by its hash.
type keptContract struct {
	Form string `json:"manifest"`
	catalog.ContractVersion
	Contract *contract.Contract `json:"contract"`
}

// contractChange is what the event of a change says of the versions.
type contractChange struct {
	Kind string `json:"kind"`
	From int    `json:"from_version"`
	To   int    `json:"to_version"`
	// Compatible tells that clients go on.
	Compatible bool `json:"compatible"`
}

// lookAtService reads the description of a service that describes itself by its
// protocol. One that cannot be read, or not to its end, has no contract.
func lookAtService(ctx context.Context, client *http.Client, d *catalog.APIDetails) (*findings, error) {
	address, parse := serviceOf(d)
	if address == "" {
		return nil, nil
	}
	data, _, err := read(ctx, client, address)
	if err != nil {
		return nil, fmt.Errorf("the description of the service: %w", err)
	}
	if len(data) > profile.MaxBytes {
		return nil, nil
	}
	c, err := parse(data)
	if err != nil {
		return nil, nil
	}
	return &findings{contract: c, source: address}, nil
}

// serviceOf is where a service describes itself, and how that is read.
func serviceOf(d *catalog.APIDetails) (address string, read func([]byte) (*contract.Contract, error)) {
	u, err := url.Parse(d.BaseURL)
	if err != nil || d.BaseURL == "" {
		return "", nil
	}
	switch format := d.SpecFormat; {
	case format == "ogc-api":
		u.Path, u.RawQuery = strings.TrimRight(u.Path, "/")+"/collections", "f=json"
		return u.String(), contract.FromCollections
	case strings.HasPrefix(format, "ogc-w"):
		return verify.OGCURL(d.BaseURL, format), contract.FromCapabilities
	case format == "odata":
		return verify.ODataURL(d.BaseURL), contract.FromOData
	case format == "sdmx":
		return sdmxURL(u), contract.FromSDMX
	}
	return "", nil
}

// sdmxURL asks for the structure of the dataflow that an address of data names, else
// for the list of dataflows (SDMX REST 1.5, structural metadata queries).
func sdmxURL(u *url.URL) string {
	root, rest, found := strings.Cut(u.Path, "/data/")
	u.RawQuery = "references=none"
	if !found {
		u.Path = strings.TrimRight(u.Path, "/") + "/dataflow/all/all/latest"
		return u.String()
	}
	flow, _, _ := strings.Cut(path.Clean(rest), "/")
	if parts := strings.Split(flow, ","); len(parts) > 1 {
		flow = parts[1]
	}
	u.Path, u.RawQuery = root+"/dataflow/all/"+flow+"/latest", "references=datastructure"
	return u.String()
}

// keepContract stores the first contract of an entry and each that differs from the
// one before, with its event. The result is that of the look: the severity of the
// change, if there is one. old is the profile before the one of the look, if there are some.
func (w *change) keepContract(ctx context.Context, tx catalog.Tx, f *findings, old *catalog.Profile, result string) (string, error) {
	if f.contract == nil && !f.sampled {
		return result, nil
	}
	last, err := latestContract(ctx, tx, w.Entry.ID)
	if err != nil {
		return result, err
	}
	var counted []catalog.FieldChange
	if f.sampled {
		var known *contract.Contract
		if last != nil {
			known, counted = last.Contract, counts(old, f.profile)
		}
		if f.contract, err = contract.FromSample(known, old, f.profile); err != nil {
			return result, nil // a sample without columns has none
		}
	}
	next := keptContract{Form: catalog.ContractForm, Contract: f.contract, ContractVersion: catalog.ContractVersion{Version: 1, Kind: f.contract.Kind, Source: f.source}}
	if last != nil {
		d, err := contract.Compare(last.Contract, f.contract)
		if err != nil || len(d.Changes) == 0 {
			return result, nil // what cannot be compared has not been seen to change
		}
		next.Version, next.Severity, next.Changes = last.Version+1, d.Severity, d.Changes[:min(len(d.Changes), maxChanges)]
		severity := severityOf(d.Severity)
		if result == Unchanged || result == First {
			result = severity
		}
		counted = append(counted, toldOf(last.Version, severity, next.Changes)...)
		w.Event(catalog.EventSchemaChanged, counted, &schemaChange{ProfileSource: f.source, drift: driftOf(severity, next.Changes),
			Contract: &contractChange{Kind: f.contract.Kind, From: last.Version, To: next.Version, Compatible: d.Severity == contract.Compatible}})
	}
	body, err := json.Marshal(next)
	if err != nil {
		return result, fmt.Errorf("contract of %s: %w", w.Entry.ID, err)
	}
	sum := sha256.Sum256(body)
	e := catalog.Evidence{EntryID: w.Entry.ID, SHA256: hex.EncodeToString(sum[:]), Body: body, Media: artifact.JSON, CreatedAt: w.At}
	e.ID = catalog.NewID("evidence", e.EntryID+" "+e.SHA256)
	return result, tx.Evidences().Put(ctx, e)
}

// latestContract is the last version that is kept of an entry, nil without.
func latestContract(ctx context.Context, tx catalog.Tx, entryID string) (last *keptContract, err error) {
	var body []byte
	version := 0
	err = tx.Evidences().Scan(ctx, catalog.Only(entryID), func(e *catalog.Evidence) error {
		if v, ok := catalog.ContractVersionOf(e); ok && v.Version > version {
			version, body = v.Version, append(body[:0], e.Body...)
		}
		return nil
	})
	if err != nil || version == 0 {
		return nil, err
	}
	last = &keptContract{}
	if err := json.Unmarshal(body, last); err != nil {
		return nil, fmt.Errorf("kept contract of %s: %w", entryID, err)
	}
	return last, nil
}

// toldOf is what the change feed, webhooks and mail say of a change: the versions, the severity
// and the rules with the parts that they touch and the sentence of those that have one, as many as a value of a change may have.
func toldOf(last int, severity string, list []catalog.ContractChange) []catalog.FieldChange {
	rules, size := []string{}, 0
	for _, c := range list {
		text := strings.TrimSpace(c.Severity + " " + c.Kind + " " + c.Field)
		if c.Text != "" {
			text += ": " + c.Text
		}
		if size += len(text) + 3; size > toldMax {
			break
		}
		rules = append(rules, text)
	}
	null := json.RawMessage("null")
	return []catalog.FieldChange{
		{Field: "contract.changes", From: null, To: verify.Encoded(rules)},
		{Field: "contract.severity", From: null, To: verify.Encoded(severity)},
		{Field: "contract.version", From: verify.Encoded(last), To: verify.Encoded(last + 1)},
	}
}

// toldMax bounds the texts of rules that are told, in bytes: longer values of a change are left out
// as a whole (wire.NewFeedEvent).
const toldMax = 600

// Severities in the data of entry.schema_changed.
const (
	Breaking = "breaking"
	Additive = "additive"
)

// severityOf is the word of events for a severity.
func severityOf(s string) string {
	if s == contract.Breaking {
		return Breaking
	}
	return Additive
}

// drift is how a source changed, in the words of events.
type drift struct {
	Severity string        `json:"severity"`
	Changes  []driftChange `json:"changes,omitempty"`
}

// driftChange is one difference. It holds names and types, never values of data.
type driftChange struct {
	Severity string `json:"severity"`
	// Kind is the rule by which it was judged: "column.removed".
	Kind  string `json:"kind"`
	Field string `json:"field,omitempty"`
	From  string `json:"from,omitempty"`
	To    string `json:"to,omitempty"`
}

func driftOf(severity string, list []catalog.ContractChange) drift {
	d := drift{Severity: severity}
	for _, c := range list {
		d.Changes = append(d.Changes, driftChange{severityOf(c.Severity), c.Kind, c.Field, c.From, c.To})
	}
	return d
}
