package source

// fieldParser splits the lines of one record into fields.
type fieldParser struct {
	comma  byte
	fields []string
	cur    []byte
	quoted bool
}

// feed takes the next line of the record. It returns done when the record is
// complete, and a fault when it cannot become so.
func (p *fieldParser) feed(line []byte) (done bool, fault string) {
	i := 0
	if p.quoted {
		p.cur = append(p.cur, '\n')
	}
	for {
		switch {
		case p.quoted:
			if i, fault = p.inside(line, i); fault != "" || p.quoted {
				return false, fault
			}
		case i < len(line) && line[i] == '"':
			p.quoted = true
			i++
			continue
		default:
			start := i
			for i < len(line) && line[i] != p.comma {
				i++
			}
			p.cur = append(p.cur, line[start:i]...)
		}
		p.fields = append(p.fields, string(p.cur))
		p.cur = p.cur[:0]
		if i >= len(line) {
			return true, ""
		}
		i++ // the separator
	}
}

// inside reads a quoted field from i to its closing quote or the line's end,
// and returns the index after it.
func (p *fieldParser) inside(line []byte, i int) (int, string) {
	for i < len(line) {
		c := line[i]
		switch {
		case c != '"':
			p.cur = append(p.cur, c)
			i++
		case i+1 < len(line) && line[i+1] == '"':
			p.cur = append(p.cur, '"')
			i += 2
		case i+1 == len(line) || line[i+1] == p.comma:
			p.quoted = false
			return i + 1, ""
		default:
			return i, "a quote stands inside a quoted field"
		}
	}
	return i, ""
}
