//go:build linux

package main

import (
	"bufio"
	"context"
	"encoding/binary"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
)

// A dump holds the rows of a store in transactions of a thousand entries, in
// the form in which a database driver takes them, so that inserting them needs
// no parsing, no checks and no encoding.

// transaction are the rows of one commit, table by table: the values of all
// rows in one flat list.
type transaction [tableCount][]any

// Tags before a value in a dump.
const (
	tagNull = iota
	tagNumber
	tagText
)

func writeTransaction(w *bufio.Writer, t *transaction) error {
	for _, values := range t {
		w.Write(binary.AppendUvarint(w.AvailableBuffer(), uint64(len(values))))
		for _, v := range values {
			switch v := v.(type) {
			case nil:
				w.WriteByte(tagNull)
			case int64:
				w.WriteByte(tagNumber)
				w.Write(binary.AppendVarint(w.AvailableBuffer(), v))
			case string:
				w.WriteByte(tagText)
				w.Write(binary.AppendUvarint(w.AvailableBuffer(), uint64(len(v))))
				w.WriteString(v)
			default:
				return fmt.Errorf("a column holds %T", v)
			}
		}
	}
	return nil
}

// readTransaction returns io.EOF at the end of the dump.
func readTransaction(r *bufio.Reader) (*transaction, error) {
	t := &transaction{}
	for k := range t {
		n, err := binary.ReadUvarint(r)
		if err != nil {
			return nil, err
		}
		t[k] = make([]any, n)
		for i := range t[k] {
			if t[k][i], err = readValue(r); err != nil {
				return nil, errors.Join(io.ErrUnexpectedEOF, err)
			}
		}
	}
	return t, nil
}

func readValue(r *bufio.Reader) (any, error) {
	tag, err := r.ReadByte()
	if err != nil {
		return nil, err
	}
	switch tag {
	case tagNumber:
		return binary.ReadVarint(r)
	case tagText:
		n, err := binary.ReadUvarint(r)
		if err != nil {
			return nil, err
		}
		b := make([]byte, n)
		_, err = io.ReadFull(r, b)
		return string(b), err
	}
	return nil, nil
}

func dumpVerb(flags *flag.FlagSet) func(context.Context) error {
	db := flags.String("db", "", "store that an import has filled: sqlite:PATH or postgres://…")
	out := flags.String("out", "rows.dump", "file to write")
	return func(ctx context.Context) error {
		f, err := os.Create(*out)
		if err != nil {
			return err
		}
		w := bufio.NewWriterSize(f, 1<<20)
		return errors.Join(dumpRows(ctx, *db, w), w.Flush(), f.Close())
	}
}

// insertVerb is the plain program that an import is measured against: it puts
// the rows of a dump into the same database with the same settings, and reads
// the next ones meanwhile.
func insertVerb(flags *flag.FlagSet) func(context.Context) error {
	db := flags.String("db", "", "empty store: sqlite:PATH or postgres://…")
	in := flags.String("in", "rows.dump", "file to read")
	perStatement := flags.Int("rows", 100, "rows in one statement")
	return func(ctx context.Context) error {
		f, err := os.Open(*in)
		if err != nil {
			return err
		}
		defer f.Close()
		ahead := make(chan *transaction, 2)
		failed := make(chan error, 1)
		go func() {
			defer close(ahead)
			r := bufio.NewReaderSize(f, 1<<20)
			for {
				t, err := readTransaction(r)
				if err != nil {
					if !errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
						failed <- err
					}
					return
				}
				ahead <- t
			}
		}()
		if err := insertRows(ctx, *db, *perStatement, ahead); err != nil {
			return err
		}
		select {
		case err := <-failed:
			return err
		default:
			return nil
		}
	}
}
