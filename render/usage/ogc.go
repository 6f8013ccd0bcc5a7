package usage

import "net/url"

// capabilities lists what a service offers (OGC 06-121r9, section 7); tag is
// the element that holds the name of one offer.
func (t *Target) capabilities(service, version, tag string) []Sample {
	a := t.ask(with(t.URL, "service", service, "version", version, "request", "GetCapabilities"), "")
	return []Sample{
		{Language: Shell, Code: a.shell("")},
		{Language: Python, Code: a.python("root = ElementTree.fromstring(answer.content)\nfor element in root.iter():\n    if element.tag.endswith(\""+tag+"\"):\n        print(element.text)", "from xml.etree import ElementTree"), Needs: needsRequests},
		{Language: R, Code: a.hint("#") + "text <- readLines(" + a.r() + ", warn = FALSE)\ncat(grep(\"Name>|Title>|Identifier>|CoverageId>\", text, value = TRUE), sep = \"\\n\")"},
		{Language: JavaScript, Code: a.script("const text = await answer.text();\nconsole.log([...text.matchAll(/<(?:\\w+:)?(?:Name|Title|Identifier|CoverageId)>([^<]+)/g)].map((m) => m[1]));")},
	}
}

// wms draws a layer (OGC 06-042, section 7.3).
func wms(t *Target) []Sample {
	if t.Layer == "" {
		return t.capabilities("WMS", "1.3.0", "}Name")
	}
	a := t.ask(with(t.URL, "service", "WMS", "version", "1.3.0", "request", "GetMap", "layers", t.Layer, "styles", "", "crs", "CRS:84", "bbox", "-180,-90,180,90", "width", "800", "height", "400", "format", "image/png"), "")
	source := url.Values{"contextualWMSLegend": {"0"}, "crs": {"EPSG:3857"}, "format": {"image/png"}, "layers": {t.Layer}, "styles": {""}, "url": {t.URL}}
	return append([]Sample{
		{Language: Shell, Code: a.shell(" -o map.png") + "\nls -l map.png"},
		{Language: Python, Code: a.python("with open(\"map.png\", \"wb\") as file:\n    print(file.write(answer.content), \"bytes in map.png\")"), Needs: needsRequests},
		{Language: R, Code: a.hint("#") + a.rFile("map.png") + "file.size(\"map.png\")"},
		{Language: JavaScript, Code: "import { writeFile } from \"node:fs/promises\";\n\n" + a.script("const map = new Uint8Array(await answer.arrayBuffer());\nawait writeFile(\"map.png\", map);\nconsole.log(map.length, \"bytes in map.png\");")},
	}, t.qgis("addRasterLayer", source.Encode(), "wms")...)
}

// wfs reads the first features of a type (OGC 09-025r2, section 11).
func wfs(t *Target) []Sample {
	if t.Layer == "" {
		return t.capabilities("WFS", "2.0.0", "}Name")
	}
	a := t.ask(with(t.URL, "service", "WFS", "version", "2.0.0", "request", "GetFeature", "typeNames", t.Layer, "count", "10"), "")
	source := "typename=" + sourceWord(t.Layer) + " url=" + sourceWord(t.URL) + " version='auto' pagingEnabled='true'"
	return append([]Sample{
		{Language: Shell, Code: a.shell("")},
		{Language: Python, Code: a.python("root = ElementTree.fromstring(answer.content)\nrows = [\n    {column.tag.split(\"}\")[-1]: column.text for column in feature}\n    for member in root\n    for feature in member\n]\nprint(pd.DataFrame(rows).head())", "import pandas as pd", "from xml.etree import ElementTree"), Needs: needsPandas},
		{Language: R, Code: a.hint("#") + "text <- readLines(" + a.r() + ", n = 50, warn = FALSE)\ncat(substr(text, 1, 500), sep = \"\\n\")"},
		{Language: JavaScript, Code: a.script("console.log((await answer.text()).slice(0, 2000));")},
	}, t.qgis("addVectorLayer", source, "WFS")...)
}

// wcs lists coverages (OGC 17-089r1); QGIS shows one.
func wcs(t *Target) []Sample {
	out := t.capabilities("WCS", "2.0.1", "}CoverageId")
	if t.Layer == "" {
		return out
	}
	source := url.Values{"identifier": {t.Layer}, "url": {t.URL}}
	return append(out, t.qgis("addRasterLayer", source.Encode(), "wcs")...)
}

// wmts lists layers of tiles (OGC 07-057r7); which tiles there are differs
// from layer to layer.
func wmts(t *Target) []Sample { return t.capabilities("WMTS", "1.0.0", "}Identifier") }

// csw lists the first records of a catalogue (OGC 07-006r1, section 10.8).
func csw(t *Target) []Sample {
	a := t.ask(with(t.URL, "service", "CSW", "version", "2.0.2", "request", "GetRecords", "typeNames", "csw:Record", "elementSetName", "summary", "resultType", "results", "maxRecords", "10"), "")
	return []Sample{
		{Language: Shell, Code: a.shell("")},
		{Language: Python, Code: a.python("root = ElementTree.fromstring(answer.content)\nfor title in root.iter(\"{http://purl.org/dc/elements/1.1/}title\"):\n    print(title.text)", "from xml.etree import ElementTree"), Needs: needsRequests},
		{Language: R, Code: a.hint("#") + "text <- readLines(" + a.r() + ", warn = FALSE)\ncat(grep(\"dc:title\", text, value = TRUE), sep = \"\\n\")"},
		{Language: JavaScript, Code: a.script("const text = await answer.text();\nconsole.log([...text.matchAll(/<dc:title>([^<]+)/g)].map((m) => m[1]));")},
	}
}
