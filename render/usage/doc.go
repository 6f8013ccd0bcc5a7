// Package usage writes code that uses a source: for each kind of file and
// service, what a reader types into a shell, Python, R, JavaScript, DuckDB or
// QGIS to see its data, and the configurations by which clients of the Model
// Context Protocol connect to a server.
//
// Addresses, names of layers and columns come from outside. They stand in code
// only inside literals, which are quoted by the rules of the language (quote.go), never
// in comments or as bare words.
//
// Every template is run by the interpreter of its language against a server on
// loopback (.ci/samples); QGIS is replaced by a double that reads the address of the layer.
package usage

// Language is what a sample is written in.
type Language string

// Languages, in the order in which samples are shown.
const (
	Shell      Language = "curl"
	Python     Language = "Python"
	R          Language = "R"
	JavaScript Language = "JavaScript"
	DuckDB     Language = "DuckDB"
	QGIS       Language = "QGIS"
)

// Sample is code that uses a source as it stands.
type Sample struct {
	Language Language
	Code     string
	// Needs is the command that installs what the code imports, "" for nothing
	// but the interpreter.
	Needs string
}

// Text is the code below a comment that says what must be installed.
func (s *Sample) Text() string {
	if s.Needs == "" {
		return s.Code
	}
	mark := "# "
	if s.Language == JavaScript {
		mark = "// "
	}
	return mark + s.Needs + "\n" + s.Code
}
