package source

import (
	"context"
	"errors"
	"fmt"
	"hash/fnv"
	"io"
	"net/url"
	"strconv"
	"strings"
)

// Feed says where the records of a JSON protocol are and what becomes of each.
type Feed struct {
	// Paths are the lists that hold records.
	Paths []string
	// Keep tells which files of a directory are captured answers; nil takes
	// those whose names JSONFile accepts.
	Keep func(name string) bool
	// Each takes one record; seed is the page it was found in.
	Each func(j *JSON, it Item, seed string) error
	// First is the address of the first page of the live source.
	First string
	// Next is the address of the page after one that was read, "" after the
	// last. nil is a source of one page.
	Next func(p Page) string
}

// Page is a page of a live source that was read to its end.
type Page struct {
	// URL is the address that was asked for.
	URL string
	// Records is how many records it had, good and bad.
	Records int
	// Body gives the members around the records, by Head.
	Body *JSON
	// taken is how many of the records could be told from each other.
	taken int
	// expects is told how many records the list of this page has.
	expects func(records int)
}

// Expects tells how many records the list has that this page is of, as it states;
// a negative number is no statement.
func (p *Page) Expects(records int) {
	if p.expects != nil && records >= 0 {
		p.expects(records)
	}
}

// pagesMax bounds how many pages one run asks for: a source of a million
// records in pages of ten.
const pagesMax = 100_000

// Run reads a live source page by page, or what was captured of it: one file,
// or the files of a directory. After each page of a live source the address of
// the next is marked as the cursor.
func (f *Feed) Run(ctx context.Context, in *Input, reject func(Rejection) error) error {
	if in.Fetch != nil {
		return f.live(ctx, in, reject)
	}
	return f.captured(ctx, in, reject)
}

func (f *Feed) live(ctx context.Context, in *Input, reject func(Rejection) error) error {
	at := f.First
	if in.Cursor != "" {
		at = in.Cursor
	}
	seen, lists := map[uint64]bool{}, map[string]int{}
	for n := 0; at != ""; n++ {
		if n == pagesMax {
			return reject(Rejection{Place: at, Code: CodeRepeatedPage, Reason: fmt.Sprintf("the source has more than %d pages", pagesMax),
				Remedy: "narrow the source by its filters"})
		}
		res, err := in.Fetch(ctx, Request{URL: at, Accept: "application/json"})
		if err != nil {
			return err
		}
		page, again, err := f.page(ctx, in, res.Body, at, seen, reject)
		if closing := res.Body.Close(); err == nil && closing != nil {
			err = fmt.Errorf("close %s: %w", at, closing)
		}
		if err != nil {
			return err
		}
		page.expects = func(records int) { lists[listOf(page.URL)] = records; in.Expects(sum(lists)) }
		// Of a page without any record, an error page say, no next one follows.
		if again || page.taken == 0 || f.Next == nil {
			return nil
		}
		if at = f.Next(page); at != "" {
			if err := in.Done(at); err != nil {
				return err
			}
		}
	}
	return nil
}

// listOf is a list of a live source: its address without what tells its pages
// apart.
func listOf(page string) string {
	list, _, _ := strings.Cut(page, "?")
	return list
}

func sum(lists map[string]int) (n int) {
	for _, records := range lists {
		n += records
	}
	return n
}

// page reads one page. again says that its first record began an earlier page,
// so that the source goes in circles.
func (f *Feed) page(ctx context.Context, in *Input, r io.Reader, name string, seen map[uint64]bool, reject func(Rejection) error) (p Page, again bool, err error) {
	s, err := NewStream(r, name, in.Limits)
	if err != nil {
		return p, false, err
	}
	p.URL = name
	p.Body, err = NewJSON(s, f.Paths...)
	if err != nil {
		return p, false, err
	}
	err = p.Body.each(ctx, reject, func(it Item) error {
		p.Records++
		if p.taken++; p.taken == 1 {
			h := fnv.New64a()
			_, _ = h.Write(it.Raw) // a hash takes everything
			if again = seen[h.Sum64()]; again {
				return errCircle
			}
			seen[h.Sum64()] = true
		}
		return f.one(in, p.Body, it, name)
	}, func() { p.Records++ })
	if errors.Is(err, errCircle) {
		return p, true, reject(Rejection{Place: name, Code: CodeRepeatedPage,
			Reason: "the page begins with the same record as an earlier page; the records of the pages before it were read",
			Remedy: "make the source honour the parameters of paging"})
	}
	return p, again, err
}

// one takes one record; whoever builds a draft meanwhile has its bytes.
func (f *Feed) one(in *Input, j *JSON, it Item, seed string) error {
	in.record = it.Raw
	defer func() { in.record = nil }()
	return f.Each(j, it, seed)
}

var errCircle = errors.New("page seen before")

// each goes through the records to the end of the input.
func (j *JSON) each(ctx context.Context, reject func(Rejection) error, take func(Item) error, broken func()) error {
	for ctx.Err() == nil {
		it, bad, err := j.Next()
		switch {
		case errors.Is(err, io.EOF):
			if p := j.Problem(); p != nil {
				return reject(*p)
			}
			return nil
		case err != nil:
			return err
		case bad != nil:
			broken()
			err = reject(*bad)
		default:
			err = take(it)
		}
		if err != nil {
			return err
		}
	}
	return ctx.Err()
}

// NextOffset is the address of the page after p in a protocol that pages by
// the number of records to skip, given in the parameter. What came counts, not
// what was asked for, as some hosts lower the size of a page. total is what the
// page says how many records there are, negative when it does not; it may
// change while one pages. A page without records is the last.
func NextOffset(p Page, param string, total int) string {
	p.Expects(total)
	u, err := url.Parse(p.URL)
	if err != nil || p.Records == 0 {
		return ""
	}
	q := u.Query()
	at, err := strconv.Atoi(q.Get(param))
	if err != nil {
		at = 0
	}
	if at += p.Records; total >= 0 && at >= total {
		return ""
	}
	q.Set(param, strconv.Itoa(at))
	u.RawQuery = q.Encode()
	return u.String()
}

// Address is the address of the live source: that of the input if it has one,
// else that of the catalogue.
func (in *Input) Address() (*url.URL, error) {
	raw := in.PageURL()
	u, err := url.Parse(raw)
	if err != nil || u.Host == "" {
		return nil, fmt.Errorf("read %s: the source has no address: %q", in.Name, raw)
	}
	return u, nil
}

// Portal is the address of the catalogue, from which the pages of its records
// are made: that of the source, else its filter "base" (for captured files),
// else that of the live source; "" is not known.
func (in *Input) Portal() string {
	for _, raw := range []string{in.Source.URL, in.Source.Filters["base"], in.PageURL()} {
		if raw != "" {
			return raw
		}
	}
	return ""
}

// Language is the language that is declared for the texts of the catalogue, in
// the filter "language" of its source; "" is none.
func (in *Input) Language() string {
	tag, _ := Language(in.Source.Filters["language"])
	return tag
}
