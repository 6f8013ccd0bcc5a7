package pages

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// answering are the sources of what answers the public forms: the routes behind them, their rules and
// what stands before all routes.
var answering = []string{
	"../../dynamic/claims/*.go", "../../dynamic/submissions/*.go", "../../dynamic/watches/*.go", "../../dynamic/limit/*.go", "../../dynamic/screens/*.go",
	"../catalog/claim.go", "../catalog/publicevent.go", "../catalog/report.go", "../catalog/submission.go", "../catalog/text.go", "../catalog/vocabulary.go", "../catalog/watch.go",
}

// programsOnly is what only who writes a request by hand reads.
var programsOnly = []string{
	"The token is not the management token of this watch.", "Send the management token of the watch: Authorization: Bearer TOKEN.", "One parameter cannot be used.",
	"The watch and its address were deleted.", "If this address may get mail from the register, a message with a link to confirm is on its way. Without confirmation within 48 hours nothing is kept.",
	"use accepted or declined", "There is no statement with this id.", "say why; the reason is public and kept",
}

// Whatever a form may be answered with, readers of every language are told in it.
func TestFormsAreAnsweredInEveryLanguage(t *testing.T) {
	texts := map[string]string{}
	for _, pattern := range answering {
		files, err := filepath.Glob(pattern)
		if err != nil || len(files) == 0 {
			t.Fatalf("%s: no source: %v", pattern, err)
		}
		for _, file := range files {
			if !strings.HasSuffix(file, "_test.go") {
				answers(t, file, texts)
			}
		}
	}
	if len(texts) < 100 {
		t.Errorf("only %d answers were found: are they made in another way?", len(texts))
	}
	for text, where := range texts {
		if slices.Contains(programsOnly, text) || strings.HasPrefix(text, "This statement is ") {
			continue
		}
		for _, code := range languages[1:] {
			if own, ok := locales()[code].Told(text); !ok || own == text || toldValue.MatchString(own) {
				t.Errorf("%s: %s does not tell %q: %q", where, code, text, own)
			}
		}
	}
}

// answers notes the texts of a source that answer a request, with examples for the values in them.
func answers(t *testing.T, file string, texts map[string]string) {
	t.Helper()
	set := token.NewFileSet()
	tree, err := parser.ParseFile(set, file, nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	note := func(x ast.Expr) {
		if text, ok := spelt(x); ok && strings.Contains(text, " ") && !strings.HasPrefix(text, "payload of job") {
			texts[text] = set.Position(x.Pos()).String()
		}
	}
	ast.Inspect(tree, func(n ast.Node) bool {
		switch x := n.(type) {
		case *ast.CallExpr:
			name := called(x)
			at, ok := answeredBy[name]
			if ok = ok || proves(file) && (name == "errors.New" || name == "fmt.Errorf"); ok && at < len(x.Args) {
				note(x.Args[at])
			}
		case *ast.KeyValueExpr:
			if key, ok := x.Key.(*ast.Ident); ok && (key.Name == "Detail" || key.Name == "Remedy" || key.Name == "Text") {
				note(x.Value)
			}
		case *ast.CompositeLit:
			if kind, ok := x.Type.(*ast.Ident); ok && kind.Name == "FieldError" && len(x.Elts) == 3 {
				note(x.Elts[2])
			}
		}
		return true
	})
}

// answeredBy are the functions with a text for who asked, and which of their arguments it is.
var answeredBy = map[string]int{"conflict": 0, "invalid": 2, "TooMany": 0, "NotFound": 0, "Unauthorized": 0, "Forbidden": 0, "End": 0, "bad": 0}

// proves tells that the errors of a source are why a claim is not proved, which its page shows.
func proves(file string) bool { return strings.Contains(file, "dynamic/claims/") }

func called(x *ast.CallExpr) string {
	switch f := x.Fun.(type) {
	case *ast.Ident:
		return f.Name
	case *ast.SelectorExpr:
		if from, ok := f.X.(*ast.Ident); ok && (from.Name == "fmt" || from.Name == "errors") {
			return from.Name + "." + f.Sel.Name
		}
		return f.Sel.Name
	}
	return ""
}

// spelt is the text of an expression with values where it has verbs or variables; false for one
// that is nothing but a variable.
func spelt(x ast.Expr) (string, bool) {
	switch x := x.(type) {
	case *ast.BasicLit:
		text, err := strconv.Unquote(x.Value)
		return strings.NewReplacer("%s", "a.example", "%q", `"a.example"`, "%d", "7").Replace(text), err == nil
	case *ast.BinaryExpr:
		left, is := spelt(x.X)
		right, too := spelt(x.Y)
		if !is {
			left = "a.example"
		}
		if !too {
			right = "a.example"
		}
		return left + right, is || too
	case *ast.CallExpr:
		if called(x) == "fmt.Sprintf" {
			return spelt(x.Args[0])
		}
	}
	return "", false
}
