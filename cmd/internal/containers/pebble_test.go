package containers

import (
	"encoding/binary"
	"errors"
	"io"

	"github.com/cockroachdb/pebble/v2"

	"github.com/assay-register/assay/render/pack"
)

// pebbles is a folder of sorted tables. What it holds is compressed already.
type pebbles struct{}

func options() *pebble.Options {
	o := &pebble.Options{DisableWAL: true, MemTableSize: 64 << 20, Logger: silent{}}
	o.ApplyCompressionSettings(func() pebble.DBCompressionSettings { return pebble.DBCompressionNone })
	return o
}

type silent struct{}

func (silent) Infof(string, ...any)  {}
func (silent) Errorf(string, ...any) {}
func (silent) Fatalf(f string, _ ...any) {
	panic("pebble: " + f)
}

func (pebbles) write(path string, each func(func(*pack.Group) error) error) error {
	db, err := pebble.Open(path, options())
	if err != nil {
		return err
	}
	number := uint32(0)
	err = each(func(g *pack.Group) error {
		err := pairs(number, g, func(key, value []byte) error { return db.Set(key, value, pebble.NoSync) })
		number++
		return err
	})
	return errors.Join(err, db.Flush(), db.Close())
}

type pebbleReader struct{ *pebble.DB }

func (pebbles) open(path string) (reader, error) {
	o := options()
	o.ReadOnly = true
	db, err := pebble.Open(path, o)
	return pebbleReader{db}, err
}

func (r pebbleReader) read(route string, out io.Writer) error {
	var open []io.Closer
	get := func(key []byte) ([]byte, error) {
		b, c, err := r.Get(key)
		if err == nil {
			open = append(open, c)
		}
		return b, err
	}
	err := readPair(route, get, out)
	for _, c := range open {
		err = errors.Join(err, c.Close())
	}
	return err
}

func (pebbles) renew(from, to string, fresh func(int) *pack.Group) error {
	o := options()
	o.ReadOnly = true
	old, err := pebble.Open(from, o)
	if err != nil {
		return err
	}
	db, err := pebble.Open(to, options())
	if err != nil {
		return errors.Join(err, old.Close())
	}
	in, err := old.NewIter(nil)
	if err != nil {
		return errors.Join(err, db.Close(), old.Close())
	}
	for ok := in.First(); ok && err == nil; ok = in.Next() {
		key, value := in.Key(), in.Value()
		if key[0] == 'g' {
			if g := fresh(int(binary.BigEndian.Uint32(key[1:]))); g != nil {
				value, err = g.MarshalBinary()
			}
		}
		err = errors.Join(err, db.Set(key, value, pebble.NoSync))
	}
	return errors.Join(err, in.Close(), db.Flush(), db.Close(), old.Close())
}
