package main

import (
	"cmp"
	"math"
	"net/url"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

var whole = regexp.MustCompile(`\d+`)

func atoi(text string) int {
	n, _ := strconv.Atoi(text)
	return n
}

func value(text *string) string {
	if text == nil {
		return ""
	}
	return *text
}

// byAddress are the files that an address gets.
func (e *entry) byAddress(address string) (list []file) {
	for _, f := range e.files() {
		if address != "" && (value(f.Download) == address || value(f.Access) == address) {
			list = append(list, f)
		}
	}
	return list
}

// stated holds the words of a link to what is stated of the file behind it.
func (s *subject) stated(address, label, about string) {
	list := s.entry.byAddress(address)
	if len(list) == 0 {
		return
	}
	if amount.MatchString(about) {
		n, rounded, err := s.size(about)
		s.same(err == nil && slices.ContainsFunc(list, func(f file) bool { return f.Size != nil && math.Abs(float64(*f.Size)-n) <= rounded }), "says %q of %s, which has another size", about, address)
	}
	if said := kind(label); said != "" {
		s.same(kind(address) == said || slices.ContainsFunc(list, func(f file) bool { return kind(value(f.Format)) == said }), "says %q of %s, which has another format", label, address)
	}
}

// kinds are the names and endings of formats of files.
var kinds = map[string]string{
	"csv": "csv", "tsv": "tsv", "json": "json", "jsonl": "jsonlines", "ndjson": "jsonlines", "jsonlines": "jsonlines", "jsonld": "jsonld", "geojson": "geojson", "xls": "xls", "xlsx": "xlsx", "ods": "ods",
	"shp": "shapefile", "shape": "shapefile", "shapefile": "shapefile", "gpkg": "geopackage", "geopackage": "geopackage", "kml": "kml", "kmz": "kmz", "gml": "gml", "parquet": "parquet", "turtle": "turtle", "ttl": "turtle",
	"rdfxml": "rdfxml", "xml": "xml", "openxmlformatsofficedocumentspreadsheetmlsheet": "xlsx", "vndmsexcel": "xls", "pdf": "pdf", "gpx": "gpx", "fgb": "flatgeobuf", "flatgeobuf": "flatgeobuf", "geotiff": "geotiff",
}

// within tells that a format is written in another, or is that one.
func within(format, in string) bool {
	return format == in || slices.Contains(map[string][]string{"json": {"geojson", "jsonld", "jsonlines"}, "xml": {"gml", "kml", "rdfxml"}, "xls": {"xlsx"}}[in], format)
}

// kind is the format that words, a code, a media type or the end of an address name, "" for none.
func kind(text string) string {
	if u, err := url.Parse(text); err == nil && u.Host != "" {
		text = strings.TrimPrefix(path.Ext(u.Path), ".")
		asked := map[string]string{}
		for key, values := range u.Query() {
			asked[strings.ToLower(key)] = values[0]
		}
		if strings.EqualFold(asked["request"], "GetFeature") || strings.EqualFold(asked["request"], "GetCoverage") {
			text = strings.Replace(cmp.Or(asked["outputformat"], asked["format"], "gml"), "application/json", "geojson", 1)
		}
		if path.Base(path.Dir(u.Path)) == "exports" {
			text = path.Base(u.Path)
		}
	}
	text, best := letters(text), ""
	for name := range kinds {
		if strings.Contains(text, name) && (len(name) > len(best) || len(name) == len(best) && name < best) {
			best = name
		}
	}
	return kinds[best]
}

// buttons: what a button says of a file is stated of it.
func buttons(s *subject) {
	list := s.page.at("p.get").all("a")
	s.same(len(list) > 0, "has nothing to do")
	for _, a := range list {
		about := a.at("small").text()
		label := strings.TrimSpace(strings.TrimSuffix(a.text(), about))
		if f := s.entry.byAddress(a.attr("href")); len(f) > 0 && value(f[0].Download) != a.attr("href") {
			label = "" // opens a page or a service
		}
		s.stated(a.attr("href"), label, about)
	}
}

// files: the list has every file that no button gets, or says how many more there are.
func files(s *subject) {
	list := s.page.at("ul.files").all("li")
	offered := map[string]bool{}
	for _, a := range s.page.at("p.get").all("a") {
		offered[a.attr("href")] = true
	}
	apart, services := 0, false
	for _, f := range s.entry.files() {
		if !offered[value(f.Download)] && (f.Download != nil || !offered[value(f.Access)]) {
			apart++
		}
		services = services || strings.Contains(strings.ToLower(value(f.Download)+value(f.Access)), "service=") || strings.HasSuffix(value(f.Format), "_SRVC") || serviceName.MatchString(value(f.Format))
	}
	for _, li := range list {
		about := strings.Split(li.at("small").text(), ", ")
		format := about[0]
		if amount.MatchString(format) || dated.MatchString(format) {
			format = ""
		}
		s.stated(li.at("a").attr("href"), format, li.at("small").text())
	}
	if len(list) == 0 {
		s.same(apart == 0 || services || s.entry.Type != "DATASET", "lists no file, and %d have no button", apart)
		return
	}
	said := len(list) + s.left(s.page.at("ul.files"))
	s.same(said == apart || services && said < apart, "lists %d files and more, and %d have no button", said, apart)
}

var serviceName = regexp.MustCompile(`(?i)^(ogc-?)?(wms|wfs|wcs|wmts|csw|wps|sparql|atom|api|ogc.*|arcgis.*)$`)

// left is how many more the paragraph behind a list or table says there are.
func (s *subject) left(list *node) int {
	if list == nil {
		return 0
	}
	for n := list.Node; n != nil && n.Data != "section"; n = n.Parent {
		for c := n.NextSibling; c != nil; c = c.NextSibling {
			x := &node{c}
			if c.Data == "" || x.attr("class") == "" && c.Data != "p" {
				continue
			}
			if a := x.at("a"); c.Data == "p" && a.attr("href") == "/api/v1/entries/"+s.entry.ID {
				n, err := s.number(firstNumber.FindString(a.text()))
				s.same(err == nil && n > 0, "says %q", a.text())
				return int(n)
			}
			break
		}
	}
	return 0
}

// figures: records, size and days are those of the profile.
func figures(s *subject) {
	p, facts := s.entry.Profile, s.page.at("section#data").terms()
	if dd := facts[s.period]; dd != nil && s.entry.Dataset != nil {
		said := ""
		for _, day := range s.days(dd.text()) {
			said += on(&day)
		}
		from, to := on(s.entry.Dataset.Start), on(s.entry.Dataset.End)
		s.same(said == from+to || from == to && said == from, "covers %s to %s, says %q", from, to, dd.text())
		s.say("period", said)
	}
	if p == nil {
		return
	}
	if dd := facts[s.records]; dd != nil {
		n := s.count("records", firstNumber.FindString(dd.text()))
		s.same(p.Records == nil || int64(n) == *p.Records, "says %q of %d records", dd.text(), deref(p.Records))
		s.same(has(dd.text(), s.about) == p.Estimated, "says %q of a count that is estimated: %v", dd.text(), p.Estimated)
		s.same(len(s.page.at("section#data", "thead.asis").all("th")) == 0 || len(s.sample()) <= n, "shows %d of %s records", len(s.sample()), dd.text())
		if size := facts[s.sizes]; size != nil && !p.Estimated {
			s.same(has(dd.text(), s.ofSample) == has(size.text(), s.ofSample), "says %q of the records and %q of the bytes", dd.text(), size.text())
		}
	}
	if dd := facts[s.sizes]; dd != nil {
		n, rounded, err := s.size(dd.text())
		s.same(err == nil && p.Size != nil && math.Abs(n-float64(*p.Size)) <= rounded, "says %q of %d bytes", dd.text(), deref(p.Size))
		s.say("size", n)
	}
	if dd := facts[s.sampled]; dd != nil {
		s.same(dd.at("time").attr("datetime") == on(p.Profiled), "was sampled %s, says %q", on(p.Profiled), dd.text())
	}
}

func deref(n *int64) int64 {
	if n == nil {
		return -1
	}
	return *n
}

// sample are the rows of the sample.
func (s *subject) sample() []*node {
	for _, t := range s.page.at("section#data").all("table") {
		if t.at("thead.asis") != nil {
			return t.rows()
		}
	}
	return nil
}

// columns: the sample, the table of the fields and what both leave out are the fields of the profile.
func columns(s *subject) {
	p := s.entry.Profile
	if p == nil || len(p.Fields) == 0 {
		return
	}
	s.same(p.FieldCount == len(p.Fields), "has %d fields, and lists %d", p.FieldCount, len(p.Fields))
	types, personal := map[string]string{}, map[string]bool{}
	for _, f := range p.Fields {
		types[f.Name], personal[f.Name] = f.Type, f.Personal != nil
	}
	known := func(name, kind string) {
		if !strings.HasSuffix(name, "…") {
			s.same(types[name] == kind, "says that %s is %q, which is %q", name, kind, types[name])
		}
	}
	seen := map[string]bool{}
	data := s.page.at("section#data")
	heads := data.at("thead.asis").all("th")
	for _, th := range heads {
		kind := th.at("small").text()
		name := strings.TrimSpace(strings.Split(th.text(), " "+kind)[0])
		seen[name] = true
		known(name, kind)
	}
	for _, row := range s.sample() {
		s.same(len(row.all("td")) == len(heads), "has %d values in a row of %d columns", len(row.all("td")), len(heads))
	}
	if len(heads) > 0 {
		left := 0
		for _, p := range data.all("p.soft") {
			if n := firstNumber.FindString(p.words(true)); n != "" && p.at("a") == nil && p.classed("small") {
				left = s.count("columns", n)
			}
		}
		s.same(len(heads)+left == p.FieldCount, "shows %d columns and %d more, of %d", len(heads), left, p.FieldCount)
	}
	table := data.at("tbody.fields")
	rows := table.all("tr")
	for _, tr := range rows {
		name := tr.at("th").text()
		seen[name] = true
		cells := tr.all("td")
		known(name, cells[0].text())
		if !strings.HasSuffix(name, "…") {
			s.same((tr.at("span.warn") != nil) == personal[name], "says of %s that it is personal: %v", name, !personal[name])
		}
	}
	if table == nil {
		return
	}
	left := s.left(table)
	s.same(len(rows)+left <= p.FieldCount && len(seen)+left >= p.FieldCount, "names %d fields and %d more, of %d", len(seen), left, p.FieldCount)
}

// spreads: what is drawn of a column sums up, and the empty and the present are all.
func spreads(s *subject) {
	p := s.entry.Profile
	for _, th := range s.page.at("section#data", "thead.asis").all("th") {
		picture := th.at("div.spread")
		if picture == nil || p == nil {
			continue
		}
		kind := th.at("small").text()
		name := strings.TrimSpace(strings.Split(th.text(), " "+kind)[0])
		i := slices.IndexFunc(p.Fields, func(f field) bool { return f.Name == name })
		if i < 0 || p.Fields[i].Spread == nil {
			s.same(strings.HasSuffix(name, "…"), "draws %s, of which nothing is known", name)
			continue
		}
		x := p.Fields[i].Spread
		if small := picture.children("small"); small != nil {
			empty := s.value("empty", firstNumber.FindString(small.text()))
			s.same(x.Values > 0 && math.Abs(empty-100*float64(x.Missing)/float64(x.Values)) <= 1 && empty <= 100, "says %q of %s, where %d of %d are missing", small.text(), name, x.Missing, x.Values)
		}
		sum := x.Missing
		for _, b := range picture.at("div.tops").all("b") {
			sum += s.count("top", b.text())
		}
		s.same(sum <= x.Values, "counts %d values of %s, of %d", sum, name, x.Values)
		if title := picture.at("title").text(); title != "" {
			bins := x.Missing
			for _, n := range whole.FindAllString(inTheMiddle.FindString(strings.TrimPrefix(title, name)), -1) {
				bins += atoi(n)
			}
			s.same(bins == x.Values, "draws %d values of %s, of %d: %s", bins, name, x.Values, title)
		}
	}
}

// inTheMiddle are the counts of ranges between the name of a column and the words.
var inTheMiddle = regexp.MustCompile(`^\s*: (\d+(, )?)+`)

// children is the first child element of a name.
func (n *node) children(name string) *node {
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		if c.Data == name {
			return &node{c}
		}
	}
	return nil
}

// pictures: a drawing is titled as its caption says, and its table has the values that it draws.
func pictures(s *subject) {
	for _, f := range s.page.all("figure") {
		title, caption := f.at("svg", "title").text(), f.at("figcaption").text()
		if f.at("table") == nil {
			s.same(strings.HasPrefix(caption, title), "draws %q under %q", title, caption)
		}
		for _, td := range f.all("td") {
			if exact := td.attr("data-value"); exact != "" {
				n := s.value("drawn", td.text())
				want, err := strconv.ParseFloat(exact, 64)
				s.same(err == nil && n == want, "draws %s as %q", exact, td.text())
			}
		}
		if strings.HasSuffix(f.attr("data-picture"), "-quality") {
			rows := f.rows()
			last := rows[len(rows)-1].at("td").attr("data-value")
			s.same(last == strconv.FormatFloat(s.entry.Quality, 'f', -1, 64), "draws the quality up to %s, which is %v", last, s.entry.Quality)
		}
	}
}

// calls: the operations or tools that are listed, and how many more, are those of the entry.
func calls(s *subject) {
	var names []string
	if s.entry.API != nil && s.entry.Type == "API" {
		for _, e := range s.entry.API.Endpoints {
			names = append(names, e.Path)
		}
	}
	if s.entry.MCP != nil && s.entry.Type == "MCP_SERVER" {
		for _, t := range s.entry.MCP.Tools {
			names = append(names, t.Name)
		}
	}
	if len(names) == 0 {
		return
	}
	var rows []*node
	var table *node
	for _, t := range s.page.at("section#use").all("table") {
		if len(t.all("td.mono")) > 0 {
			table, rows = t, t.rows()
		}
	}
	for i, tr := range rows {
		cells := tr.all("td.mono")
		name := cells[len(cells)-1].text()
		s.same(i < len(names) && (strings.HasSuffix(name, "…") || letters(name) == letters(names[i])), "lists %q, which is not what the entry has there", name)
	}
	left := s.left(table)
	s.same(len(rows)+left == len(names), "lists %d calls and %d more, of %d", len(rows), left, len(names))
	s.say("calls", len(rows))
	if features, ok := s.graph["featureList"].([]any); ok {
		s.same(len(features) <= len(names), "has %d features in structured data, of %d", len(features), len(names))
	}
}

// structured: the structured data say what the page says.
func structured(s *subject) {
	e, g := s.entry, s.graph
	if s.lang != langs[0] { // where it only leads to the English page's
		main, _ := g["mainEntity"].(map[string]any)
		s.same(strings.HasSuffix(text(main["@id"]), "/id/"+e.ID) && g["inLanguage"] == s.lang, "is of %v in %v", main["@id"], g["inLanguage"])
		return
	}
	s.same(strings.HasSuffix(text(g["@id"]), "/id/"+e.ID) && strings.HasSuffix(text(g["url"]), "/entry/"+e.Slug), "is of %v", g["url"])
	name := squeeze(text(g["name"]))
	s.same(name == squeeze(e.Name), "is called %q, which is %q", name, e.Name)
	if l := text(g["license"]); l != "" && strings.HasPrefix(l, "http") && e.Licence != nil && e.Licence.URL != nil {
		s.same(l == *e.Licence.URL, "has the licence %s, which is %s", l, *e.Licence.URL)
	}
	s.same(g["license"] == nil || e.licensed(), "has the licence %v, and none is stated", g["license"])
	if at := text(g["dateModified"]); at != "" {
		day := s.day(s.page.at("li.fresh").text())
		s.same(strings.HasPrefix(at, on(&day)), "was modified %s, says %q", at, s.page.at("li.fresh").text())
	}
	if at := text(g["datePublished"]); at != "" {
		s.same(strings.HasPrefix(at, on(e.SourceIssued)), "was published %s, which was %s", at, on(e.SourceIssued))
	}
	if between := text(g["temporalCoverage"]); between != "" && e.Dataset != nil {
		s.same(between == cmp.Or(on(e.Dataset.Start), "..")+"/"+cmp.Or(on(e.Dataset.End), ".."), "covers %s", between)
	}
	list, _ := g["distribution"].([]any)
	s.same(len(list) <= len(e.files()), "has %d files of %d", len(list), len(e.files()))
	for _, x := range list {
		d, _ := x.(map[string]any)
		of := e.byAddress(text(d["contentUrl"]))
		s.same(len(of) > 0, "offers %v, which is no file of the entry", d["contentUrl"])
		if button := s.button(text(d["contentUrl"])); kind(button) != "" && kind(text(d["encodingFormat"])) != "" {
			s.same(within(kind(button), kind(text(d["encodingFormat"]))) || len(of) > 1, "calls %v %v, and the page %q", d["contentUrl"], d["encodingFormat"], button)
		}
		if size := strings.TrimSuffix(text(d["contentSize"]), " B"); size != "" {
			s.same(slices.ContainsFunc(of, func(f file) bool { return f.Size != nil && strconv.FormatInt(*f.Size, 10) == size }), "says %v of %v, which has another size", d["contentSize"], d["contentUrl"])
		}
	}
}

// button is what is said of an address at the top of the page.
func (s *subject) button(address string) string {
	for _, a := range s.page.at("p.get").all("a") {
		if a.attr("href") == address {
			return strings.TrimSpace(strings.TrimSuffix(a.text(), a.at("small").text()))
		}
	}
	return ""
}

func text(v any) string {
	t, _ := v.(string)
	return t
}

func squeeze(t string) string { return strings.Join(strings.Fields(t), " ") }
