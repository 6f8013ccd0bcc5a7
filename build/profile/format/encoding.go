package format

import (
	"bytes"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/htmlindex"
	utf "golang.org/x/text/encoding/unicode"
)

// decode returns data as UTF-8 and the name of its encoding. A byte order mark
// wins, then valid UTF-8, then what the publisher declares, then the code page
// under which the text looks most like words.
func decode(data []byte, o *Options) ([]byte, string) {
	switch {
	case bytes.HasPrefix(data, []byte("\xef\xbb\xbf")):
		return bytes.ToValidUTF8(data[3:], []byte("\ufffd")), "utf-8"
	case bytes.HasPrefix(data, []byte("\xff\xfe")):
		return transform(data[2:], utf.UTF16(utf.LittleEndian, utf.IgnoreBOM)), "utf-16le"
	case bytes.HasPrefix(data, []byte("\xfe\xff")):
		return transform(data[2:], utf.UTF16(utf.BigEndian, utf.IgnoreBOM)), "utf-16be"
	}
	if endian, name := wide(data); name != "" {
		return transform(data, utf.UTF16(endian, utf.IgnoreBOM)), name
	}
	if utf8.Valid(data) || o.Truncated && validButEnd(data) {
		return bytes.ToValidUTF8(data, nil), "utf-8"
	}
	if e, name := declared(o.Charset); e != nil {
		return transform(data, e), name
	}
	page := codePage(data, o.Language)
	return transform(data, page.map8), page.name
}

func transform(data []byte, e encoding.Encoding) []byte {
	out, err := e.NewDecoder().Bytes(data)
	if err != nil {
		return bytes.ToValidUTF8(data, []byte("\ufffd"))
	}
	return out
}

// wide finds UTF-16 without a mark: one half of the bytes is nearly all NUL.
func wide(data []byte) (utf.Endianness, string) {
	head := data[:min(len(data), 4096)]
	var zero [2]int
	for i, b := range head {
		if b == 0 {
			zero[i%2]++
		}
	}
	half := len(head) / 2
	switch {
	case half < 2:
	case zero[1] > half*6/10 && zero[0] < half/10:
		return utf.LittleEndian, "utf-16le"
	case zero[0] > half*6/10 && zero[1] < half/10:
		return utf.BigEndian, "utf-16be"
	}
	return utf.LittleEndian, ""
}

// validButEnd allows for a character that the end of the sample cut.
func validButEnd(data []byte) bool {
	for cut := 1; cut < utf8.UTFMax && cut <= len(data); cut++ {
		if utf8.Valid(data[:len(data)-cut]) {
			return !utf8.FullRune(data[len(data)-cut:])
		}
	}
	return false
}

func declared(charset string) (encoding.Encoding, string) {
	charset = strings.ToLower(strings.TrimSpace(charset))
	if charset == "" || strings.HasPrefix(charset, "utf") || charset == "us-ascii" || charset == "ascii" {
		return nil, ""
	}
	e, err := htmlindex.Get(charset)
	if err != nil {
		return nil, ""
	}
	name, err := htmlindex.Name(e)
	if err != nil {
		return nil, ""
	}
	return e, name
}

// page is a code page with the letters above ASCII that are frequent in texts
// written in it, and the languages that use it.
type page struct {
	name    string
	map8    *charmap.Charmap
	letters string
	langs   string
}

// pages in the order in which they win a draw.
var pages = []page{
	{"windows-1252", charmap.Windows1252, "éèêëàâáãåäæçíîïñóôõöøúùûüßœ", "en fr de es it pt nl da sv nb nn no fi is ga ca eu gl"},
	{"iso-8859-15", charmap.ISO8859_15, "éèêëàâáãåäæçíîïñóôõöøúùûüßœ", ""},
	{"windows-1250", charmap.Windows1250, "áąăâčćçďéęěíłľĺňńóöőřŕśšşťţúůűüýźžżđß", "pl cs sk hu sl hr ro bs sq"},
	{"iso-8859-2", charmap.ISO8859_2, "áąăâčćçďéęěíłľĺňńóöőřŕśšşťţúůűüýźžżđß", "pl cs sk hu sl hr ro bs"},
	{"windows-1253", charmap.Windows1253, "αβγδεζηθικλμνξοπρστυφχψωςάέήίόύώ", "el"},
	{"iso-8859-7", charmap.ISO8859_7, "αβγδεζηθικλμνξοπρστυφχψωςάέήίόύώ", "el"},
	{"windows-1251", charmap.Windows1251, "абвгдежзийклмнопрстуфхцчшщъыьэюяіїєґ", "bg uk ru mk sr be"},
	{"iso-8859-5", charmap.ISO8859_5, "абвгдежзийклмнопрстуфхцчшщъыьэюяіїєґ", "bg ru"},
	{"windows-1254", charmap.Windows1254, "çğıöşüâî", "tr"},
	{"windows-1257", charmap.Windows1257, "ąčęėįšųūžāēģīķļņõäöü", "lt lv et"},
}

// codePage chooses by a score: a frequent letter counts for a page, anything
// but a letter within a word, a control character or a capital inside a
// lower-case word against it.
func codePage(data []byte, language string) *page {
	lang, _, _ := strings.Cut(strings.ToLower(language), "-")
	best, most := &pages[0], -1<<62
	for i := range pages {
		p := &pages[i]
		score := p.score(data[:min(len(data), 256<<10)])
		if lang != "" && strings.Contains(" "+p.langs+" ", " "+lang+" ") {
			score += score/4 + 10
		}
		if score > most {
			best, most = p, score
		}
	}
	return best
}

func (p *page) score(data []byte) int {
	score := 0
	last := ' '
	for i, b := range data {
		r := rune(b)
		if b >= 0x80 {
			r = p.map8.DecodeByte(b)
			next := ' '
			if i+1 < len(data) {
				next = p.map8.DecodeByte(data[i+1])
			}
			score += p.weigh(last, r, next)
		}
		last = r
	}
	return score
}

func (p *page) weigh(last, r, next rune) int {
	within := unicode.IsLetter(last) && unicode.IsLetter(next)
	switch {
	case r == utf8.RuneError || unicode.IsControl(r):
		return -20
	case !unicode.IsLetter(r):
		if within {
			return -6
		}
		return 0
	case unicode.IsLower(last) && unicode.IsUpper(r):
		return -6
	case mixed(last, r) || mixed(r, next):
		return -4
	case strings.ContainsRune(p.letters, unicode.ToLower(r)):
		return 3
	}
	return -1
}

// mixed tells that two neighbours are letters of different scripts.
func mixed(a, b rune) bool {
	if !unicode.IsLetter(a) || !unicode.IsLetter(b) {
		return false
	}
	return unicode.Is(unicode.Latin, a) != unicode.Is(unicode.Latin, b)
}
