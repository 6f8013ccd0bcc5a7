package dump

import (
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/assay-register/assay/render/export"
)

// places are those of the columns among the cells of a full record.
var places = func() map[string]int {
	at := map[string]int{}
	for i, c := range export.FullColumns() {
		at[c.Name] = i
	}
	return at
}()

// cellsOf reads the cells of a full record by the names of their columns; err is what
// could not be read.
type cellsOf struct {
	values []*string
	err    error
}

// record is the part of the columns that every table has.
func (c *cellsOf) record() *export.Record {
	return export.RecordOf((*export.Cells)(c.values))
}

// text is a cell of its own: those of a row stand until the next one.
func (c *cellsOf) text(name string) *string {
	return parsed(c, name, func(s string) (string, error) { return s, nil })
}

func (c *cellsOf) time(name string) *time.Time {
	return parsed(c, name, func(s string) (time.Time, error) { return time.Parse(time.RFC3339, s) })
}

func (c *cellsOf) number(name string) *float64 {
	return parsed(c, name, func(s string) (float64, error) { return strconv.ParseFloat(s, 64) })
}

func (c *cellsOf) integer(name string) *int64 {
	return parsed(c, name, func(s string) (int64, error) { return strconv.ParseInt(s, 10, 64) })
}

func (c *cellsOf) truth(name string) bool {
	v := parsed(c, name, strconv.ParseBool)
	return v != nil && *v
}

func (c *cellsOf) list(name string) []string {
	v := parsed(c, name, texts)
	if v == nil {
		return nil
	}
	return *v
}

// texts reads a JSON array of texts. Most have no escape in them and no space between, so they are only split.
func texts(s string) (list []string, err error) {
	inner, begins := strings.CutPrefix(s, `["`)
	inner, ends := strings.CutSuffix(inner, `"]`)
	if begins && ends && strings.IndexByte(inner, '\\') < 0 {
		if list = strings.Split(inner, `","`); strings.Count(inner, `"`) == 2*(len(list)-1) {
			return list, nil
		}
	}
	err = json.Unmarshal([]byte(s), &list)
	return list, err
}

func parsed[T any](c *cellsOf, name string, parse func(string) (T, error)) *T {
	cell := c.values[places[name]]
	if cell == nil {
		return nil
	}
	v, err := parse(*cell)
	if err != nil {
		c.err = errors.Join(c.err, fmt.Errorf("%s: %w", name, err))
	}
	return &v
}
