package artifact

import "io"

// Quote tells that some bytes of a document are those of an entry's fragment, so that who
// keeps both need not keep them twice.
type Quote struct {
	Stream  string
	Ordinal int
	// From is where they begin in the fragment, At where in the document, in bytes.
	From, At, Length int
}

// Quoter is a writer of a document that wants to know what is quoted.
type Quoter interface {
	io.Writer
	// Quote writes b, which the fragment of an entry in a stream has from a place on.
	Quote(stream string, ordinal, from int, b []byte) error
}

// WriteQuote writes what a fragment has from a place on; w is told if it is a Quoter.
func WriteQuote(w io.Writer, stream string, ordinal, from int, b []byte) error {
	if q, ok := w.(Quoter); ok {
		return q.Quote(stream, ordinal, from, b)
	}
	_, err := w.Write(b)
	return err
}

// write writes the body, and tells what it quotes.
func (f *File) write(w io.Writer) error {
	at := 0
	for _, q := range f.Quotes {
		if _, err := w.Write(f.Body[at:q.At]); err != nil {
			return err
		}
		at = q.At + q.Length
		if err := WriteQuote(w, q.Stream, q.Ordinal, q.From, f.Body[q.At:at]); err != nil {
			return err
		}
	}
	_, err := w.Write(f.Body[at:])
	return err
}

// Streamed is the file with its body written by Stream, if it has one.
func (f File) Streamed() File {
	if f.Stream == nil {
		body := f
		f.Stream = body.write
	}
	return f
}
