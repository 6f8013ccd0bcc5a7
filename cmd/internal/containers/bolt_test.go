package containers

import (
	"bytes"
	"encoding/binary"
	"errors"
	"io"
	"slices"

	"go.etcd.io/bbolt"

	"github.com/assay-register/assay/render/pack"
)

// bolt is a B+ tree in a file. It likes keys in order, so they are sorted first.
type bolt struct{}

var bucket = []byte("all")

func (bolt) write(path string, each func(func(*pack.Group) error) error) error {
	db, err := bbolt.Open(path, 0o600, &bbolt.Options{NoFreelistSync: true})
	if err != nil {
		return err
	}
	var list [][2][]byte
	number := uint32(0)
	err = each(func(g *pack.Group) error {
		err := pairs(number, g, func(key, value []byte) error {
			list = append(list, [2][]byte{key, value})
			return nil
		})
		number++
		return err
	})
	if err == nil {
		err = fill(db, list)
	}
	return errors.Join(err, db.Close())
}

func fill(db *bbolt.DB, list [][2][]byte) error {
	slices.SortFunc(list, func(a, b [2][]byte) int { return bytes.Compare(a[0], b[0]) })
	return db.Update(func(tx *bbolt.Tx) error {
		b, err := tx.CreateBucket(bucket)
		if err != nil {
			return err
		}
		b.FillPercent = 1
		for _, p := range list {
			if err := b.Put(p[0], p[1]); err != nil {
				return err
			}
		}
		return nil
	})
}

type boltReader struct{ *bbolt.DB }

func (bolt) open(path string) (reader, error) {
	db, err := bbolt.Open(path, 0o400, &bbolt.Options{ReadOnly: true})
	return boltReader{db}, err
}

func (r boltReader) read(route string, out io.Writer) error {
	return r.View(func(tx *bbolt.Tx) error {
		b := tx.Bucket(bucket)
		return readPair(route, func(key []byte) ([]byte, error) { return b.Get(key), nil }, out)
	})
}

func (bolt) renew(from, to string, fresh func(int) *pack.Group) error {
	old, err := bbolt.Open(from, 0o400, &bbolt.Options{ReadOnly: true})
	if err != nil {
		return err
	}
	db, err := bbolt.Open(to, 0o600, &bbolt.Options{NoFreelistSync: true})
	if err != nil {
		return errors.Join(err, old.Close())
	}
	var list [][2][]byte
	err = old.View(func(tx *bbolt.Tx) error {
		err := tx.Bucket(bucket).ForEach(func(key, value []byte) error {
			list = append(list, [2][]byte{key, value})
			if key[0] != 'g' {
				return nil
			}
			if g := fresh(int(binary.BigEndian.Uint32(key[1:]))); g != nil {
				b, err := g.MarshalBinary()
				list[len(list)-1][1] = b
				return err
			}
			return nil
		})
		return errors.Join(err, fill(db, list))
	})
	return errors.Join(err, db.Close(), old.Close())
}
