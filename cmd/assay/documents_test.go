//go:build unix

package main

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/assay-register/assay/cmd/internal/binary"
	"github.com/assay-register/assay/cmd/internal/deploytest"
)

// notRun are the reasons for which a block of a document is not run, and how many
// blocks give each; a document names one in a comment before the block.
var notRun = map[string]int{
	"it asks servers on the internet":                                              6,
	"the register is too young to restate; TestThePast does the same":              1,
	"it takes a register that lost a day; TestRestoredRegister does the same":      1,
	"only one of the two keeps a log; TestTampering does the same":                 1,
	"it goes on until it is stopped":                                               1,
	"it needs systemd; TestFirstHour runs it":                                      6,
	"it needs an object store; TestPublishDemo does the same":                      1,
	"it needs an object store; TestServicesOnOneBucket in cmd/assay does the same": 1,
	"it takes long; TestMonth is the short form":                                   1,
	"it takes long; CI does it":                                                    1,
	"it takes long; the release workflow does it":                                  2,
	"it reads a catalogue of yours; TestLintLive does the same":                    1,
	"it names a database; TestRestore does the same":                               1,
	"its token comes by mail; TestWatchByAProgram does the same":                   2,
	"the captures are not part of the project":                                     1,
	"it is a part of a program; .ci/node runs the same":                            2,
	"it changes the source; TestSteps does the same":                               4,
	"it keeps a log; TestVerdictLog does the same":                                 5,
	"it is a workflow of GitHub; TestLintAction reads the action":                  1,
	"it needs a package of Debian":                                                 1,
	"it needs a package of npm":                                                    2,
	"the id is that of no entry":                                                   2,
}

// documents are the README and the guides.
func documents(t *testing.T) (paths []string) {
	t.Helper()
	guides, err := filepath.Glob(filepath.Join("..", "..", "site", "docs", "*.md"))
	if err != nil || len(guides) < 20 {
		t.Fatal(guides, err)
	}
	return append([]string{filepath.Join("..", "..", "README.md")}, guides...)
}

// TestDocuments runs what the documents show: shell blocks in their order in a
// folder with the sample register, against a service of it; files are read by the
// program that they are for. TestFirstHour is the
// same for a register from nothing.
func TestDocuments(t *testing.T) {
	t.Parallel()
	base, dir := newReader(t)
	reasons := map[string]int{}
	for _, path := range documents(t) {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		d := &document{name: filepath.Base(path), base: base, store: dir}
		blocks, err := deploytest.Blocks(string(text))
		if err != nil {
			t.Fatalf("%s: %v", path, err)
		}
		for _, b := range blocks {
			if b.NotRun != "" {
				reasons[b.NotRun]++
				continue
			}
			if d.name != "run-your-own-register.md" {
				d.take(t, b)
			}
		}
		t.Run(d.name, d.run)
	}
	if !maps.Equal(reasons, notRun) {
		for _, r := range slices.Sorted(maps.Keys(reasons)) {
			t.Logf("%d not run: %s", reasons[r], r)
		}
		t.Error("these are not the blocks that may stay out; know each reason")
	}
}

// newReader serves the sample register and makes the folder of its store.
func newReader(t *testing.T) (base, dir string) {
	t.Helper()
	dir = t.TempDir()
	db := "sqlite:" + filepath.Join(dir, "assay.db")
	base = start(t, "demo", "--addr", "127.0.0.1:0", "--db", db, "--site", filepath.Join(dir, "site"), "--mail-dir", filepath.Join(dir, "mail"), "--limit-reads", "0", "--limit-writes", "0")
	if err := os.Symlink(binary.Path(t), filepath.Join(dir, "assay")); err != nil {
		t.Fatal(err)
	}
	return base, dir
}

// document is what one document has to run.
type document struct {
	name, base, store, script string
}

// take notes a block, or judges it at once.
func (d *document) take(t *testing.T, b deploytest.Block) {
	t.Helper()
	where := fmt.Sprintf("%s:%d", d.name, b.Line)
	switch b.Lang {
	case "sh":
		d.script += fmt.Sprintf("echo '--- %s' >&2\n%s\n", where, b.Text)
	case "json":
		if !json.Valid([]byte(b.Text)) {
			t.Errorf("%s is no JSON", where)
		}
	case "ndjson":
		d.script += fmt.Sprintf("cat > block.ndjson <<'ASSAY_END'\n%sASSAY_END\nassay import block.ndjson --strict --db sqlite:block.db\n", b.Text)
	case "yaml":
		if strings.Contains(b.Text, "scrape_configs:") {
			d.script += fmt.Sprintf("cat > block.yaml <<'ASSAY_END'\n%sASSAY_END\npromtool check config block.yaml\n", b.Text)
		} else {
			d.script += fmt.Sprintf("cat > block.yaml <<'ASSAY_END'\n%sASSAY_END\nassay sources --config block.yaml --db sqlite:block.db >/dev/null\n", b.Text)
		}
	case "text", "markdown":
	case "go": // of add-a-connector.md: the test of build/harvest/template compiles and compares it
	default:
		t.Errorf("%s: name the language of the block: sh, json, ndjson, yaml, markdown or text", where)
	}
}

// shellPrelude makes a failed request a failure of the script, and one that finds nothing, since what shows how to
// find must find; a reader that has seen enough (head) is none.
const shellPrelude = `set -euo pipefail
curl() {
  local code=0 answer="answer.$BASHPID"
  command curl --fail-with-body --silent --show-error "$@" >"$answer" || code=$?
  cat "$answer" || true
  if head -c 1000 "$answer" | grep -aEq '"(numberMatched|total)": ?0[,}]|"result": ?\{"count": ?0|"(items|features|servers|results)": ?\[\]|noRecordsMatch'; then
    echo "finds nothing: curl $*" >&2
    code=1
  fi
  rm -f "$answer"
  return $code
}
`

// run executes the script of a document in a fresh folder with the store of the
// service.
func (d *document) run(t *testing.T) {
	if d.script == "" {
		return
	}
	dir, store := t.TempDir(), filepath.Join(d.store, "assay.db")
	if strings.Contains(d.script, "assay build") && !strings.Contains(d.script, "http") { // a part is built sooner, where nothing else is asked
		part, _ := smallSite(t)
		store = strings.TrimPrefix(storeLike(t, part), "sqlite:")
	}
	if err := os.Symlink(store, filepath.Join(dir, "assay.db")); err != nil {
		t.Fatal(err)
	}
	token := strings.TrimSpace(must(t, "admin", "token", "create", "--role", "admin", "--name", d.name, "--db", "sqlite:"+filepath.Join(d.store, "assay.db")))
	// The names that the documents give to what is the test's.
	script := strings.NewReplacer("https://register.example", d.base, "http://127.0.0.1:8080", d.base,
		"revoke ID", `revoke "$(assay admin token list | awk 'END{print $1}')"`).Replace(d.script)
	cmd := exec.Command("bash", "-c", shellPrelude+script)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "PATH="+d.store+":"+os.Getenv("PATH")+":/usr/sbin", "TOKEN="+token)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out[max(0, len(out)-3000):])
	}
}
