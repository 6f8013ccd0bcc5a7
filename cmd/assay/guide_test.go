package main

import (
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"
)

// TestGuide runs the guide for a new register word for word: its shell blocks
// are executed, the lines of its YAML blocks replace those of assay.yaml.
func TestGuide(t *testing.T) {
	program(t, "nginx")
	text, err := os.ReadFile(filepath.Join("..", "..", "site", "docs", "run-your-own-register.md"))
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	bin := filepath.Join(dir, "bin")
	if out, err := exec.Command("go", "build", "-o", filepath.Join(bin, "assay"), ".").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	script := guideScript(t, string(text))
	cmd := exec.Command("bash", "-c", script)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "PATH="+bin+":"+os.Getenv("PATH")+":/usr/sbin")
	t.Cleanup(func() { stopServer(filepath.Join(dir, "register", "nginx.pid")) })
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	for _, path := range []string{"harvest.json", "build.json", "public/snapshot.json", "public/api/v1/entries/bus-departures/index.json"} {
		if _, err := os.Stat(filepath.Join(dir, "register", path)); err != nil {
			t.Error(err)
		}
	}
}

// guideScript makes one script of the blocks of a guide. Where the port of the
// guide is taken, another one stands in for it.
func guideScript(t *testing.T, text string) string {
	t.Helper()
	if l, err := net.Listen("tcp", "127.0.0.1:8460"); err != nil {
		_, port, _ := net.SplitHostPort(freeAddr(t))
		text = strings.ReplaceAll(text, "8460", port)
	} else {
		l.Close()
	}
	script := "set -euo pipefail\n"
	if os.Getuid() == 0 {
		// The workers of a server that root starts belong to someone else, who
		// may not read below a test's directory.
		text = strings.ReplaceAll(text, "daemon on;\n", "daemon on;\nuser root;\n")
	}
	steps := 0
	for _, m := range regexp.MustCompile("(?s)```(sh|yaml)\n(.*?)```").FindAllStringSubmatch(text, -1) {
		steps++
		if m[1] == "sh" {
			script += m[2]
			continue
		}
		for line := range strings.Lines(m[2]) {
			key, _, _ := strings.Cut(line, ":")
			script += "grep -q '^" + key + ":' assay.yaml\n" +
				"sed -i '/^" + key + ":/c\\\n" + strings.TrimSuffix(line, "\n") + "\n' assay.yaml\n"
		}
	}
	if steps < 8 {
		t.Fatalf("the guide has %d steps", steps)
	}
	return script
}

// stopServer ends a server that a failed guide left running, by the id that it
// wrote down.
func stopServer(pidFile string) {
	for range 50 {
		b, err := os.ReadFile(pidFile)
		if err != nil {
			return
		}
		_ = exec.Command("kill", strings.TrimSpace(string(b))).Run()
		time.Sleep(100 * time.Millisecond)
	}
}
