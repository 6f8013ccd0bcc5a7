package main

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// TestWhatCannotBeDoneNamesFlagAndRemedy: an operator reads what to write in place of what was written.
func TestWhatCannotBeDoneNamesFlagAndRemedy(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "afile")
	if err := os.WriteFile(file, []byte("x"), 0o600); err != nil {
		t.Fatal(err)
	}
	db := "sqlite:" + filepath.Join(dir, "a.db")
	for args, want := range map[string][]string{
		"check":                                {"check: accepts 1 arg(s), received 0", "write assay check DIR|URL", "assay help check"},
		"admin token revoke":                   {"received 0", "write assay admin token revoke", "assay help admin token revoke"},
		"health now":                           {`health: takes no arguments, received "now": write assay health; assay help health has examples`},
		"build largest":                        {`takes no arguments, received "largest": write assay build`},
		"institutions parent a":                {"it takes the institution and", "write assay institutions parent INSTITUTION", "assay help institutions parent"},
		"institutions margins":                 {`unknown command "margins" for "assay institutions"; `},
		"build --db " + db + " --site " + file: {"a file stands where a folder must be", "--site or ASSAY_SITE"},
		"build --db " + db + " --site " + dir + "/site --out " + file:        {"a file stands where a folder must be", "--out or ASSAY_OUT"},
		"serve --addr 127.0.0.1:0 --db " + db + " --site " + file + "/below": {"a file stands where a folder must be", "--site or ASSAY_SITE"},
	} {
		code, said := runIn(t, t.Context(), strings.Fields(args)...)
		for _, part := range want {
			if code != 1 || !strings.Contains(said, part) {
				t.Errorf("%s: exit code %d, lacks %q: %s", args, code, part, said)
			}
		}
	}
	build := newRoot(os.Stderr)
	cmd, _, err := build.Find([]string{"build"})
	if err != nil || cmd.ParseFlags([]string{"--site", "/srv/site", "--db", "sqlite:/var/assay.db"}) != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		path string
		err  error
		want string
	}{
		{"/srv/site/.assay", syscall.EACCES, "this user may not do that there: change the owner or the mode, or name another place (--site or ASSAY_SITE)"},
		{"/srv", syscall.EPERM, "(--site or ASSAY_SITE)"}, {"/srv/site", syscall.EROFS, "read-only"}, {"/var/assay.db", syscall.EACCES, "(--db or ASSAY_DB)"},
		{"/srv/sites", syscall.EACCES, "permission denied"}, {"/srv/site/x", syscall.ENOSPC, "no space left on device"},
	} {
		got := remedy(cmd, fmt.Errorf("build: %w", &fs.PathError{Op: "mkdir", Path: c.path, Err: c.err})).Error()
		if !strings.HasSuffix(got, c.want) && !(c.want == "read-only" && strings.Contains(got, c.want)) {
			t.Errorf("%s: %s, want %q", c.path, got, c.want)
		}
	}
}
