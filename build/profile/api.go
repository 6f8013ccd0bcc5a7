package profile

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/getkin/kin-openapi/openapi2"
	"github.com/getkin/kin-openapi/openapi2conv"
	"github.com/getkin/kin-openapi/openapi3"
	"gopkg.in/yaml.v3"

	"github.com/assay-register/assay/build/profile/format"
	"github.com/assay-register/assay/build/profile/infer"
	"github.com/assay-register/assay/build/profile/personal"
	"github.com/assay-register/assay/build/profile/table"
	"github.com/assay-register/assay/render/catalog"
)

// maxFields bounds the fields that all responses of an API have together.
const maxFields = 400

// describeAPI takes the fields of an API from the schemas of its successful
// responses. There are no values, so nothing is linked to an identifier scheme
// and nothing is said about persons but what names of fields say.
func describeAPI(ctx context.Context, data []byte, truncated bool, p *catalog.Profile) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = errors.New("the OpenAPI document breaks its reader; check it with another program")
		}
	}()
	p.Kind = format.OpenAPI
	if truncated {
		return fmt.Errorf("%w: the OpenAPI document is larger than the sample", format.ErrUnsupported)
	}
	doc, err := loadAPI(ctx, data)
	if err != nil {
		return err
	}
	w := &walker{seen: map[string]bool{}}
	for _, method := range []string{http.MethodGet, http.MethodPost} {
		for _, o := range operations(doc, method) {
			w.responses(o.op)
		}
		// What an API answers to changes matters only if it cannot be asked.
		if len(w.fields) > 0 {
			break
		}
	}
	if len(w.fields) == 0 {
		return fmt.Errorf("%w: the document does not describe the fields of any answer", format.ErrUnsupported)
	}
	p.PersonalData = w.classify()
	p.Fields = w.fields
	if n := int64(w.schemas); n > 0 {
		p.DatasetCount = &n
	}
	if w.left {
		p.Notes = append(p.Notes, fmt.Sprintf("only the first %d fields of the responses were looked at", maxFields))
	}
	p.QueryExamples = requests(doc, p.Source)
	return nil
}

// classify marks the fields whose names say that they are about a person.
func (w *walker) classify() catalog.PersonalData {
	columns := make([]personal.Column, len(w.fields))
	for i := range w.fields {
		f := &w.fields[i]
		columns[i] = personal.Column{Open: true, Column: &infer.Column{Column: table.Column{Name: f.Name}, Type: infer.Type(f.Type), Items: infer.Type(f.Items)}}
	}
	verdicts, data := personal.Classify(columns)
	for i, v := range verdicts {
		if v.Mask {
			w.fields[i].Personal, w.fields[i].PersonalConfidence = string(v.Class), v.Confidence
		}
	}
	return data
}

// loadAPI reads OpenAPI 3 and Swagger 2 in JSON or YAML. References to other
// documents are refused: nothing is fetched.
// Document reads an OpenAPI 3 or Swagger 2 document as OpenAPI 3. References to other
// documents are not followed.
func Document(ctx context.Context, data []byte) (doc *openapi3.T, err error) {
	defer func() {
		if r := recover(); r != nil {
			doc, err = nil, errors.New("the OpenAPI document breaks its reader; check it with another program")
		}
	}()
	return loadAPI(ctx, data)
}

func loadAPI(ctx context.Context, data []byte) (*openapi3.T, error) {
	loader := openapi3.NewLoader()
	loader.Context = ctx
	loader.ReadFromURIFunc = func(*openapi3.Loader, *url.URL) ([]byte, error) {
		return nil, errors.New("references to other documents are not followed")
	}
	if !swagger2(data) {
		doc, err := loader.LoadFromData(data)
		if err != nil {
			if mended, ok := withoutStrays(data); ok {
				doc, err = loader.LoadFromData(mended)
			}
		}
		if err != nil {
			return nil, fmt.Errorf("the OpenAPI document cannot be read: %s", reason(err))
		}
		return doc, nil
	}
	var old openapi2.T
	if err := unmarshal(data, &old); err != nil {
		return nil, fmt.Errorf("the Swagger document cannot be read: %s", reason(err))
	}
	doc, err := openapi2conv.ToV3(&old)
	if err == nil {
		err = loader.ResolveRefsIn(doc, nil)
	}
	if err != nil {
		return nil, fmt.Errorf("the Swagger document cannot be read: %s", reason(err))
	}
	return doc, nil
}

// withoutStrays leaves out of the components what is no object, such as a text among
// the schemas, for which the library gives up the whole document.
func withoutStrays(data []byte) (mended []byte, found bool) {
	var tree map[string]any
	if unmarshal(data, &tree) != nil {
		return nil, false
	}
	components, _ := tree["components"].(map[string]any)
	for _, part := range components {
		group, _ := part.(map[string]any)
		for name, v := range group {
			switch v.(type) {
			case map[string]any, bool:
			default:
				delete(group, name)
				found = true
			}
		}
	}
	if !found {
		return nil, false
	}
	mended, err := json.Marshal(tree)
	return mended, err == nil
}

func reason(err error) string {
	text, _, _ := strings.Cut(err.Error(), "\n")
	// The library tries JSON first, whose complaint about YAML tells nothing.
	if _, yes, ok := strings.Cut(text, "yaml error: "); ok && !strings.Contains(text, "json error: json:") {
		text = yes
	}
	return personal.Redact(table.Clip(text, 300))
}

// swagger2 looks for the version among the first members of the document.
func swagger2(data []byte) bool {
	text := string(data[:min(len(data), 64<<10)])
	old, now := strings.Index(text, "swagger"), strings.Index(text, "openapi")
	return old >= 0 && (now < 0 || old < now)
}

// unmarshal reads JSON, or YAML by way of JSON, which the library expects.
func unmarshal(data []byte, to any) error {
	if err := json.Unmarshal(data, to); err == nil {
		return nil
	}
	var tree any
	if err := yaml.Unmarshal(data, &tree); err != nil {
		return err
	}
	text, err := json.Marshal(tree)
	if err != nil {
		return err
	}
	return json.NewDecoder(io.LimitReader(strings.NewReader(string(text)), 8*MaxBytes)).Decode(to)
}

// operation is a request of an API.
type operation struct {
	path string
	item *openapi3.PathItem
	op   *openapi3.Operation
}

// operations lists those of a method in the order of their paths.
func operations(doc *openapi3.T, method string) []operation {
	var out []operation
	if doc.Paths == nil {
		return nil
	}
	paths := doc.Paths.Map()
	for _, path := range slices.Sorted(maps.Keys(paths)) {
		if item := paths[path]; item != nil && item.GetOperation(method) != nil {
			out = append(out, operation{path, item, item.GetOperation(method)})
		}
	}
	return out
}
