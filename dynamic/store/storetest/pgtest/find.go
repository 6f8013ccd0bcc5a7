package pgtest

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
)

var programs = []string{"initdb", "postgres", "createdb", "dropdb", "pg_isready"}

// findPrograms returns a folder that has all programs: one of PATH, else the
// newest one of Debian's layout.
func findPrograms() (string, error) {
	folders := filepath.SplitList(os.Getenv("PATH"))
	debian, err := filepath.Glob("/usr/lib/postgresql/*/bin")
	if err != nil {
		return "", err
	}
	slices.SortFunc(debian, func(a, b string) int { return version(b) - version(a) })
	for _, dir := range append(folders, debian...) {
		if hasAll(dir) {
			return dir, nil
		}
	}
	return "", errors.New("initdb, postgres and their clients are neither in PATH nor in /usr/lib/postgresql")
}

func version(bin string) int {
	n, err := strconv.Atoi(filepath.Base(filepath.Dir(bin)))
	if err != nil {
		return 0
	}
	return n
}

func hasAll(dir string) bool {
	for _, p := range programs {
		if _, err := exec.LookPath(filepath.Join(dir, p)); err != nil {
			return false
		}
	}
	return dir != ""
}
