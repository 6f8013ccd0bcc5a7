package fetch

import (
	"compress/flate"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	kflate "github.com/klauspost/compress/flate"
	"github.com/klauspost/compress/gzip"

	"github.com/assay-register/assay/build/harvest/source"
)

// body is the body of an answer, decompressed, bounded in size and time. Its
// clock counts only what the reader waits for the server, not what the harvest
// takes to work on what came.
type body struct {
	ctx    context.Context
	cancel context.CancelCauseFunc
	opts   *Options
	url    string
	status int
	closer io.Closer
	packed io.Reader
	zip    *gzip.Reader
	head   []byte

	raw, read int64
	waited    time.Duration
	err       error
}

// unpack prepares for the content coding of the answer.
func (b *body) unpack(coding string) error {
	switch strings.ToLower(strings.TrimSpace(coding)) {
	case "", "identity":
		return nil
	case "gzip", "x-gzip":
		z, err := gzip.NewReader(rawReader{b})
		if err != nil {
			return b.fail(noEnd(err), true)
		}
		b.zip = z
		return nil
	}
	return &source.FetchError{URL: Public(b.url), Code: CodeEncoding, Status: b.status,
		Err: fmt.Errorf("the content coding %.40q was not asked for", coding)}
}

// noEnd turns the end of the input where there must be more into its error.
func noEnd(err error) error {
	if errors.Is(err, io.EOF) {
		return io.ErrUnexpectedEOF
	}
	return err
}

// Read implements io.Reader. Its errors are io.EOF or a *source.FetchError.
func (b *body) Read(p []byte) (int, error) {
	if len(b.head) > 0 {
		n := copy(p, b.head)
		b.head = b.head[n:]
		return n, nil
	}
	if b.err != nil {
		return 0, b.err
	}
	var n int
	var err error
	if b.zip != nil {
		n, err = b.zip.Read(p)
	} else {
		n, err = b.wait(p)
	}
	b.read += int64(n)
	switch l := b.opts.Limits; {
	case b.read > l.Bytes:
		b.err = b.excess(source.CodeInputTooLarge, fmt.Errorf("the body is longer than %d bytes", l.Bytes))
		return 0, b.err
	case b.zip != nil && b.read > l.RatioFrom && b.read > l.Ratio*b.raw:
		b.err = b.excess(source.CodeDecompressionBomb, fmt.Errorf("%d compressed bytes unfold to more than %d", b.raw, b.read))
		return 0, b.err
	case err != nil && !errors.Is(err, io.EOF):
		b.err = b.fail(err, b.zip != nil)
	case err != nil:
		b.err = io.EOF
	}
	return n, b.err
}

func (b *body) fail(err error, zipped bool) error {
	if b.ctx.Err() != nil && errors.Is(context.Cause(b.ctx), context.Canceled) {
		return context.Canceled
	}
	code, cause := broken(b.ctx, err, zipped)
	return b.excess(code, cause)
}

func (b *body) excess(code source.Code, cause error) error {
	return &source.FetchError{URL: Public(b.url), Code: code, Status: b.status, Attempts: 1, Err: cause}
}

// rawReader reads what came over the wire.
type rawReader struct{ b *body }

// Read implements io.Reader.
func (r rawReader) Read(p []byte) (int, error) { return r.b.wait(p) }

// wait reads from the connection and ends it when the server is too slow.
func (b *body) wait(p []byte) (int, error) {
	stall := time.AfterFunc(b.opts.Stall, func() { b.cancel(errStall) })
	began := b.opts.Now()
	n, err := b.packed.Read(p)
	stall.Stop()
	b.waited += b.opts.Now().Sub(began)
	b.raw += int64(n)
	slow := b.waited > b.opts.Stall && float64(b.raw) < b.waited.Seconds()*float64(b.opts.MinRate)
	if err == nil && (slow || b.waited > b.opts.BodyTime) {
		b.cancel(errSlow)
		return n, errSlow
	}
	return n, err
}

// Close implements io.Closer.
func (b *body) Close() error {
	b.cancel(nil)
	return b.closer.Close()
}

func isGzip(err error) bool {
	var std flate.CorruptInputError
	var fast kflate.CorruptInputError
	return errors.Is(err, gzip.ErrChecksum) || errors.Is(err, gzip.ErrHeader) || errors.As(err, &std) || errors.As(err, &fast)
}
