package setup

import (
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// remedy is an error that says what a value should be.
type remedy string

func (r remedy) Error() string { return string(r) }

// shapes say how values of a type are written.
var shapes = map[string]string{
	"bool": "use true or false", "int": "use a whole number such as 4", "float64": "use a number such as 0.5",
	"duration": "use a duration such as 90s, 30m or 6h", "stringSlice": "separate the values by commas, and quote those that have one",
}

// explain says what is wrong with the value of a flag in the words of its user.
func explain(from, value string, f *pflag.Flag, cause error) error {
	var text remedy
	if !errors.As(cause, &text) {
		text = remedy(shapes[f.Value.Type()])
		if text == "" {
			text = remedy(cause.Error())
		}
	}
	if secret(f.Name) {
		return fmt.Errorf("%s: %w", from, text)
	}
	return fmt.Errorf("%s: %q: %w", from, value, text)
}

// secret tells of flags whose values may hold what nobody should read.
func secret(flag string) bool {
	return flag == "db" || strings.HasSuffix(flag, "password") || strings.HasSuffix(flag, "key")
}

// FlagError says what is wrong with a command line (cobra's FlagErrorFunc).
func FlagError(cmd *cobra.Command, err error) error {
	var bad *pflag.InvalidValueError
	var none *pflag.NotExistError
	switch {
	case errors.As(err, &bad):
		return explain("--"+bad.GetFlag().Name, bad.GetValue(), bad.GetFlag(), bad.Unwrap())
	case errors.As(err, &none) && none.GetSpecifiedShortnames() == "":
		var names []string
		cmd.Flags().VisitAll(func(f *pflag.Flag) { names = append(names, f.Name) })
		if near := Nearest(none.GetSpecifiedName(), names); near != "" {
			return fmt.Errorf("%w; did you mean --%s?", err, near)
		}
		return fmt.Errorf("%w; `%s --help` lists them", err, cmd.CommandPath())
	}
	return err
}
