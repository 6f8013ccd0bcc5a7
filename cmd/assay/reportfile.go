package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"sync"

	"github.com/assay-register/assay/build/harvest/source"
	"github.com/assay-register/assay/render/catalog"
)

// reportFile is the file of --report: the report of a harvest with every
// rejection in it. Reports hold the first of them only; all are kept in a file
// beside it meanwhile, one for each source, so that memory does not grow.
type reportFile struct {
	path  string
	mu    sync.Mutex
	dir   string
	lists map[string]*rejectionList
	err   error
}

type rejectionList struct {
	file *os.File
	w    *bufio.Writer
}

// reject keeps a rejection of a source; a failure is told by write.
func (f *reportFile) reject(s *catalog.Source, x source.Rejection) {
	if f.path == "" {
		return
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.err == nil {
		f.err = f.keep(s.ID, x)
	}
}

func (f *reportFile) keep(id string, x source.Rejection) error {
	if f.dir == "" {
		dir, err := os.MkdirTemp(filepath.Dir(f.path), ".rejections-")
		if err != nil {
			return err
		}
		f.dir, f.lists = dir, map[string]*rejectionList{}
	}
	l := f.lists[id]
	if l == nil {
		file, err := os.CreateTemp(f.dir, "")
		if err != nil {
			return err
		}
		l = &rejectionList{file, bufio.NewWriter(file)}
		f.lists[id] = l
	}
	b, err := json.Marshal(x)
	if err != nil {
		return err
	}
	_, err = l.w.Write(append(b, '\n'))
	return err
}

// emptyList is how a report without rejections writes its list: quotes within
// texts are escaped, so it stands nowhere else.
var emptyList = []byte(`"rejections": []`)

// rejectedOf is how many of the rejections of a source a report counts.
type rejectedOf struct {
	source string
	n      int
}

// write writes a report whose lists of rejections are empty, and fills them in
// their order.
func (f *reportFile) write(report any, lists ...rejectedOf) error {
	if f.path == "" {
		return nil
	}
	b, err := json.MarshalIndent(report, "", "  ")
	if err = errors.Join(f.err, err); err != nil {
		return fmt.Errorf("report: %w", err)
	}
	file, err := os.Create(f.path)
	if err != nil {
		return fmt.Errorf("report: %w", err)
	}
	w := bufio.NewWriter(file)
	for _, c := range lists {
		before, after, _ := bytes.Cut(b, emptyList)
		w.Write(before)
		if err := f.fill(w, c); err != nil {
			return errors.Join(fmt.Errorf("report: %w", err), file.Close())
		}
		b = after
	}
	w.Write(append(b, '\n'))
	return errors.Join(w.Flush(), file.Close())
}

// fill writes the rejections of a source that its report counts: those behind
// the place where a run broke off come again.
func (f *reportFile) fill(w *bufio.Writer, c rejectedOf) error {
	w.WriteString(`"rejections": [`)
	l := f.lists[c.source]
	if l == nil {
		_, err := w.WriteString("]")
		return err
	}
	if err := l.w.Flush(); err != nil {
		return err
	}
	if _, err := l.file.Seek(0, io.SeekStart); err != nil {
		return err
	}
	lines := bufio.NewReader(l.file)
	for i := range c.n {
		line, err := lines.ReadBytes('\n')
		if errors.Is(err, io.EOF) {
			break // a resumed run knows the first of its earlier ones only
		}
		if err != nil {
			return err
		}
		if i > 0 {
			w.WriteString(",")
		}
		w.WriteString("\n      ")
		w.Write(bytes.TrimSuffix(line, []byte("\n")))
	}
	_, err := w.WriteString("\n    ]")
	return err
}

// remove removes what was kept aside.
func (f *reportFile) remove() {
	for _, l := range f.lists {
		l.file.Close()
	}
	if f.dir != "" {
		os.RemoveAll(f.dir)
	}
}
