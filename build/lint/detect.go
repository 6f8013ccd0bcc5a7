package lint

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/assay-register/assay/build/harvest/apigouvfr"
	"github.com/assay-register/assay/build/harvest/apisguru"
	"github.com/assay-register/assay/build/harvest/ckan"
	"github.com/assay-register/assay/build/harvest/datajson"
	"github.com/assay-register/assay/build/harvest/dcatap"
	"github.com/assay-register/assay/build/harvest/iso"
	"github.com/assay-register/assay/build/harvest/mcpregistry"
	"github.com/assay-register/assay/build/harvest/ods"
	"github.com/assay-register/assay/build/harvest/ogcrecords"
	"github.com/assay-register/assay/build/harvest/openapidoc"
	"github.com/assay-register/assay/build/harvest/socrata"
	"github.com/assay-register/assay/build/harvest/source"
	"github.com/assay-register/assay/build/harvest/udata"
	"github.com/assay-register/assay/build/harvest/ukapicatalogue"
	"github.com/assay-register/assay/build/rdf"
)

// headMax is how much of a document is looked at to tell what it is.
const headMax = 256 << 10

// sign is what gives a kind away in the beginning of a document.
type sign struct {
	kind string
	all  []*regexp.Regexp
}

func signs(kind string, words ...string) sign {
	s := sign{kind: kind}
	for _, w := range words {
		s.all = append(s.all, regexp.MustCompile(w))
	}
	return s
}

// bySigns are the kinds, the surest first.
var bySigns = []sign{
	signs(openapidoc.Kind, `(?m)^\s*\{?\s*"?(openapi|swagger)"?\s*:\s*['"]?[23]`),
	signs(openapidoc.Kind, `"(openapi|swagger)"\s*:\s*"[23]`, `"paths"\s*:`, `"info"\s*:`),
	signs(apisguru.Kind, `"preferred"\s*:`, `"versions"\s*:`),
	signs(datajson.Kind, `"dataset"\s*:\s*\[`),
	signs(socrata.Kind, `"resource"\s*:\s*\{`, `"permalink"\s*:|"classification"\s*:`),
	signs(ods.Kind, `"dataset_id"\s*:`, `"metas"\s*:`),
	signs(mcpregistry.KindFile, `"version_detail"\s*:|"remotes"\s*:|"packages"\s*:|"registry_name"\s*:|modelcontextprotocol`, `"repository"\s*:|"servers"\s*:`, `"name"\s*:`),
	signs(udata.Kind, `"organization"\s*:`, `"resources"\s*:`, `"slug"\s*:`, `"reuses"\s*:|"metrics"\s*:|"owner"\s*:|"dataset"\s*:`),
	signs(ckan.Kind, `"resources"\s*:`, `"(license_id|metadata_created|owner_org|num_resources)"\s*:`),
	signs(ckan.Kind, `"success"\s*:`, `"(help|result)"\s*:`),
	signs(ogcrecords.Kind, `"FeatureCollection"`, `"properties"\s*:`, `"(title|recordCreated|created)"\s*:`),
	signs(iso.Kind, `<([a-z]+:)?(MD_Metadata|MI_Metadata|CHE_MD_Metadata)`),
	signs(ukapicatalogue.Kind, `^[^\n]*\bdateAdded\b[^\n]*\bname\b|^[^\n]*\bname\b[^\n]*\bdateAdded\b`),
	signs(dcatap.Kind, `dcat`),
}

// detectInput tells of which kind an input is.
func detectInput(ctx context.Context, in *source.Input) (string, error) {
	if in.Open == nil && in.Fetch == nil {
		return detectFolder(ctx, in)
	}
	if archive(in.Name) {
		return "", fmt.Errorf("%s is an archive: say with --kind what lies in it", in.Name)
	}
	r, err := open(ctx, in)
	if err != nil {
		return "", fmt.Errorf("open %s: %w", in.Name, err)
	}
	defer r.Close()
	head, err := headOf(r, in.Name)
	if err != nil {
		return "", err
	}
	kind := Detect(head, in.Name)
	if kind == KindNone && in.Fetch != nil {
		return "", fmt.Errorf("%s is no catalogue that is known by its beginning: say with --kind what lies there", in.Name)
	}
	return kind, nil
}

// open opens the file, or the first page of a live source.
func open(ctx context.Context, in *source.Input) (io.ReadCloser, error) {
	if in.Fetch == nil {
		return in.Open(ctx)
	}
	resp, err := in.Fetch(ctx, source.Request{URL: in.Name, Unconditional: true})
	if err != nil {
		return nil, err
	}
	return resp.Body, nil
}

func headOf(r io.Reader, name string) ([]byte, error) {
	s, err := source.NewStream(r, name, source.Limits{})
	if err != nil {
		return nil, err
	}
	b := bufio.NewReaderSize(s, headMax)
	head, err := b.Peek(headMax)
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, fmt.Errorf("read %s: %w", name, err)
	}
	return head, nil
}

// Detect tells by its beginning and its name of which kind a document is, KindNone
// where no connector reads it.
func Detect(head []byte, name string) string {
	syntax, html := rdf.Detect(head, "", name)
	plain := slices.Contains([]string{".csv", ".tsv", ".yaml", ".yml", ".md"}, plainExt(name))
	if !html && !plain && syntax != rdf.Unknown && syntax != rdf.JSONLD && (syntax != rdf.RDFXML || strings.Contains(string(head), "rdf:RDF")) {
		return dcatap.Kind
	}
	text := string(head)
	if strings.Contains(text, `"@graph"`) || strings.Contains(text, "www.w3.org/ns/dcat#") && strings.Contains(text, `"@type"`) && !strings.Contains(text, `"conformsTo"`) {
		return dcatap.Kind
	}
	for _, s := range bySigns[:len(bySigns)-1] {
		if !slices.ContainsFunc(s.all, func(r *regexp.Regexp) bool { return !r.MatchString(text) }) {
			return s.kind
		}
	}
	return KindNone
}

// detectFolder takes the kind of most of the first files of a folder.
func detectFolder(ctx context.Context, in *source.Input) (string, error) {
	count := map[string]int{}
	n := 0
	err := eachFile(ctx, in, func(name string, r io.Reader) error {
		if n++; n > 50 {
			return errEnough
		}
		if path.Ext(name) == ".md" {
			count[apigouvfr.Kind]++
			return nil
		}
		head, err := headOf(r, name)
		if err == nil {
			count[Detect(head, name)]++
		}
		return err
	})
	if err != nil && !errors.Is(err, errEnough) {
		return "", err
	}
	best := KindNone
	for _, kind := range slices.Sorted(maps.Keys(count)) {
		if kind != KindNone && count[kind] > count[best] || best == KindNone && count[kind] > 0 {
			best = kind
		}
	}
	return best, nil
}

var errEnough = errors.New("enough")
