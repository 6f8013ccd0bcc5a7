package setup

import (
	"slices"
	"strings"

	"github.com/agnivade/levenshtein"
)

// Nearest is the word of a list that is spelt most like another one, "" when
// none is near.
func Nearest(word string, list []string) string {
	// Two neighbours that changed places are two changes.
	best, least := "", min(len(word)-1, max(2, len(word)/3))+1
	for _, w := range list {
		if d := levenshtein.ComputeDistance(strings.ToLower(word), strings.ToLower(w)); d < least {
			best, least = w, d
		}
	}
	return best
}

// meant ends the message on an unknown word.
func meant(word string, list []string) string {
	if near := Nearest(word, list); near != "" {
		return "; did you mean " + near + "?"
	}
	return "; remove it, or see site/docs/configuration.md for what there is"
}

func has(list []string, word string) bool { return slices.Contains(list, word) }
