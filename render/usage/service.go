package usage

import (
	"net/url"
	"strings"
)

// request asks an interface of no protocol of its own.
func request(t *Target) []Sample {
	a := t.ask(t.URL, "application/json")
	return []Sample{
		{Language: Shell, Code: a.shell("")},
		{Language: Python, Code: a.python("if \"json\" in answer.headers.get(\"Content-Type\", \"\"):\n    print(answer.json())\nelse:\n    print(answer.text[:2000])"), Needs: needsRequests},
		{Language: R, Code: a.hint("#") + "text <- readLines(" + a.r() + ", warn = FALSE)\ncat(substr(text, 1, 2000), sep = \"\\n\")"},
		{Language: JavaScript, Code: a.script("const json = answer.headers.get(\"Content-Type\")?.includes(\"json\");\nconsole.log(json ? await answer.json() : (await answer.text()).slice(0, 2000));")},
	}
}

// introspection asks a GraphQL server which queries it answers (GraphQL,
// October 2021, section 4).
const introspection = "{ __schema { queryType { fields { name description } } } }"

func graphQL(t *Target) []Sample {
	a := t.ask(t.URL, "")
	a.graphql = introspection
	return []Sample{
		{Language: Shell, Code: a.shell("")},
		{Language: Python, Code: a.python("print(json.dumps(answer.json(), indent=2)[:2000])", "import json"), Needs: needsRequests},
		{Language: JavaScript, Code: a.script("console.log(JSON.stringify(await answer.json(), null, 2).slice(0, 2000));")},
	}
}

const anyTriples = "SELECT ?s ?p ?o WHERE { ?s ?p ?o } LIMIT 10"

// sparql asks by GET (SPARQL 1.1 Protocol, section 2.1.1), for a table (SPARQL
// 1.1 Query Results CSV and TSV Formats).
func sparql(t *Target) []Sample {
	a := t.ask(with(t.URL, "query", anyTriples), "text/csv")
	return []Sample{
		{Language: Shell, Code: a.shell("")},
		{Language: Python, Code: a.python("data = pd.read_csv(io.StringIO(answer.text))\nprint(data)", "import io", "import pandas as pd"), Needs: needsPandas},
		{Language: R, Code: a.hint("#") + "data <- read.csv(" + a.r() + ")\nprint(data)"},
		{Language: JavaScript, Code: a.script("console.log(await answer.text());")},
	}
}

// odata asks an entity set for its first members, or the service for its sets
// (OData 4.01 Protocol, section 11.2).
func odata(t *Target) []Sample {
	root := *t
	root.Path, root.Records = "value", true
	address := t.URL
	if t.Layer != "" {
		address = with(strings.TrimRight(t.URL, "/")+"/"+url.PathEscape(t.Layer), "$top", "10")
		address = strings.Replace(address, "%24top", "$top", 1)
	}
	return root.json(address, "application/json", false)
}

// sdmx asks a dataflow for its latest observations as CSV, or the service for
// its dataflows (SDMX RESTful API 1.5).
func sdmx(t *Target) []Sample {
	if t.Layer == "" {
		address := t.URL
		if !strings.Contains(address, "/dataflow") && !strings.Contains(address, "/data/") && !strings.Contains(address, "?") {
			address = strings.TrimRight(address, "/") + "/dataflow/all/all/latest"
		}
		return t.xml(address, "")
	}
	a := t.ask(with(strings.TrimRight(t.URL, "/")+"/data/"+strings.ReplaceAll(url.PathEscape(t.Layer), "%2C", ","), "lastNObservations", "1"), "application/vnd.sdmx.data+csv;version=1.0.0")
	return []Sample{
		{Language: Shell, Code: a.shell("")},
		{Language: Python, Code: a.python("data = pd.read_csv(io.StringIO(answer.text))\nprint(data.head())", "import io", "import pandas as pd"), Needs: needsPandas},
		{Language: R, Code: a.hint("#") + "data <- read.csv(" + a.r() + ")\nhead(data)"},
		{Language: JavaScript, Code: a.script("console.log((await answer.text()).split(\"\\n\").slice(0, 5).join(\"\\n\"));")},
	}
}

// soap reads which operations a service describes (WSDL 1.1).
func soap(t *Target) []Sample {
	address := t.URL
	if !strings.Contains(strings.ToLower(address), "wsdl") {
		address += "?wsdl"
		if strings.Contains(t.URL, "?") {
			address = strings.TrimSuffix(address, "?wsdl") + "&wsdl"
		}
	}
	a := t.ask(address, "")
	return []Sample{
		{Language: Shell, Code: a.shell("")},
		{Language: Python, Code: a.python("root = ElementTree.fromstring(answer.content)\nfor operation in root.iter(\"{http://schemas.xmlsoap.org/wsdl/}operation\"):\n    print(operation.get(\"name\"))", "from xml.etree import ElementTree"), Needs: needsRequests},
		{Language: JavaScript, Code: a.script("const text = await answer.text();\nconsole.log([...text.matchAll(/<(?:\\w+:)?operation name=\"([^\"]+)\"/g)].map((m) => m[1]));")},
	}
}

// ogcAPI asks a collection for its first features, or the service for its
// collections (OGC 17-069r4, section 7).
func ogcAPI(t *Target) []Sample {
	if t.Layer == "" {
		root := *t
		root.Path, root.Records = "collections", true
		return root.json(t.URL+"/collections", "application/json", false)
	}
	out := t.featuresAt(with(t.URL+"/collections/"+url.PathEscape(t.Layer)+"/items", "limit", "10"), "application/geo+json")
	return append(out, t.qgis("addVectorLayer", "typename="+sourceWord(t.Layer)+" url="+sourceWord(t.URL)+" restrictToRequestBBOX='1'", "OAPIF")...)
}

// arcgis asks a layer for its first features, or a service for its layers
// (ArcGIS REST API).
func arcgis(t *Target) []Sample {
	base, _, _ := strings.Cut(t.URL, "?")
	base = strings.TrimRight(base, "/")
	last := base[strings.LastIndexByte(base, '/')+1:]
	if last == "" || strings.Trim(last, "0123456789") != "" {
		return t.json(with(base, "f", "json"), "", false)
	}
	t = &Target{Kind: ArcGIS, URL: base, Name: t.Name, Path: "features", Records: true, Auth: t.Auth}
	out := t.json(with(base+"/query", "where", "1=1", "outFields", "*", "resultRecordCount", "10", "f", "json"), "", false)
	return append(out, t.qgis("addVectorLayer", "url="+sourceWord(base)+" crs='EPSG:4326'", "arcgisfeatureserver")...)
}
