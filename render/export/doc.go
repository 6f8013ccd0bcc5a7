// Package export renders the bulk exports of the register, by which anybody
// takes the whole catalog away: one JSON document, CSV tables and one line
// of NDJSON per entry, each also as a gzip file. The SQLite and Parquet dumps
// of build/dump are made of the rows of the full table.
//
// # What an export holds
//
// Every visible entry, ACTIVE and DEPRECATED, in the order of ids; the column
// status tells them apart. Id order needs no sorting, so an export streams and
// its memory does not grow with the catalog; it also keeps two days' exports
// comparable line by line, which the ranking order would not.
//
// JSON and CSV have the 17 columns of Columns. NDJSON has full records (wire.Record),
// the full CSV and the dumps the columns of FullColumns, which begin with those 17 (decisions-2
// §G). All forms hold every description whole.
//
// The JSON document has no answer manifest: its members are fixed by those who
// read such exports already. Its hash stands in checksums.txt and routes.ndjson.
//
// # CSV
//
// RFC 4180: CRLF ends a row, a cell is quoted if it holds a quote, a comma, a
// CR or an LF, and the first row is the header. A line feed inside a cell stays
// a line feed; that is why rows are written and read back here, as encoding/csv
// changes the ends of lines inside cells. An empty cell is null, for no value of
// the register is an empty string. Nothing is put before cells that a
// spreadsheet could take for a formula: the bytes are data, and a prefix would
// change them for every reader that is not a spreadsheet. For those there is a
// file of its own, in which such cells begin with a quote (render/spreadsheet);
// the service answers it at the address of the plain one when asked for safe.
//
// # Further columns
//
// In a full row a column of several values is a JSON array, one of values by language a
// JSON object, truth is true or false: one rule, which a database reads without help. Parquet has
// lists for the arrays.
//
// # Tags
//
// Where tags share a cell they are joined by semicolons. A tag may hold a
// semicolon but never a comma (catalog.Entry.Validate), so that a semicolon
// inside a tag is written as a comma: SplitTags undoes it, and a reader that
// only splits at semicolons never sees a tag fall apart.
package export
