package ogc

import (
	"errors"
	"strings"
	"testing"

	"github.com/assay-register/assay/dynamic/web"
)

func TestCQLIsRead(t *testing.T) {
	for text, want := range map[string]bool{
		"type = 'dataset'": true, "\"type\" <> 'service'": true, "NOT (country = 'GR' OR country='FR') and updated >= DATE('2024-01-01')": true,
		"created BETWEEN TIMESTAMP('2020-01-01T00:00:00Z') AND DATE('2021-01-01')": true, "title LIKE '%water%'": true, "title NOT LIKE 'a_'": true,
		"keywords IN ('air','o''clock')": true, "license IS NOT NULL": true, "start IS NULL": true, "S_INTERSECTS(geometry,BBOX(-10,35,30,60))": true, "TRUE": true, "anytext = 'water'": true,
		"": false, "type": false, "type =": false, "type = 'a": false, "type = 'a')": false, "(type = 'a'": false, "nobody = 'a'": false, "'type' = 'type'": false, "type ~ 'a'": false,
		"created = 'soon'": false, "created LIKE 'a'": false, "anytext < 'a'": false, "S_INTERSECTS(geometry,BBOX(1,2,3))": false, "S_INTERSECTS(geometry,POINT(1 2))": true, "S_INTERSECTS(BBOX(1,2,3,4),geometry)": true, "S_INTERSECTS(POINT(7.02 49.92), \"geometry\")": true,
		"S_INTERSECTS(geometry,POINT Z(1 2 3))": true, "S_INTERSECTS(geometry,POINT(1 200))": false, "S_INTERSECTS(geometry,POINT(1,2))": false, "S_INTERSECTS(geometry,POINT(1 2 3 4))": false,
		"S_INTERSECTS(geometry,geometry)": false, "S_INTERSECTS(POINT(1 2),POINT(1 2))": false, "S_INTERSECTS(title,POINT(1 2))": false, "geometry IS NULL": true, "geometry IS NOT NULL": true, "geometry = 'a'": false,
		"country = BE": false, "country IN ('BE', NL)": false, "title LIKE water": false, "title = 5": false,
		"type = 'a' 'b'": false, "type IN ()": false, "type BETWEEN 'a' OR 'b'": false, "created = DATE(2020)": false, "type = = 'a'": false,
		strings.Repeat("(", 100) + "TRUE" + strings.Repeat(")", 100): false, strings.Repeat("NOT ", 100) + "TRUE": false, "title = '" + strings.Repeat("a", filterMax) + "'": false,
	} {
		if _, err := parseCQL(text, properties(nil)); (err == nil) != want {
			t.Errorf("%.60q: %v", text, err)
		}
	}
}

func TestRefusalNamesThePlace(t *testing.T) {
	for text, want := range map[string]string{
		"country = BE": "a text in single quotes is wanted before BE (character 11)", "é": "é (character 1)", "title = 'é' OR": "before the end", "title = 'é' OR nobody = 'a'": "nobody (character 16)",
		"created = DATE(2020)": "before 2020 (character 16)", " S_INTERSECTS(geometry,POINT(1 200))": "POINT (character 24)",
	} {
		_, err := parseCQL(text, properties(nil))
		if e := (*web.Error)(nil); !errors.As(err, &e) || !strings.Contains(e.Problem.Detail, want) {
			t.Errorf("%s: %+v does not say %q", text, err, want)
		}
	}
}

func TestLike(t *testing.T) {
	for _, c := range []struct {
		pattern, text string
		want          bool
	}{{"%", "", true}, {"a%", "abc", true}, {"%c", "abc", true}, {"a_c", "abc", true}, {"a_c", "ac", false}, {"%b%", "abc", true}, {"a%b%c", "aXbYbZc", true}, {"a%b", "acd", false},
		{`100\%`, "100%", true}, {`100\%`, "1000", false}, {"", "", true}, {"", "a", false}, {"_%_", "a", false}, {`\`, `\`, false}} {
		if got := matches([]rune(c.pattern), []rune(c.text)); got != c.want {
			t.Errorf("%q LIKE %q: %v", c.text, c.pattern, got)
		}
	}
}

func FuzzCQL(f *testing.F) {
	f.Add("NOT (type = 'dataset' AND title LIKE '%a\\%_') OR S_INTERSECTS(geometry, BBOX(1,2,3,4))")
	f.Add("created BETWEEN DATE('2020-01-01') AND TIMESTAMP('2020-01-01T00:00:00Z')")
	f.Add(`"a""b" IN ('x', 'y''z')`)
	f.Fuzz(func(t *testing.T, text string) {
		if _, err := parseCQL(text, properties(nil)); err != nil && err.Error() == "" {
			t.Error("an error without words")
		}
		_ = matches([]rune(text), []rune("a text"))
	})
}
