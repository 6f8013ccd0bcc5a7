package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestEveryAlertHasARemedy holds the handbook of operators to the alerts that ship.
func TestEveryAlertHasARemedy(t *testing.T) {
	rules, err := os.ReadFile(filepath.Join(deploy, "prometheus", "alerts.yml"))
	if err != nil {
		t.Fatal(err)
	}
	guide, err := os.ReadFile(filepath.Join("..", "..", "site", "docs", "operate.md"))
	if err != nil {
		t.Fatal(err)
	}
	alerts := regexp.MustCompile(`alert: (\w+)`).FindAllStringSubmatch(string(rules), -1)
	if len(alerts) < 10 {
		t.Fatal(alerts)
	}
	for _, a := range alerts {
		if !strings.Contains(string(guide), "`"+a[1]+"`") {
			t.Errorf("operate.md does not say what to do about %s", a[1])
		}
	}
}

// TestLogKeyIsAKeyOrAFile takes the file of keys that a register publishes.
func TestLogKeyIsAKeyOrAFile(t *testing.T) {
	const key = "PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW"
	file := filepath.Join(t.TempDir(), "keys.txt")
	if err := os.WriteFile(file, []byte("# keys\n"+key+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, given := range []string{key, file} {
		if keys, err := logKeys(given); err != nil || len(keys) != 1 || keys[0].Name() != "PeterNeumann" {
			t.Errorf("%s: %v, %v", given, keys, err)
		}
	}
	for _, given := range []string{file + "x", filepath.Dir(file), "a+b"} {
		if _, err := logKeys(given); err == nil || !strings.HasPrefix(err.Error(), "--log-key: ") {
			t.Errorf("%s: %v", given, err)
		}
	}
}
