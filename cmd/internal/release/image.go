package main

import (
	"bytes"
	"encoding/json"
	"encoding/pem"

	"github.com/opencontainers/go-digest"
	"github.com/opencontainers/image-spec/specs-go"
	v1 "github.com/opencontainers/image-spec/specs-go/v1"
	"golang.org/x/crypto/x509roots/fallback/bundle"
)

// nonroot is the user of the image; he has no rights in it but to his register.
const nonroot = 65532

// source is where the sources are.
const source = "https://github.com/assay-register/assay"

// image is an OCI image layout in a tar archive, with the list that older
// versions of docker load want beside it (manifest.json).
func (r *release) image(program []byte, p platform, licences []entry) ([]byte, error) {
	layer, err := tarred(rootOf(program, licences), r.at)
	if err != nil {
		return nil, err
	}
	compressed, err := zipped(layer)
	if err != nil {
		return nil, err
	}
	l := layout{entry{name: "oci-layout", mode: 0o644, body: []byte(`{"imageLayoutVersion":"` + v1.ImageLayoutVersion + `"}`)}}
	top := l.blob(v1.MediaTypeImageLayerGzip, compressed)
	config, err := l.document(v1.MediaTypeImageConfig, v1.Image{Created: &r.at, Platform: v1.Platform{OS: p.os, Architecture: p.arch}, Config: r.settings(),
		RootFS: v1.RootFS{Type: "layers", DiffIDs: []digest.Digest{digest.FromBytes(layer)}}, History: []v1.History{{Created: &r.at, CreatedBy: "make release"}}})
	if err != nil {
		return nil, err
	}
	manifest, err := l.document(v1.MediaTypeImageManifest, v1.Manifest{Versioned: specs.Versioned{SchemaVersion: 2}, MediaType: v1.MediaTypeImageManifest, Config: config, Layers: []v1.Descriptor{top}})
	if err != nil {
		return nil, err
	}
	manifest.Platform = &v1.Platform{OS: p.os, Architecture: p.arch}
	manifest.Annotations = map[string]string{v1.AnnotationRefName: r.version}
	err = l.put("index.json", v1.Index{Versioned: specs.Versioned{SchemaVersion: 2}, MediaType: v1.MediaTypeImageIndex, Manifests: []v1.Descriptor{manifest}})
	if err != nil {
		return nil, err
	}
	err = l.put("manifest.json", []map[string]any{{"Config": blobPath(config.Digest), "RepoTags": []string{"assay:" + r.version}, "Layers": []string{blobPath(top.Digest)}}})
	if err != nil {
		return nil, err
	}
	return tarred(l, r.at)
}

// settings say how a container runs, as the Dockerfile does.
func (r *release) settings() v1.ImageConfig {
	return v1.ImageConfig{User: "65532:65532", ExposedPorts: map[string]struct{}{"8080/tcp": {}}, WorkingDir: "/srv/register",
		Env:        []string{"PATH=/usr/local/bin", "ASSAY_ADDR=0.0.0.0:8080", "ASSAY_LOG=json"},
		Entrypoint: []string{"/usr/local/bin/assay"}, Cmd: []string{"serve"}, Volumes: map[string]struct{}{"/srv/register": {}},
		Labels: map[string]string{v1.AnnotationTitle: "Assay", v1.AnnotationVersion: r.version, v1.AnnotationRevision: r.commit, v1.AnnotationSource: source, v1.AnnotationLicenses: "Apache-2.0"}}
}

// rootOf is the file system of the image.
func rootOf(program []byte, licences []entry) []entry {
	files := []entry{
		{name: "tmp/", mode: 0o1777}, {name: "srv/", mode: 0o755}, {name: "srv/register/", mode: 0o755, owner: nonroot},
		{name: "usr/local/bin/assay", mode: 0o755, body: program},
		{name: "etc/passwd", mode: 0o644, body: []byte("root:x:0:0:root:/:/sbin/nologin\nnonroot:x:65532:65532:nonroot:/srv/register:/sbin/nologin\n")},
		{name: "etc/group", mode: 0o644, body: []byte("root:x:0:\nnonroot:x:65532:\n")},
		{name: "etc/ssl/certs/ca-certificates.crt", mode: 0o644, body: authorities()},
	}
	for _, e := range licences {
		e.name = "usr/share/doc/assay/" + e.name
		files = append(files, e)
	}
	return files
}

// authorities are the certificates of Mozilla's list in PEM. Those that it trusts
// under conditions are left out, since a PEM file cannot state any.
func authorities() []byte {
	var b bytes.Buffer
	for root := range bundle.Roots() {
		if root.Constraint == nil {
			_ = pem.Encode(&b, &pem.Block{Type: "CERTIFICATE", Bytes: root.Certificate}) // a buffer takes all
		}
	}
	return b.Bytes()
}

// layout are the files of an image layout.
type layout []entry

func blobPath(d digest.Digest) string { return "blobs/" + d.Algorithm().String() + "/" + d.Encoded() }

func (l *layout) blob(media string, body []byte) v1.Descriptor {
	d := v1.Descriptor{MediaType: media, Digest: digest.FromBytes(body), Size: int64(len(body))}
	*l = append(*l, entry{name: blobPath(d.Digest), mode: 0o644, body: body})
	return d
}

func (l *layout) document(media string, v any) (v1.Descriptor, error) {
	body, err := json.Marshal(v)
	if err != nil {
		return v1.Descriptor{}, err
	}
	return l.blob(media, body), nil
}

func (l *layout) put(name string, v any) error {
	body, err := json.Marshal(v)
	*l = append(*l, entry{name: name, mode: 0o644, body: body})
	return err
}
