package mcp

import (
	"context"
	"slices"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// prompt is a way of working with the tools that a person can choose. Words in
// braces stand for arguments; a line whose argument is missing is left out.
type prompt struct {
	name, title, use string
	args             []sdk.PromptArgument
	lines            []string
}

// prompts lists them. A new one is a line here.
func prompts() []prompt {
	return []prompt{
		{"find_source", "Find an official source", "Finds official sources on a topic and says which to trust.",
			[]sdk.PromptArgument{
				{Name: "topic", Title: "Topic", Description: "What the data are about.", Required: true},
				{Name: "country", Title: "Country", Description: "ISO 3166-1 alpha-2 code, to search one country only."},
			},
			[]string{
				"Find official public sources about: {topic}.",
				"Search only the country {country} (country_code).",
				"Call find_data with the whole wish, then get_entry for the two or three best. Prefer a verification_state of VERIFIED and a known licence.",
				"For each, give its name, its institution, how official it is and why (proof_summary), whether it answers, its licence, and its href.",
				"Say which snapshot the answers come from, and say so plainly when nothing fits.",
			}},
		{"vet_source", "Vet one source", "Judges one source of the register: how official, reachable, described and reusable it is.",
			[]sdk.PromptArgument{{Name: "entry", Title: "Entry", Description: "Id or slug of an entry.", Required: true}},
			[]string{
				"Vet the source {entry} of the register.",
				"Call get_entry, get_quality, get_checks and get_provenance for it.",
				"Say how official it is and on what evidence, whether it answers and since when, what its licence allows, and what is unknown.",
				"If it is FAILING, STALE or deprecated, call find_alternatives and compare the best with compare_matrix.",
			}},
	}
}

func addPrompts(s *sdk.Server) {
	for _, p := range prompts() {
		args := make([]*sdk.PromptArgument, len(p.args))
		for i := range p.args {
			args[i] = &p.args[i]
		}
		s.AddPrompt(&sdk.Prompt{Name: p.name, Title: p.title, Description: p.use, Arguments: args},
			func(_ context.Context, r *sdk.GetPromptRequest) (*sdk.GetPromptResult, error) {
				for i := range p.args {
					if p.args[i].Required && r.Params.Arguments[p.args[i].Name] == "" {
						return nil, &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: "Invalid params: the argument " + p.args[i].Name + " is missing."}
					}
				}
				return &sdk.GetPromptResult{Description: p.use,
					Messages: []*sdk.PromptMessage{{Role: "user", Content: &sdk.TextContent{Text: p.text(r.Params.Arguments)}}}}, nil
			})
	}
}

// text fills the arguments in, once, so that a value is never read as a word.
func (p *prompt) text(args map[string]string) string {
	var pairs, missing, out []string
	for i := range p.args {
		word, value := "{"+p.args[i].Name+"}", args[p.args[i].Name]
		pairs = append(pairs, word, value)
		if value == "" {
			missing = append(missing, word)
		}
	}
	fill := strings.NewReplacer(pairs...)
	for _, line := range p.lines {
		if !slices.ContainsFunc(missing, func(word string) bool { return strings.Contains(line, word) }) {
			out = append(out, fill.Replace(line))
		}
	}
	return strings.Join(out, "\n")
}
