package usage

import "strings"

// table reads a text table, in its dialect.
func table(t *Target) []Sample {
	a := t.ask(t.URL, "")
	out := []Sample{
		{Language: Shell, Code: a.shell(" -o data.csv") + "\nhead -n 5 data.csv"},
		{Language: Python, Code: t.pandasTable(a), Needs: "pip install pandas"},
		{Language: R, Code: t.rTable(a)},
		{Language: JavaScript, Code: a.script(t.textOf() + `console.log(text.split("\n").slice(0, 5).join("\n"));`)},
	}
	if options, ok := t.duckTable(); ok {
		out = append(out, t.sql("SELECT * FROM read_csv("+sqlText(t.URL)+options+") LIMIT 10;")...)
	}
	return out
}

// separator is what parts the columns, where it is not that of the format.
func (t *Target) separator() string {
	switch {
	case t.Separator != "" && t.Separator != ",":
		return t.Separator
	case t.Kind == TSV && t.Separator == "":
		return "\t"
	}
	return ""
}

// quotedSeparator is the separator in a literal of the languages that have
// escapes.
func quotedSeparator(s string) string {
	if s == "\t" {
		return `"\t"`
	}
	return literal(s)
}

func (t *Target) encoded() bool { return t.Encoding != "" && t.Encoding != "utf-8" }

func (t *Target) pandasTable(a *ask) string {
	arguments := []string{literal(t.URL)}
	if s := t.separator(); s != "" {
		arguments = append(arguments, "sep="+quotedSeparator(s))
	}
	if t.encoded() {
		arguments = append(arguments, "encoding="+literal(t.Encoding))
	}
	if len(t.Codes) > 0 {
		pairs := make([]string, len(t.Codes))
		for i, c := range t.Codes {
			pairs[i] = literal(c) + ": str"
		}
		arguments = append(arguments, "dtype={"+strings.Join(pairs, ", ")+"}")
	}
	if a.closed() {
		arguments[0] = "io.BytesIO(answer.content)"
		return a.python("data = pd.read_csv("+listed(arguments, "    ", ",")+")\nprint(data.head())", "import io", "import pandas as pd")
	}
	return "import pandas as pd\n\ndata = pd.read_csv(" + listed(arguments, "    ", ",") + ")\nprint(data.head())"
}

// listed puts one argument on the line of the call, several on their own.
func listed(arguments []string, indent, last string) string {
	if len(arguments) == 1 {
		return arguments[0]
	}
	return "\n" + indent + strings.Join(arguments, ",\n"+indent) + last + "\n"
}

func (t *Target) rTable(a *ask) string {
	arguments := []string{a.r()}
	if s := t.separator(); s != "" {
		arguments = append(arguments, "sep = "+quotedSeparator(s))
	}
	if t.encoded() {
		arguments = append(arguments, "fileEncoding = "+literal(strings.ToUpper(t.Encoding)))
	}
	if len(t.Codes) > 0 {
		pairs := make([]string, len(t.Codes))
		for i, c := range t.Codes {
			pairs[i] = literal(c) + ` = "character"`
		}
		arguments = append(arguments, "colClasses = c("+strings.Join(pairs, ", ")+")")
	}
	arguments = append(arguments, "check.names = FALSE")
	return a.hint("#") + "data <- read.csv(" + listed(arguments, "  ", "") + ")\nhead(data)"
}

// textOf decodes the answer of a script.
func (t *Target) textOf() string {
	if !t.encoded() {
		return "const text = await answer.text();\n"
	}
	return "const text = new TextDecoder(" + literal(t.Encoding) + ").decode(await answer.arrayBuffer());\n"
}

// duckTable are the options of read_csv; false for an encoding that DuckDB
// reads with another extension only.
func (t *Target) duckTable() (options string, ok bool) {
	if s := t.separator(); s != "" {
		if s == "\t" {
			s = `\t`
		}
		options += ", delim = " + sqlText(s)
	}
	switch {
	case !t.encoded():
	case t.Encoding == "iso-8859-1":
		options += ", encoding = 'latin-1'"
	default:
		return "", false
	}
	if len(t.Codes) > 0 {
		pairs := make([]string, len(t.Codes))
		for i, c := range t.Codes {
			pairs[i] = sqlText(c) + ": 'VARCHAR'"
		}
		options += ", types = {" + strings.Join(pairs, ", ") + "}"
	}
	return options, true
}

// document reads JSON.
func document(t *Target) []Sample { return t.json(t.URL, "", true) }

// json reads JSON from an address that may be another than the target's.
func (t *Target) json(url, accept string, plain bool) []Sample {
	a := t.ask(url, accept)
	shell := Sample{Language: Shell, Code: a.shell("")}
	if !t.Records {
		out := []Sample{shell,
			{Language: Python, Code: a.python("print(json.dumps(answer.json(), indent=2, ensure_ascii=False)[:2000])", "import json"), Needs: needsRequests},
			{Language: R, Code: a.hint("#") + "data <- jsonlite::fromJSON(" + a.r() + ")\nstr(data, max.level = 2)", Needs: needsJSONLite},
			{Language: JavaScript, Code: a.script("console.log(JSON.stringify(await answer.json(), null, 2).slice(0, 2000));")},
		}
		if plain {
			out = append(out, t.sql("SELECT * FROM read_json("+sqlText(url)+") LIMIT 10;")...)
		}
		return out
	}
	frame, last := "data = pd.DataFrame(", ")"
	if t.Keyed {
		frame, last = "data = pd.DataFrame.from_dict(", ", orient=\"index\")"
	}
	path, names := "", ""
	var columns []string
	if t.Path != "" {
		for _, step := range strings.Split(t.Path, ".") {
			path += "[" + literal(step) + "]"
			names += "[[" + literal(step) + "]]"
			columns = append(columns, sqlName(step))
		}
	}
	out := []Sample{shell,
		{Language: Python, Code: a.python(frame+"answer.json()"+path+last+"\nprint(data.head())", "import pandas as pd"), Needs: needsPandas},
		{Language: R, Code: a.hint("#") + "data <- jsonlite::fromJSON(" + a.r() + ", flatten = TRUE)\nhead(data" + names + ")", Needs: needsJSONLite},
		{Language: JavaScript, Code: a.script("const data = await answer.json();\nconsole.log(Object.values(data" + path + ").slice(0, 5));")},
	}
	switch {
	case !plain:
	case t.Path == "":
		out = append(out, t.sql("SELECT * FROM read_json("+sqlText(url)+") LIMIT 10;")...)
	default:
		out = append(out, t.sql("SELECT unnest(r) FROM (\n  SELECT unnest("+strings.Join(columns, ".")+") AS r FROM read_json("+sqlText(url)+")\n) LIMIT 10;")...)
	}
	return out
}

// lines reads JSON with one record on each line.
func lines(t *Target) []Sample {
	a := t.ask(t.URL, "")
	return append([]Sample{
		{Language: Shell, Code: a.shell(" -o data.ndjson") + "\nhead -n 5 data.ndjson"},
		{Language: Python, Code: a.python("data = pd.read_json(io.StringIO(answer.text), lines=True)\nprint(data.head())", "import pandas as pd", "import io"), Needs: needsPandas},
		{Language: R, Code: a.hint("#") + "data <- jsonlite::stream_in(textConnection(readLines(" + a.r() + ")), verbose = FALSE)\nhead(data)", Needs: needsJSONLite},
		{Language: JavaScript, Code: a.script("const lines = (await answer.text()).trim().split(\"\\n\");\nconsole.log(lines.slice(0, 5).map((line) => JSON.parse(line)));")},
	}, t.sql("SELECT * FROM read_json("+sqlText(t.URL)+", format = 'newline_delimited') LIMIT 10;")...)
}

// features reads GeoJSON (RFC 7946).
func features(t *Target) []Sample {
	out := t.featuresAt(t.URL, "")
	out = append(out, t.sql("SELECT unnest(f.properties) FROM (\n  SELECT unnest(features) AS f FROM read_json("+sqlText(t.URL)+")\n) LIMIT 10;")...)
	return append(out, t.qgis("addVectorLayer", "/vsicurl/"+t.URL, "ogr")...)
}

func (t *Target) featuresAt(url, accept string) []Sample {
	a := t.ask(url, accept)
	return []Sample{
		{Language: Shell, Code: a.shell("")},
		{Language: Python, Code: a.python("data = pd.json_normalize(answer.json()[\"features\"])\nprint(data.head())", "import pandas as pd"), Needs: needsPandas},
		{Language: R, Code: a.hint("#") + "data <- jsonlite::fromJSON(" + a.r() + ")\nhead(data$features$properties)", Needs: needsJSONLite},
		{Language: JavaScript, Code: a.script("const { features } = await answer.json();\nconsole.log(features.slice(0, 5).map((f) => f.properties));")},
	}
}

// workbook reads a workbook of spreadsheets.
func workbook(t *Target) []Sample {
	a := t.ask(t.URL, "")
	return []Sample{
		{Language: Shell, Code: a.shell(" -o data.xlsx") + "\nls -l data.xlsx"},
		{Language: Python, Code: a.python("data = pd.read_excel(io.BytesIO(answer.content))\nprint(data.head())", "import pandas as pd", "import io"), Needs: "pip install pandas requests openpyxl"},
		{Language: R, Code: a.hint("#") + a.rFile("data.xlsx") + "data <- readxl::read_excel(\"data.xlsx\")\nhead(data)", Needs: `install.packages("readxl")`},
	}
}

func columnar(t *Target) []Sample {
	a := t.ask(t.URL, "")
	return append([]Sample{
		{Language: Shell, Code: a.shell(" -o data.parquet") + "\nls -l data.parquet"},
		{Language: Python, Code: a.python("data = pd.read_parquet(io.BytesIO(answer.content))\nprint(data.head())", "import pandas as pd", "import io"), Needs: "pip install pandas requests pyarrow"},
		{Language: JavaScript, Code: "import { parquetReadObjects } from \"hyparquet\";\n\n" + a.script("const file = await answer.arrayBuffer();\nconsole.log(await parquetReadObjects({ file, rowEnd: 5 }));"), Needs: "npm install hyparquet"},
	}, t.sql("SELECT * FROM read_parquet("+sqlText(t.URL)+") LIMIT 10;")...)
}

// markup reads XML of whatever vocabulary.
func markup(t *Target) []Sample { return t.xml(t.URL, "") }

func (t *Target) xml(url, accept string) []Sample {
	a := t.ask(url, accept)
	return []Sample{
		{Language: Shell, Code: a.shell("")},
		{Language: Python, Code: a.python("root = ElementTree.fromstring(answer.content)\nfor element in list(root)[:5]:\n    print(ElementTree.tostring(element, \"unicode\")[:500])", "from xml.etree import ElementTree"), Needs: needsRequests},
		{Language: R, Code: a.hint("#") + "text <- readLines(" + a.r() + ", n = 20, warn = FALSE)\ncat(substr(text, 1, 500), sep = \"\\n\")"},
		{Language: JavaScript, Code: a.script("console.log((await answer.text()).slice(0, 2000));")},
	}
}

// triples reads RDF.
func triples(t *Target) []Sample {
	a := t.ask(t.URL, "")
	format := map[Kind]string{Turtle: "turtle", RDFXML: "xml", JSONLD: "json-ld"}[t.Kind]
	out := []Sample{
		{Language: Shell, Code: a.shell("")},
		{Language: Python, Code: a.python("graph = rdflib.Graph().parse(data=answer.content, format=\""+format+"\")\nfor triple in list(graph)[:5]:\n    print(*triple)", "import rdflib"), Needs: "pip install rdflib requests"},
	}
	if t.Kind == Turtle {
		out = append(out, Sample{Language: JavaScript, Code: "import { Parser } from \"n3\";\n\n" + a.script("const quads = new Parser().parse(await answer.text());\nfor (const q of quads.slice(0, 5)) console.log(q.subject.value, q.predicate.value, q.object.value);"), Needs: "npm install n3"})
	}
	return out
}

// vector is a file for geographic information systems.
func vector(t *Target) []Sample {
	name := t.saved("data")
	way := "/vsicurl/"
	if strings.HasSuffix(strings.ToLower(name), ".zip") {
		way = "/vsizip//vsicurl/"
	}
	return append([]Sample{{Language: Shell, Code: t.ask(t.URL, "").shell(" -o "+name) + "\nls -l " + name}}, t.qgis("addVectorLayer", way+t.URL, "ogr")...)
}

// archive tells what lies in a ZIP archive.
func archive(t *Target) []Sample {
	a := t.ask(t.URL, "")
	return []Sample{
		{Language: Shell, Code: a.shell(" -o data.zip") + "\nunzip -l data.zip"},
		{Language: Python, Code: a.python("archive = zipfile.ZipFile(io.BytesIO(answer.content))\nprint(archive.namelist())", "import io", "import zipfile"), Needs: needsRequests},
		{Language: R, Code: a.hint("#") + a.rFile("data.zip") + "unzip(\"data.zip\", list = TRUE)"},
	}
}

// download keeps a file that only its own program reads.
func download(t *Target) []Sample {
	name := t.saved("data")
	return []Sample{{Language: Shell, Code: t.ask(t.URL, "").shell(" -o "+name) + "\nls -l " + name}}
}
