package dump

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/parquet-go/parquet-go"
)

// schemas describes the tables of both dumps for a golden file: a change of
// them is a change of a public format.
func schemas(t *testing.T, files map[string][]byte) string {
	t.Helper()
	var b strings.Builder
	rows, err := openSQLite(t, files[RouteSQLite]).Query("SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL ORDER BY rowid")
	must(t, err)
	defer rows.Close()
	for rows.Next() {
		var text string
		must(t, rows.Scan(&text))
		b.WriteString(text + ";\n")
	}
	must(t, rows.Err())
	body := files[RouteParquet]
	f, err := parquet.OpenFile(bytes.NewReader(body), int64(len(body)))
	must(t, err)
	fmt.Fprintf(&b, "\n%s\ncreated by %s\n", f.Schema(), f.Metadata().CreatedBy)
	for _, column := range f.Metadata().RowGroups[0].Columns {
		fmt.Fprintf(&b, "%s %s %s\n", strings.Join(column.MetaData.PathInSchema, "."), column.MetaData.Codec, column.MetaData.Encoding)
	}
	return b.String()
}
