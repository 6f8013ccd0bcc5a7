package main

import (
	"bytes"
	"crypto/sha256"
	"debug/buildinfo"
	"encoding/hex"
	"fmt"
	"net/url"
	"os"
	"strings"
	"time"

	cdx "github.com/CycloneDX/cyclonedx-go"
)

// materials writes the bill of materials of a program (CycloneDX): the modules
// that the Go command noted in it. Their licences are in the archive, as texts.
func (r *release) materials(program []byte, p platform, path string) error {
	info, err := buildinfo.Read(bytes.NewReader(program))
	if err != nil {
		return err
	}
	sum := sha256.Sum256(program)
	main := cdx.Component{Type: cdx.ComponentTypeApplication, BOMRef: "assay", Name: "assay", Version: r.version, PackageURL: purl(info.Main.Path, r.version),
		Hashes:   &[]cdx.Hash{{Algorithm: cdx.HashAlgoSHA256, Value: hex.EncodeToString(sum[:])}},
		Licenses: &cdx.Licenses{{License: &cdx.License{ID: "Apache-2.0"}}}}
	parts := []cdx.Component{{Type: cdx.ComponentTypeLibrary, BOMRef: purl("std", info.GoVersion), Name: "std", Version: info.GoVersion, PackageURL: purl("std", strings.TrimPrefix(info.GoVersion, "go"))}}
	for _, m := range info.Deps {
		if m.Replace != nil {
			m = m.Replace
		}
		ref := purl(m.Path, m.Version)
		parts = append(parts, cdx.Component{Type: cdx.ComponentTypeLibrary, BOMRef: ref, Name: m.Path, Version: m.Version, PackageURL: ref,
			Properties: &[]cdx.Property{{Name: "go:sum", Value: m.Sum}}})
	}
	refs := make([]string, len(parts))
	for i := range parts {
		refs[i] = parts[i].BOMRef
	}
	bom := cdx.NewBOM()
	bom.Metadata = &cdx.Metadata{Timestamp: r.at.Format(time.RFC3339), Component: &main,
		Properties: &[]cdx.Property{{Name: "platform", Value: p.String()}, {Name: "commit", Value: r.commit}}}
	bom.Components, bom.Dependencies = &parts, &[]cdx.Dependency{{Ref: main.BOMRef, Dependencies: &refs}}
	var b bytes.Buffer
	if err := cdx.NewBOMEncoder(&b, cdx.BOMFileFormatJSON).SetPretty(true).Encode(bom); err != nil {
		return fmt.Errorf("bill of materials: %w", err)
	}
	return os.WriteFile(path, b.Bytes(), 0o644)
}

// purl names a module (package-url, type golang).
func purl(path, version string) string {
	segments := strings.Split(path, "/")
	for i := range segments {
		segments[i] = url.PathEscape(segments[i])
	}
	return "pkg:golang/" + strings.Join(segments, "/") + "@" + url.PathEscape(version)
}
