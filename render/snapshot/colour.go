package snapshot

import (
	"fmt"
	"math"
	"regexp"
	"strconv"
)

// The grounds of the site's pages, in light and in dark, on which links stand.
const (
	paperLight = "#fbfbf9"
	paperDark  = "#10141a"
)

// contrastMin is what text needs against its ground (WCAG 2.2, 1.4.3).
const contrastMin = 4.5

var colour = regexp.MustCompile(`^#[0-9a-f]{6}$`)

// CheckAccents refuses colours that are none, or that cannot be read as links
// on the pages' ground.
func (s Site) CheckAccents() error {
	for _, c := range []struct{ name, value, ground string }{{"accent", s.Accent, paperLight}, {"accent-dark", s.AccentDark, paperDark}} {
		if c.value == "" {
			continue
		}
		if !colour.MatchString(c.value) {
			return fmt.Errorf("--%s %s: write a colour as # and six hexadecimal digits in lower case, such as #0a4c86", c.name, c.value)
		}
		if got := contrast(c.value, c.ground); got < contrastMin {
			return fmt.Errorf("--%s %s: its contrast with the page %s is %.1f, links need %.1f: choose a %s colour",
				c.name, c.value, c.ground, got, contrastMin, map[bool]string{true: "darker", false: "lighter"}[c.ground == paperLight])
		}
	}
	return nil
}

// InkOn is the colour of text on a ground: white or near black, whichever is
// read better.
func InkOn(ground string) string {
	const white, black = "#ffffff", "#0b0f14"
	if contrast(white, ground) >= contrast(black, ground) {
		return white
	}
	return black
}

// contrast is the ratio of two colours' luminance (WCAG 2.2, "contrast ratio").
func contrast(a, b string) float64 {
	x, y := luminance(a), luminance(b)
	return (max(x, y) + 0.05) / (min(x, y) + 0.05)
}

// luminance is how bright a colour is, 0 to 1 (WCAG 2.2, "relative luminance").
func luminance(hex string) float64 {
	sum := 0.0
	for i, weight := range []float64{0.2126, 0.7152, 0.0722} {
		n, err := strconv.ParseUint(hex[1+2*i:3+2*i], 16, 8)
		if err != nil {
			return 0
		}
		v := float64(n) / 255
		if v <= 0.04045 {
			v /= 12.92
		} else {
			v = math.Pow((v+0.055)/1.055, 2.4)
		}
		sum += weight * v
	}
	return sum
}
