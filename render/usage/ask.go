package usage

import (
	"net/url"
	"slices"
	"strings"

	"github.com/assay-register/assay/render/catalog"
)

// ask is a request, written in each language.
type ask struct {
	url string
	// accept is the media type that is asked for, "" for any.
	accept string
	// graphql is the query of a POST, "" for a GET.
	graphql string
	auth    catalog.AuthType
}

// bearer tells that a token goes into the header Authorization (RFC 6750).
func (a *ask) bearer() bool { return a.auth == catalog.AuthBearer || a.auth == catalog.AuthOAuth }

// closed tells that the source wants a credential.
func (a *ask) closed() bool {
	return a.auth != catalog.AuthNone && a.auth != catalog.AuthUnknown && a.auth != ""
}

// hint tells where a key goes whose place the register does not know.
func (a *ask) hint(comment string) string {
	if !a.closed() || a.bearer() || a.auth == catalog.AuthBasic {
		return ""
	}
	return comment + " Add your key as the documentation of the source says.\n"
}

// shell is a command; tail is what stands behind the address.
func (a *ask) shell(tail string) string {
	var b strings.Builder
	b.WriteString(a.hint("#"))
	b.WriteString("curl -fsSL")
	if strings.ContainsAny(a.url, "[]{}") {
		b.WriteString("g") // without patterns of addresses
	}
	b.WriteString(" " + shellWord(a.url))
	switch {
	case a.bearer():
		b.WriteString(" \\\n  -H \"Authorization: Bearer $TOKEN\"")
	case a.auth == catalog.AuthBasic:
		b.WriteString(" \\\n  -u \"$USERNAME:$PASSWORD\"")
	}
	if a.accept != "" {
		b.WriteString(" \\\n  -H 'Accept: " + a.accept + "'")
	}
	if a.graphql != "" {
		b.WriteString(" \\\n  -H 'Content-Type: application/json' \\\n  -d '{\"query\": \"" + a.graphql + "\"}'")
	}
	if strings.HasPrefix(tail, " ") {
		return b.String() + tail
	}
	return strings.Join(append([]string{b.String()}, nonEmpty(tail)...), "\n")
}

func nonEmpty(s string) []string {
	if s == "" {
		return nil
	}
	return []string{s}
}

// python asks with requests; the answer is in the variable answer.
func (a *ask) python(body string, imports ...string) string {
	imports = append(imports, "import requests")
	if a.bearer() || a.auth == catalog.AuthBasic {
		imports = append(imports, "import os")
	}
	slices.Sort(imports)
	call, arguments := "requests.get(", []string{literal(a.url)}
	if a.graphql != "" {
		call, arguments = "requests.post(", append(arguments, `json={"query": "`+a.graphql+`"}`)
	}
	var headers []string
	if a.accept != "" {
		headers = append(headers, `"Accept": "`+a.accept+`"`)
	}
	if a.bearer() {
		headers = append(headers, `"Authorization": "Bearer " + os.environ["TOKEN"]`)
	}
	if len(headers) > 0 {
		arguments = append(arguments, "headers={"+strings.Join(headers, ", ")+"}")
	}
	if a.auth == catalog.AuthBasic {
		arguments = append(arguments, `auth=(os.environ["USERNAME"], os.environ["PASSWORD"])`)
	}
	arguments = append(arguments, "timeout=60")
	return strings.Join(slices.Compact(imports), "\n") + "\n\n" + a.hint("#") + "answer = " + call + "\n    " + strings.Join(arguments, ",\n    ") + ",\n)\nanswer.raise_for_status()\n" + body
}

// script asks with fetch; the answer is in the constant answer.
func (a *ask) script(body string) string {
	var options, headers []string
	if a.accept != "" {
		headers = append(headers, `Accept: "`+a.accept+`"`)
	}
	if a.bearer() {
		headers = append(headers, "Authorization: `Bearer ${process.env.TOKEN}`")
	}
	if a.auth == catalog.AuthBasic {
		headers = append(headers, "Authorization: `Basic ${btoa(`${process.env.USERNAME}:${process.env.PASSWORD}`)}`")
	}
	if a.graphql != "" {
		headers = append(headers, `"Content-Type": "application/json"`)
		options = append(options, `method: "POST"`, `body: JSON.stringify({ query: "`+a.graphql+`" })`)
	}
	if len(headers) > 0 {
		options = append(options, "headers: { "+strings.Join(headers, ", ")+" }")
	}
	arguments := literal(a.url)
	if len(options) > 0 {
		arguments += ", {\n  " + strings.Join(options, ",\n  ") + ",\n}"
	}
	return a.hint("//") + "const answer = await fetch(" + arguments + ");\nif (!answer.ok) throw new Error(`${answer.status} ${answer.statusText}`);\n" + body
}

// r is the address as an argument of a function of R that reads: a string, or a
// connection with headers.
func (a *ask) r() string {
	if h := a.rHeaders(); h != "" {
		return "url(" + literal(a.url) + h + ")"
	}
	return literal(a.url)
}

// rFile fetches a file in R.
func (a *ask) rFile(name string) string {
	return "download.file(" + literal(a.url) + `, "` + name + `", mode = "wb", quiet = TRUE` + a.rHeaders() + ")\n"
}

func (a *ask) rHeaders() string {
	var headers []string
	if a.accept != "" {
		headers = append(headers, `Accept = "`+a.accept+`"`)
	}
	switch {
	case a.bearer():
		headers = append(headers, `Authorization = paste("Bearer", Sys.getenv("TOKEN"))`)
	case a.auth == catalog.AuthBasic:
		headers = append(headers, `Authorization = paste("Basic", jsonlite::base64_enc(paste0(Sys.getenv("USERNAME"), ":", Sys.getenv("PASSWORD"))))`)
	}
	if len(headers) == 0 {
		return ""
	}
	return ", headers = c(" + strings.Join(headers, ", ") + ")"
}

// unescaped are what a query may hold as it is (RFC 3986, 3.4), and that services read with more ease; a plus is a space only in forms.
var unescaped = strings.NewReplacer("%2F", "/", "%3A", ":", "%2C", ",", "+", "%20")

// with adds parameters, name and value by turns, to an address.
func with(address string, pairs ...string) string {
	var b strings.Builder
	b.WriteString(address)
	glue := "?"
	if strings.Contains(address, "?") {
		glue = "&"
	}
	if strings.HasSuffix(address, "?") || strings.HasSuffix(address, "&") {
		glue = ""
	}
	for i := 0; i < len(pairs); i += 2 {
		b.WriteString(glue + pairs[i] + "=" + unescaped.Replace(url.QueryEscape(pairs[i+1])))
		glue = "&"
	}
	return b.String()
}
