package web

import (
	"strconv"
	"strings"
)

// Coding is a content coding.
type Coding int

// Content codings.
const (
	Identity Coding = iota
	Gzip
	Zstd
	Brotli
	codings
)

// String is the name of the coding in headers.
func (c Coding) String() string { return [...]string{"identity", "gzip", "zstd", "br"}[c] }

// Orders of preference among codings that a client likes equally: the smallest
// for what is kept and sent often; for the rest the fastest, which costs a sixth of
// the time and a tenth more bytes.
var (
	PreferSmall = []Coding{Brotli, Zstd, Gzip}
	PreferFast  = []Coding{Zstd, Brotli, Gzip}
)

// Negotiate chooses a coding by an Accept-Encoding header (RFC 9110, 12.5.3).
// A client that refuses everything gets the original.
func Negotiate(header string, prefer []Coding) Coding {
	if header == "" {
		return Identity
	}
	q := qualities(header)
	best, most := Identity, q[Identity]
	for _, c := range prefer {
		if q[c] > most || q[c] == most && q[c] > 0 && best == Identity {
			best, most = c, q[c]
		}
	}
	return best
}

// qualities reads the weight of each coding in thousandths. Identity that is
// not named is the last resort.
func qualities(header string) [codings]int {
	var q [codings]int
	var named [codings]bool
	star := -1
	for part := range strings.SplitSeq(header, ",") {
		name, params, _ := strings.Cut(part, ";")
		weight := weightOf(params)
		name = strings.ToLower(strings.TrimSpace(name))
		if name == "*" {
			star = weight
		}
		for c := range codings {
			if name == c.String() || name == "x-gzip" && c == Gzip {
				q[c], named[c] = weight, true
			}
		}
	}
	for c := range codings {
		if !named[c] && star >= 0 && c != Identity {
			q[c] = star
		}
	}
	return q
}

func weightOf(params string) int {
	for p := range strings.SplitSeq(params, ";") {
		name, value, _ := strings.Cut(p, "=")
		if strings.EqualFold(strings.TrimSpace(name), "q") {
			f, err := strconv.ParseFloat(strings.TrimSpace(value), 64)
			if err != nil || !(f >= 0 && f <= 1) {
				return 0
			}
			return int(f * 1000)
		}
	}
	return 1000
}
