package infer

import (
	"math/big"
	"regexp"
	"strings"

	"github.com/assay-register/assay/build/profile/table"
)

// The ways to write a number: with a point or a comma before the decimals, and
// groups of three digits set apart by the other sign, a space or an apostrophe. No group of them begins with zero,
// so "0,030" has decimals.
var (
	plainInteger = regexp.MustCompile(`^[-+]?\d{1,30}$`)
	pointNumber  = regexp.MustCompile(`^[-+]?(?:\d{1,30}|[1-9]\d{0,2}(?:[, '’\x{00a0}\x{202f}]\d{3})+)?(?:\.\d{1,30})?(?:[eE][-+]?\d{1,3})?$`)
	commaNumber  = regexp.MustCompile(`^[-+]?(?:\d{1,30}|[1-9]\d{0,2}(?:[. '’\x{00a0}\x{202f}]\d{3})+)?(?:,\d{1,30})?(?:[eE][-+]?\d{1,3})?$`)
	leadingZero  = regexp.MustCompile(`^[-+]?0\d`)
	grouping     = strings.NewReplacer(" ", "", "'", "", "’", "", "\u00a0", "", "\u202f", "")
)

func isPoint(s string) bool {
	return pointNumber.MatchString(s) && strings.ContainsAny(s, "0123456789") && !strings.HasSuffix(s, ".")
}

func isComma(s string) bool {
	return commaNumber.MatchString(s) && strings.ContainsAny(s, "0123456789")
}

func bare(s string) string { return strings.TrimSpace(strings.TrimSuffix(s, "%")) }

// decimalComma looks at all columns of a table, since "1,234" alone says
// nothing: columns that are numbers one way only decide.
func decimalComma(all []sampled) bool {
	point, comma := 0, 0
	for i := range all {
		s := &all[i]
		if s.filled == 0 || s.kinds[table.Text] != s.filled {
			continue
		}
		p, c := every(s.text, isPoint), every(s.text, isComma)
		switch {
		case p && !c:
			point++
		case c && !p:
			comma++
		}
	}
	return comma > point
}

func every(values []string, is func(string) bool) bool {
	for _, v := range values {
		if !is(bare(v)) {
			return false
		}
	}
	return len(values) > 0
}

// numbers returns Integer, Decimal or Year with bounds, ID for digits that
// begin with zero, or String.
func (s *sampled) numbers(c *Column, comma bool) Type {
	way := isPoint
	if !every(s.text, isPoint) || comma && every(s.text, isComma) {
		way = isComma
	}
	if !every(s.text, way) {
		return String
	}
	point := "."
	if way(",5") {
		point, c.Comma = ",", true
	}
	whole, low, high := true, (*big.Rat)(nil), (*big.Rat)(nil)
	for _, v := range s.text {
		if leadingZero.MatchString(v) && !strings.ContainsAny(v, ".,") {
			c.Min, c.Max = "", ""
			return ID
		}
		text := normal(bare(v), point)
		whole = whole && plainInteger.MatchString(text)
		n, ok := rat(text)
		if !ok {
			c.Min, c.Max = "", ""
			return String
		}
		if low == nil || n.Cmp(low) < 0 {
			low, c.Min = n, text
		}
		if high == nil || n.Cmp(high) > 0 {
			high, c.Max = n, text
		}
	}
	return s.whole(c, whole)
}

func (s *sampled) whole(c *Column, whole bool) Type {
	switch {
	case !whole:
		return Decimal
	case years(c, s.text):
		return Year
	case numberedID(c):
		c.Min, c.Max = "", ""
		return ID
	case s.only(table.Text) && flag(c, s.text):
		c.Min, c.Max = "", ""
		return Boolean
	}
	return Integer
}

// normal writes a number as JSON would: no groups, a point.
func normal(s, point string) string {
	s = strings.TrimPrefix(grouping.Replace(s), "+")
	if point == "," {
		return strings.Replace(strings.ReplaceAll(s, ".", ""), ",", ".", 1)
	}
	return strings.ReplaceAll(s, ",", "")
}

// rat bounds the exponent, because an exact number of it takes memory.
func rat(text string) (*big.Rat, bool) {
	if i := strings.IndexAny(text, "eE"); i >= 0 && len(strings.TrimLeft(text[i+1:], "+-0")) > 2 || len(text) > 80 {
		return nil, false
	}
	return new(big.Rat).SetString(text)
}

// Number returns the normal form of a number as a column of the decimal comma
// or point writes it.
func Number(text string, comma bool) string {
	if comma {
		return normal(bare(text), ",")
	}
	return normal(bare(text), ".")
}
