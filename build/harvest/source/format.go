package source

import (
	"net/url"
	"path"
	"regexp"
	"slices"
	"strings"
)

// Format is the code of the EU file-type authority table that the first
// telling one of several statements stands for: a label, an extension, a media
// type, an IRI of the EU table or of IANA's registry, or the address of a file.
// Give them in the order in which they are trusted. When the table has none of
// them, known is false and code is the first that looks like the name of a
// format, in upper case, or "".
func Format(raw ...string) (code string, known bool) {
	for _, r := range raw {
		if code, ok := formatOf(r); ok {
			return code, true
		}
	}
	for _, r := range raw {
		if code := formatName(r); code != "" {
			return code, false
		}
	}
	return "", false
}

func formatOf(raw string) (string, bool) {
	s, _ := Line(raw)
	s = strings.Trim(s, ".*\"' ")
	book := fileTypes()
	switch {
	case s == "":
		return "", false
	case strings.Contains(s, "://"):
		return formatOfIRI(book, s)
	case mediaShape(s) != "":
		return formatOfMedia(book, mediaShape(s))
	}
	if code, ok := book.find(s); ok {
		return code, true
	}
	if code, ok := formatInside(book, s); ok {
		return code, true
	}
	for _, part := range strings.FieldsFunc(s, func(r rune) bool { return strings.ContainsRune(",;|/", r) }) {
		if code, ok := book.find(strings.Trim(part, ". ")); ok && part != s {
			return code, true
		}
	}
	return formatInWords(book, s)
}

// aroundFormats are words beside the name of a format that do not tell another one, and those for archives.
var (
	aroundFormats = strings.Fields("microsoft ms esri ogc inspire service services file files fichier fichiers datei dateien format version data daten donnees utf8 utf-8")
	archives      = strings.Fields("zip gz gzip rar 7z tgz packed compressed komprimiert compresse")
	versionNumber = regexp.MustCompile(`^v?\d+(\.\d+)*$`)
)

// formatInWords is the format of a name with its maker, its version or its packing beside it: "Microsoft Excel", "OGC WFS
// 2.0.0", "zip (shp)". Two formats in one name are none.
func formatInWords(book *codebook, s string) (string, bool) {
	var rest []string
	for _, w := range strings.FieldsFunc(s, func(r rune) bool { return strings.ContainsRune(" ()[]:+_", r) }) {
		if folded := strings.ToLower(w); !slices.Contains(aroundFormats, foldName(w)) && !slices.Contains(archives, folded) && !versionNumber.MatchString(folded) {
			rest = append(rest, w)
		}
	}
	if len(rest) == 0 {
		return "", false
	}
	code, ok := book.names[foldName(strings.Join(rest, " "))]
	return code, ok
}

func formatOfIRI(book *codebook, s string) (string, bool) {
	if strings.Contains(s, "/authority/file-type/") {
		if code, ok := book.codes[strings.ToUpper(LastSegment(s))]; ok {
			return code, true
		}
		if code, ok := book.names[foldName(LastSegment(s))]; ok {
			return code, true
		}
		// A later version of the table has more codes.
		code := formatName(LastSegment(s))
		return code, code != ""
	}
	if m := MediaType(s); m != "" {
		return formatOfMedia(book, m)
	}
	u, err := url.Parse(s)
	if err != nil {
		return "", false
	}
	name := strings.ToLower(path.Base(u.Path))
	if code, ok := formatInside(book, name); ok {
		return code, true
	}
	ext := strings.TrimPrefix(path.Ext(name), ".")
	if code := book.names[ext]; ext != "" && code != "HTML" {
		return code, code != ""
	}
	return "", false
}

// packed are the extensions and words of compressed files. What is inside is
// the format.
var packed = []string{".gz", ".gzip", ".bz2", ".xz", ".zip"}

// formatInside is the format inside a compressed file: csv.gz, zipped CSV.
func formatInside(book *codebook, s string) (string, bool) {
	s = strings.ToLower(s)
	inner, ok := strings.CutPrefix(s, "zipped ")
	for _, ext := range packed {
		if rest, cut := strings.CutSuffix(s, ext); cut {
			inner, ok = rest[strings.LastIndexByte(rest, '.')+1:], true
		}
	}
	if !ok || inner == "" {
		return "", false
	}
	if inner == "tar" {
		if code, ok := book.find(strings.ReplaceAll(s[strings.LastIndex(s, "tar"):], ".", "_")); ok {
			return code, true
		}
		return book.find(inner)
	}
	code, ok := book.names[foldName(inner)]
	return code, ok
}

func formatOfMedia(book *codebook, m string) (string, bool) {
	if code, ok := book.values[m]; ok {
		return code, true
	}
	// A structured syntax suffix names the syntax below (RFC 6838, 4.2.8).
	if i := strings.LastIndexByte(m, '+'); i > 0 {
		switch m[i+1:] {
		case "json", "xml", "zip", "yaml":
			return strings.ToUpper(m[i+1:]), true
		}
	}
	return "", false
}

// tellNothing are words in the field for the format that name none.
var tellNothing = map[string]bool{"externalresources": true, "externalresource": true, "url": true, "link": true, "lien": true,
	"other": true, "autre": true, "andere": true, "sonstiges": true, "otro": true, "altro": true, "unknown": true, "inconnu": true,
	"unbekannt": true, "none": true, "null": true, "na": true, "api": true, "data": true, "file": true, "fichier": true, "datei": true,
	"dataset": true, "download": true, "database": true, "binary": true, "bin": true, "octetstream": true, "default": true,
	"service": true, "webservice": true, "blob": true, "true": true, "false": true, "undefined": true, "website": true, "various": true, "divers": true}

// formatName is raw in upper case if it looks like the name of a format.
func formatName(raw string) string {
	s, _ := Line(raw)
	s = strings.ToUpper(strings.Trim(s, ".*\"' "))
	if len(s) < 2 || len(s) > 16 || tellNothing[foldName(s)] || !strings.ContainsAny(s, "ABCDEFGHIJKLMNOPQRSTUVWXYZ") {
		return ""
	}
	for _, r := range s {
		if (r < 'A' || r > 'Z') && (r < '0' || r > '9') && !strings.ContainsRune("_.+-", r) {
			return ""
		}
	}
	return s
}

// MediaType is the type/subtype that a statement names, in lower case and
// without parameters: a media type, or an IRI of IANA's registry. "" is none;
// application/unknown is none either.
func MediaType(raw string) string {
	s, _ := Line(raw)
	if strings.Contains(s, "://") {
		_, name, ok := strings.Cut(s, "/media-types/")
		if !ok {
			return ""
		}
		s = name
	}
	return mediaShape(s)
}

// topLevel are the registered top-level types (IANA, Media Types).
var topLevel = map[string]bool{"application": true, "audio": true, "chemical": true, "font": true, "image": true, "message": true,
	"model": true, "multipart": true, "text": true, "video": true, "x-gis": true}

// mediaShape is s as a media type, or "" (RFC 6838, 4.2).
func mediaShape(s string) string {
	s, _, _ = strings.Cut(strings.ToLower(s), ";")
	s = strings.TrimSpace(s)
	top, sub, ok := strings.Cut(s, "/")
	if !ok || !topLevel[top] || sub == "" || len(s) > 127 || s == "application/unknown" {
		return ""
	}
	for _, r := range sub {
		if (r < 'a' || r > 'z') && (r < '0' || r > '9') && !strings.ContainsRune("!#$&-^_.+", r) {
			return ""
		}
	}
	return s
}
