package deploytest

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/coreos/go-systemd/v22/unit"
)

// Unit is a unit file of systemd.
type Unit struct {
	// Name is the file's name, such as assay.service.
	Name    string
	options []*unit.UnitOption
}

// ReadUnit reads a unit file.
func ReadUnit(path string) (*Unit, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	options, err := unit.DeserializeOptions(f)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return &Unit{Name: filepath.Base(path), options: options}, nil
}

// Values are all values of a setting in their order; an empty assignment
// forgets those before it, as in systemd.syntax(7).
func (u *Unit) Values(section, name string) []string {
	var list []string
	for _, o := range u.options {
		switch {
		case o.Section != section || o.Name != name:
		case o.Value == "":
			list = nil
		default:
			list = append(list, strings.ReplaceAll(o.Value, "\\\n", " "))
		}
	}
	return list
}

// Value is the last value of a setting, "" for none.
func (u *Unit) Value(section, name string) string {
	list := u.Values(section, name)
	if len(list) == 0 {
		return ""
	}
	return list[len(list)-1]
}

// Line is a command line of a unit.
type Line struct {
	// Args are the program and its arguments.
	Args []string
	// MayFail tells that a failure does not stop the unit (a leading "-").
	MayFail bool
}

// Lines are the command lines of a setting of [Service], such as ExecStart.
// Quotes, escapes, variables and specifiers are refused: the shipped units need
// none, and a reader that half understood them would run something else.
func (u *Unit) Lines(name string) ([]Line, error) {
	var list []Line
	for _, text := range u.Values("Service", name) {
		if strings.ContainsAny(text, "\"'\\$%;") {
			return nil, fmt.Errorf("%s: %s=%s: quotes, escapes, variables and specifiers are not read here", u.Name, name, text)
		}
		rest, mayFail := strings.CutPrefix(text, "-")
		args := strings.Fields(rest)
		if len(args) == 0 || !filepath.IsAbs(args[0]) {
			return nil, fmt.Errorf("%s: %s=%s: name the program by its whole path", u.Name, name, text)
		}
		list = append(list, Line{Args: args, MayFail: mayFail})
	}
	if len(list) == 0 {
		return nil, fmt.Errorf("%s has no %s", u.Name, name)
	}
	return list, nil
}
