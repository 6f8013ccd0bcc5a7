package main

import (
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
)

// words are what the judge knows of a language.
type words struct {
	months                                    string
	thousand, point                           string
	free, credit, alike, freely, paid, intact string
	silent                                    []string
	yes, no, unknown                          string
	access                                    map[string]string
	answered, last, fails, never, unchecked   *regexp.Regexp
	records, sizes, sampled, period           string
	ofSample, about                           string
	latency                                   string
}

var langs = []string{"en", "de", "fr", "nl"}

var vocabulary = map[string]*words{
	"en": {
		months: "January February March April May June July August September October November December", thousand: ",", point: ".",
		free: "Free to use", credit: "with attribution", alike: "under the same terms", freely: "without conditions", paid: "Not for commercial use", intact: "unchanged only",
		silent: []string{"No licence is stated", "Without a licence", "does not say on what terms"}, yes: "Yes", no: "No", unknown: "Unknown",
		access: map[string]string{"FREE_NO_AUTH": "Free, no key", "FREE_KEY_REQUIRED": "Free with a key", "FREE_TRIAL": "Free on trial", "FREE_OSS_EDU": "Free for open source and education",
			"NOT_FREE": "Not free", "UNKNOWN": "Access unknown", "PUBLIC": "Public, says the publisher", "RESTRICTED": "Restricted", "NON_PUBLIC": "Not public"},
		answered: regexp.MustCompile(`^answered (.+)$`), last: regexp.MustCompile(`^last answered (.+)$`), fails: regexp.MustCompile(`^does not answer, last did (.+)$`),
		never: regexp.MustCompile(`^did not answer (.+)$`), unchecked: regexp.MustCompile(`^not checked yet$`),
		records: "Records", sizes: "Size", sampled: "Sampled", period: "Period covered", ofSample: "of the sample", about: "about", latency: "Latency (median)",
	},
	"fr": {
		months: "janvier février mars avril mai juin juillet août septembre octobre novembre décembre", thousand: "\u202f\u00a0", point: ",",
		free: "Libre de droits|Réutilisation libre", credit: "mention de la source", alike: "mêmes conditions", freely: "sans condition", paid: "Pas d’usage commercial", intact: "sans modification seulement",
		silent: []string{"Aucune licence", "Sans licence"}, yes: "Oui", no: "Non", unknown: "Inconnu",
		access: map[string]string{"FREE_NO_AUTH": "Gratuit, sans clé", "FREE_KEY_REQUIRED": "Gratuit avec une clé", "FREE_TRIAL": "Gratuit à l’essai", "FREE_OSS_EDU": "Gratuit pour le logiciel libre et l’enseignement",
			"NOT_FREE": "Payant", "UNKNOWN": "Accès inconnu", "PUBLIC": "Public, selon l’éditeur", "RESTRICTED": "Restreint", "NON_PUBLIC": "Non public"},
		answered: regexp.MustCompile(`^a répondu le (.+)$`), last: regexp.MustCompile(`^dernière réponse le (.+)$`), fails: regexp.MustCompile(`^ne répond pas, dernière réponse le (.+)$`),
		never: regexp.MustCompile(`^n’a pas répondu le (.+)$`), unchecked: regexp.MustCompile(`^pas encore contrôlé$`),
		records: "Enregistrements", sizes: "Taille", sampled: "Échantillonné", period: "Période couverte", ofSample: "de l’échantillon", about: "environ", latency: "Latence (médiane)",
	},
	"de": {
		months: "Januar Februar März April Mai Juni Juli August September Oktober November Dezember", thousand: ".", point: ",",
		free: "Frei verwendbar", credit: "Namensnennung", alike: "gleichen Bedingungen", freely: "ohne Bedingungen", paid: "Nicht für kommerzielle", intact: "Nur unverändert",
		silent: []string{"Keine Lizenz", "Ohne Lizenz"}, yes: "Ja", no: "Nein", unknown: "Unbekannt",
		access: map[string]string{"FREE_NO_AUTH": "Frei, ohne Schlüssel", "FREE_KEY_REQUIRED": "Frei mit Schlüssel", "FREE_TRIAL": "Frei zur Probe", "FREE_OSS_EDU": "Frei für Open Source und Lehre",
			"NOT_FREE": "Kostenpflichtig", "UNKNOWN": "Zugang unbekannt", "PUBLIC": "Öffentlich laut Herausgeber", "RESTRICTED": "Eingeschränkt", "NON_PUBLIC": "Nicht öffentlich"},
		answered: regexp.MustCompile(`^hat am (.+) geantwortet$`), last: regexp.MustCompile(`^letzte Antwort am (.+)$`), fails: regexp.MustCompile(`^antwortet nicht, zuletzt am (.+)$`),
		never: regexp.MustCompile(`^hat am (.+) nicht geantwortet$`), unchecked: regexp.MustCompile(`^noch nicht geprüft$`),
		records: "Datensätze", sizes: "Größe", sampled: "Stichprobe vom", period: "Zeitraum", ofSample: "in der Stichprobe", about: "etwa", latency: "Antwortzeit (Median)",
	},
	"nl": {
		months: "januari februari maart april mei juni juli augustus september oktober november december", thousand: ".", point: ",",
		free: "Vrij te gebruiken", credit: "naamsvermelding", alike: "dezelfde voorwaarden", freely: "zonder voorwaarden", paid: "Niet voor commercieel", intact: "Alleen ongewijzigd",
		silent: []string{"Geen licentie", "zonder licentie"}, yes: "Ja", no: "Nee", unknown: "Onbekend",
		access: map[string]string{"FREE_NO_AUTH": "Vrij, zonder sleutel", "FREE_KEY_REQUIRED": "Gratis met een sleutel", "FREE_TRIAL": "Gratis op proef", "FREE_OSS_EDU": "Gratis voor open source en onderwijs",
			"NOT_FREE": "Niet gratis", "UNKNOWN": "Toegang onbekend", "PUBLIC": "Openbaar, zegt de uitgever", "RESTRICTED": "Beperkt", "NON_PUBLIC": "Niet openbaar"},
		answered: regexp.MustCompile(`^gaf antwoord op (.+)$`), last: regexp.MustCompile(`^laatste antwoord op (.+)$`), fails: regexp.MustCompile(`^geeft geen antwoord, het laatst op (.+)$`),
		never: regexp.MustCompile(`^gaf geen antwoord op (.+)$`), unchecked: regexp.MustCompile(`^nog niet gecontroleerd$`),
		records: "Records", sizes: "Grootte", sampled: "Steekproef van", period: "Periode", ofSample: "van de steekproef", about: "ongeveer", latency: "Wachttijd (mediaan)",
	},
}

// has tells that text holds one of several phrases.
func has(text, phrases string) bool {
	return slices.ContainsFunc(strings.Split(phrases, "|"), func(p string) bool { return strings.Contains(text, p) })
}

var (
	firstNumber = regexp.MustCompile(`\d[\d.,\x{202f}\x{a0}]*\d|\d`)
	amount      = regexp.MustCompile(`(\d[\d.,\x{202f}\x{a0}]*?)[\s\x{202f}\x{a0}]*(B|o|kB|ko|MB|Mo|GB|Go|TB|To)\b`)
	dated       = regexp.MustCompile(`(\d{1,2})(?:\.|er)? (\p{L}+) (\d{4})`)
	units       = map[byte]float64{'B': 1, 'o': 1, 'k': 1e3, 'M': 1e6, 'G': 1e9, 'T': 1e12}
)

// number reads a number as the language writes it.
func (w *words) number(text string) (float64, error) {
	text = strings.Map(func(r rune) rune {
		if strings.ContainsRune(w.thousand, r) {
			return -1
		}
		return r
	}, strings.TrimSpace(text))
	return strconv.ParseFloat(strings.Replace(text, w.point, ".", 1), 64)
}

// day reads the first day in a text, zero for none.
func (w *words) day(text string) time.Time {
	if list := w.days(text); len(list) > 0 {
		return list[0]
	}
	return time.Time{}
}

func (w *words) days(text string) (list []time.Time) {
	for _, m := range dated.FindAllStringSubmatch(text, -1) {
		month := slices.Index(strings.Fields(w.months), m[2])
		day, _ := strconv.Atoi(m[1])
		year, _ := strconv.Atoi(m[3])
		if month >= 0 {
			list = append(list, time.Date(year, time.Month(month+1), day, 0, 0, 0, 0, time.UTC))
		}
	}
	return list
}

// size reads a size, and tells by how many bytes it may be rounded.
func (w *words) size(text string) (bytes, rounded float64, err error) {
	m := amount.FindStringSubmatch(text)
	if m == nil {
		return 0, 0, fmt.Errorf("%q is no size", text)
	}
	n, err := w.number(m[1])
	unit := units[m[2][0]]
	_, decimals, _ := strings.Cut(m[1], w.point)
	return n * unit, 0.5001 * unit * math.Pow10(-len(decimals)), err
}

// on is the day of an instant.
func on(at *time.Time) string {
	if at == nil || at.IsZero() {
		return ""
	}
	return at.UTC().Format(time.DateOnly)
}
