package main

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"crypto/x509"
	"debug/buildinfo"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	cdx "github.com/CycloneDX/cyclonedx-go"
	v1 "github.com/opencontainers/image-spec/specs-go/v1"

	"github.com/assay-register/assay/cmd/internal/binary"
)

var sample = release{version: "v1.2.3", commit: "abc", at: time.Date(2026, 11, 22, 10, 0, 0, 0, time.UTC)}

// untar reads an archive: bodies by name, and headers.
func untar(t *testing.T, r io.Reader) (map[string][]byte, map[string]*tar.Header) {
	t.Helper()
	bodies, headers := map[string][]byte{}, map[string]*tar.Header{}
	for archive := tar.NewReader(r); ; {
		h, err := archive.Next()
		if errors.Is(err, io.EOF) {
			return bodies, headers
		}
		if err != nil {
			t.Fatal(err)
		}
		if bodies[h.Name], err = io.ReadAll(archive); err != nil {
			t.Fatal(err)
		}
		if headers[h.Name] = h; !h.ModTime.Equal(sample.at) {
			t.Errorf("%s is of %v", h.Name, h.ModTime)
		}
	}
}

// TestImage: the layout names its blobs by their hashes, the file system has the
// program, authorities and licences, and two makes are the same bytes.
func TestImage(t *testing.T) {
	t.Parallel()
	licences := []entry{{name: "licences/a/LICENSE", mode: 0o644, body: []byte("text")}}
	made, err := sample.image([]byte("program"), platform{"linux", "arm64"}, licences)
	if err != nil {
		t.Fatal(err)
	}
	if again, err := sample.image([]byte("program"), platform{"linux", "arm64"}, licences); err != nil || !bytes.Equal(made, again) {
		t.Errorf("a second image differs, %v", err)
	}
	files, _ := untar(t, bytes.NewReader(made))
	for name, body := range files {
		if sum := sha256.Sum256(body); strings.HasPrefix(name, "blobs/sha256/") && filepath.Base(name) != hex.EncodeToString(sum[:]) {
			t.Errorf("%s holds %x", name, sum)
		}
	}
	var index v1.Index
	var manifest v1.Manifest
	var config v1.Image
	decode(t, files["index.json"], &index)
	decode(t, files[blobPath(index.Manifests[0].Digest)], &manifest)
	decode(t, files[blobPath(manifest.Config.Digest)], &config)
	if config.Architecture != "arm64" || config.Config.User != "65532:65532" || len(manifest.Layers) != 1 {
		t.Errorf("%+v", config)
	}
	var old []struct{ Config string }
	if decode(t, files["manifest.json"], &old); old[0].Config != blobPath(manifest.Config.Digest) {
		t.Errorf("%+v", old)
	}
	layer, err := gzip.NewReader(bytes.NewReader(files[blobPath(manifest.Layers[0].Digest)]))
	if err != nil {
		t.Fatal(err)
	}
	root, headers := untar(t, layer)
	if string(root["usr/local/bin/assay"]) != "program" || headers["usr/local/bin/assay"].Mode != 0o755 || headers["srv/register/"].Uid != nonroot || string(root["usr/share/doc/assay/licences/a/LICENSE"]) != "text" {
		t.Errorf("%v", headers)
	}
	if pool := x509.NewCertPool(); !pool.AppendCertsFromPEM(root["etc/ssl/certs/ca-certificates.crt"]) || bytes.Count(root["etc/ssl/certs/ca-certificates.crt"], []byte("BEGIN")) < 80 {
		t.Error("the image has no authorities")
	}
}

func decode(t *testing.T, body []byte, into any) {
	t.Helper()
	if err := json.Unmarshal(body, into); err != nil {
		t.Fatalf("%v: %.200s", err, body)
	}
}

// TestLicences: every module that is compiled in has its text, and every one that
// go.mod asks for directly stands in THIRD_PARTY.md, and no other.
func TestLicences(t *testing.T) {
	t.Chdir(filepath.Join("..", "..", ".."))
	texts, err := licenceTexts(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	found := map[string]bool{}
	for _, e := range texts {
		found[e.name] = len(e.body) > 100
	}
	for _, name := range []string{"LICENSE", "licences/go/LICENSE", "licences/modernc.org/sqlite/LICENSE", "licences/github.com/minio/minio-go/v7/NOTICE"} {
		if !found[name] {
			t.Errorf("%s is missing among %d texts", name, len(texts))
		}
	}
	table, err := os.ReadFile("site/docs/THIRD_PARTY.md")
	if err != nil {
		t.Fatal(err)
	}
	mod, err := os.ReadFile("go.mod")
	if err != nil {
		t.Fatal(err)
	}
	direct := map[string]bool{}
	for line := range strings.Lines(string(mod)) {
		if fields := strings.Fields(line); len(fields) == 2 && strings.HasPrefix(line, "\t") {
			direct[fields[0]] = true
		}
	}
	for line := range strings.Lines(string(table)) {
		if name, _, row := strings.Cut(strings.TrimPrefix(line, "| "), " | "); row && strings.Contains(name, ".") {
			if !direct[name] {
				t.Errorf("THIRD_PARTY.md lists %s, which go.mod does not ask for", name)
			}
			delete(direct, name)
		}
	}
	for name := range direct {
		t.Errorf("THIRD_PARTY.md lacks %s", name)
	}
}

// TestMaterials reads the bill of this test's program.
func TestMaterials(t *testing.T) {
	t.Parallel()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	program, err := os.ReadFile(self)
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "a.cdx.json")
	if err := sample.materials(program, platform{"linux", "amd64"}, path); err != nil {
		t.Fatal(err)
	}
	body, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var bom cdx.BOM
	if err := cdx.NewBOMDecoder(bytes.NewReader(body), cdx.BOMFileFormatJSON).Decode(&bom); err != nil {
		t.Fatal(err)
	}
	info, err := buildinfo.Read(bytes.NewReader(program))
	if err != nil || len(*bom.Components) != len(info.Deps)+1 || bom.Metadata.Timestamp != "2026-11-22T10:00:00Z" {
		t.Errorf("%d components of %d modules, %v", len(*bom.Components), len(info.Deps), err)
	}
	if want := fmt.Sprintf("%x", sha256.Sum256(program)); (*bom.Metadata.Component.Hashes)[0].Value != want {
		t.Errorf("the program is named by another hash than %s", want)
	}
}

func TestMain(m *testing.M) {
	code := m.Run()
	binary.Remove()
	os.Exit(code)
}

// TestWords: the program's manual pages and completions are there, each time the
// same whatever stands in the environment, and bash can read its own.
func TestWords(t *testing.T) {
	program, err := os.ReadFile(binary.Path(t))
	if err != nil {
		t.Fatal(err)
	}
	list, err := words(t.Context(), program)
	if err != nil {
		t.Fatal(err)
	}
	t.Setenv("ASSAY_LOG", "nonsense")
	again, err := words(t.Context(), program)
	if err != nil || len(again) != len(list) {
		t.Fatalf("%d files, then %d, %v", len(list), len(again), err)
	}
	found := map[string]string{}
	for i, e := range list {
		if found[e.name] = string(e.body); again[i].name != e.name || !bytes.Equal(again[i].body, e.body) {
			t.Errorf("%s differs the second time", e.name)
		}
	}
	for name, want := range map[string]string{"man/man1/assay.1": ".TH", "man/man1/assay-admin-token-create.1": "--role", "completion/assay.zsh": "#compdef assay", "completion/assay.fish": "complete -c assay"} {
		if !strings.Contains(found[name], want) {
			t.Errorf("%s lacks %s:\n%.200s", name, want, found[name])
		}
	}
	bash := exec.Command("bash", "-n")
	bash.Stdin = strings.NewReader(found["completion/assay.bash"])
	if out, err := bash.CombinedOutput(); err != nil || len(found["completion/assay.bash"]) < 1000 {
		t.Errorf("%v %s", err, out)
	}
}
