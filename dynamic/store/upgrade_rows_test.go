package store_test

import (
	"database/sql"
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// table has the columns of a table as a release knew them, and its rows as text.
type table struct {
	columns string
	rows    []string
}

// tables are those that statements fill.
func tables(data string) map[string]*table {
	list := map[string]*table{}
	for _, m := range regexp.MustCompile(`(?m)^INSERT INTO (\w+) \(([^)]*)\)`).FindAllStringSubmatch(data, -1) {
		list[m[1]] = &table{columns: m[2]}
	}
	return list
}

// rows reads the columns that tables had from a store as it is now.
func rows(t *testing.T, d database, dsn string, had map[string]*table) map[string]*table {
	t.Helper()
	db, err := sql.Open(d.driver, dsn)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	all := map[string]*table{}
	for name, h := range had {
		list, err := db.QueryContext(t.Context(), "SELECT "+h.columns+" FROM "+name)
		if err != nil {
			t.Fatal(err)
		}
		all[name] = &table{h.columns, read(t, list)}
	}
	return all
}

func read(t *testing.T, list *sql.Rows) (rows []string) {
	t.Helper()
	defer list.Close()
	names, err := list.Columns()
	if err != nil {
		t.Fatal(err)
	}
	for list.Next() {
		values, into := make([]any, len(names)), make([]any, len(names))
		for i := range values {
			into[i] = &values[i]
		}
		if err := list.Scan(into...); err != nil {
			t.Fatal(err)
		}
		row := ""
		for i, v := range values {
			row += names[i] + "=" + text(v) + "\n"
		}
		rows = append(rows, row)
	}
	if err := list.Err(); err != nil {
		t.Fatal(err)
	}
	slices.Sort(rows)
	return rows
}

// text writes JSON with its members in one order.
func text(v any) string {
	if b, ok := v.([]byte); ok {
		v = string(b)
	}
	s, ok := v.(string)
	if !ok || !strings.HasPrefix(s, "{") {
		return fmt.Sprint(v)
	}
	var doc any
	if json.Unmarshal([]byte(s), &doc) != nil {
		return s
	}
	b, _ := json.Marshal(doc)
	return string(b)
}

// proposed is the address of a submission in its event, which an upgrade takes out:
// what was proposed is not told by events.
var proposed = regexp.MustCompile(`(type=submission\.received\nentry_id=\n(?s:.*?)),"url":"[^"]*"`)

// kept holds an upgraded store to the rows that it had.
func kept(t *testing.T, before, after map[string]*table) {
	t.Helper()
	for name, b := range before {
		if len(b.rows) == 0 {
			t.Errorf("no %s were there before the upgrade", name)
		}
		for _, row := range b.rows {
			if !slices.Contains(after[name].rows, proposed.ReplaceAllString(row, "$1")) {
				t.Errorf("after the upgrade %s lack or changed a row:\n%.1500s", name, row)
			}
		}
		if len(after[name].rows) != len(b.rows) {
			t.Errorf("%d %s became %d", len(b.rows), name, len(after[name].rows))
		}
	}
}
