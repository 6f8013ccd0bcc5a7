package main

import (
	"path/filepath"
	"strings"
	"testing"
)

func TestContract(t *testing.T) {
	dir := t.TempDir()
	db := "sqlite:" + filepath.Join(dir, "assay.db")
	base := start(t, "demo", "--addr", "127.0.0.1:0", "--db", db, "--limit-reads", "0", "--limit-writes", "0", "--limit-proxy", "0")
	admin := strings.TrimSpace(must(t, "admin", "token", "create", "--role", "admin", "--db", db))
	contractOfTheDemo(t, base, admin)
}
