package source

import (
	"bufio"
	"compress/flate"
	"errors"
	"fmt"
	"io"

	kflate "github.com/klauspost/compress/flate"
	"github.com/klauspost/compress/gzip"
	"golang.org/x/text/encoding/unicode"
	"golang.org/x/text/transform"
)

// Stream is the text of an input: decompressed, without a byte order mark, in
// UTF-8 when it came in UTF-16, and bounded. When the input breaks off or goes
// beyond a bound, what was read so far is delivered, the stream ends, and
// Problem says why.
type Stream struct {
	name   string
	limits Limits
	raw    *counter
	zipped bool
	text   io.Reader
	read   int64
	marked bool
	// foreign is the encoding that was not UTF-8, as far as that was seen.
	foreign string
	problem *Rejection
}

// counter counts the bytes that left the underlying input.
type counter struct {
	r io.Reader
	n int64
}

// Read implements io.Reader.
func (c *counter) Read(p []byte) (int, error) {
	n, err := c.r.Read(p)
	c.n += int64(n)
	return n, err
}

// NewStream prepares r. The name stands in messages.
func NewStream(r io.Reader, name string, limits Limits) (*Stream, error) {
	s, err := newArchiveStream(r, name, limits)
	if err != nil {
		return nil, err
	}
	return s, s.decode()
}

// newArchiveStream is a stream without the decoding of text.
func newArchiveStream(r io.Reader, name string, limits Limits) (*Stream, error) {
	s := &Stream{name: name, limits: limits.OrDefault(), raw: &counter{r: r}}
	packed := bufio.NewReaderSize(s.raw, 64<<10)
	head, err := packed.Peek(2)
	if err != nil && !errors.Is(err, io.EOF) && !s.damaged(err) {
		return nil, fmt.Errorf("read %s: %w", name, err)
	}
	var unpacked io.Reader = packed
	if len(head) == 2 && head[0] == 0x1f && head[1] == 0x8b {
		s.zipped = true
		z, err := gzip.NewReader(packed)
		if err != nil {
			s.damaged(err)
			s.text = io.MultiReader()
			return s, nil
		}
		unpacked = z
	}
	s.text = &guard{s: s, r: unpacked}
	return s, nil
}

// decode removes the byte order mark, turns UTF-16 into UTF-8, and mends XML that is neither.
func (s *Stream) decode() error {
	b := bufio.NewReaderSize(s.text, 64<<10)
	head, err := b.Peek(3)
	if err != nil && !errors.Is(err, io.EOF) {
		return fmt.Errorf("read %s: %w", s.name, err)
	}
	s.text = b
	switch {
	case len(head) == 3 && head[0] == 0xef && head[1] == 0xbb && head[2] == 0xbf:
		_, _ = b.Discard(3)
		s.marked = true
	case len(head) >= 2 && (head[0] == 0xff && head[1] == 0xfe || head[0] == 0xfe && head[1] == 0xff):
		s.foreign = "UTF-16"
		utf16 := unicode.UTF16(unicode.LittleEndian, unicode.UseBOM)
		s.text = transform.NewReader(b, utf16.NewDecoder())
	case takenForUTF8(b):
		s.text = repairedUTF8(b, func() { s.foreign = "Windows-1252" })
	}
	return nil
}

// Read implements io.Reader.
func (s *Stream) Read(p []byte) (int, error) { return s.text.Read(p) }

// Marked tells that the text began with a byte order mark of UTF-8.
func (s *Stream) Marked() bool { return s.marked }

// Foreign is the encoding from which the text was turned into UTF-8, as far as it has been read: UTF-16 by its
// mark, Windows-1252 where XML is taken for UTF-8 and is not; "" for none.
func (s *Stream) Foreign() string { return s.foreign }

// Problem says why the stream ended before its end, or nil. It is known once
// Read has returned io.EOF.
func (s *Stream) Problem() *Rejection { return s.problem }

// guard counts what comes out of the decompressor and turns damage and excess
// into the end of the stream with a problem.
type guard struct {
	s *Stream
	r io.Reader
}

// Read implements io.Reader.
func (g *guard) Read(p []byte) (int, error) {
	s := g.s
	if s.problem != nil {
		return 0, io.EOF
	}
	n, err := g.r.Read(p)
	s.read += int64(n)
	switch {
	case s.read > s.limits.Bytes:
		s.end(CodeInputTooLarge, fmt.Sprintf("the input is longer than %d bytes", s.limits.Bytes), "split the input")
		return n - int(s.read-s.limits.Bytes), io.EOF
	case s.zipped && s.read > s.limits.RatioFrom && s.read > s.limits.Ratio*s.raw.n:
		s.end(CodeDecompressionBomb, fmt.Sprintf("%d compressed bytes unfold to more than %d", s.raw.n, s.read),
			"deliver the input uncompressed")
		return n, io.EOF
	case err != nil && err != io.EOF && s.damaged(err):
		return n, io.EOF
	}
	return n, err
}

func (s *Stream) end(code Code, reason, remedy string) {
	s.problem = &Rejection{Place: s.name, Code: code, Reason: reason, Remedy: remedy}
}

// damaged records err as the problem of the stream if it is one of the input's
// content, not of the way to it.
func (s *Stream) damaged(err error) bool {
	var std flate.CorruptInputError
	var fast kflate.CorruptInputError
	const again = "fetch the input again"
	switch {
	case errors.Is(err, io.ErrUnexpectedEOF), s.zipped && errors.Is(err, io.EOF):
		if s.zipped {
			s.end(CodeTruncatedGzip, "the gzip file ends before its end; the records before the break were read", again)
		} else {
			s.end(CodeTruncated, "the input broke off; the records before the break were read", again)
		}
	case errors.Is(err, gzip.ErrChecksum), errors.Is(err, gzip.ErrHeader), errors.As(err, &std), errors.As(err, &fast):
		s.end(CodeCorruptGzip, "the gzip file is damaged; the records before the damage were read", again)
	default:
		return false
	}
	return true
}
