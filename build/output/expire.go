package output

import (
	"cmp"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/assay-register/assay/render/snapshot"
)

// Aged is a snapshot that was replaced, by its name and the time at which it was
// published.
type Aged struct {
	Name string
	At   time.Time
}

// Expired names those of the replaced snapshots that are neither among the newest keep,
// which the present one is too, nor were replaced less than keepFor ago.
func Expired(list []Aged, keep int, keepFor time.Duration, now time.Time) (names []string) {
	for i := range list {
		if list[i].At.After(now) {
			list[i].At = now
		}
	}
	slices.SortFunc(list, func(a, b Aged) int {
		return cmp.Or(b.At.Compare(a.At), cmp.Compare(b.Name, a.Name))
	})
	replaced := now
	for i, p := range list {
		if i+1 >= keep && now.Sub(replaced) >= keepFor {
			names = append(names, p.Name)
		}
		replaced = p.At
	}
	return names
}

// ExpireFiles removes from a folder the files of snapshots that no page may lead to any more
// (Expired), and what lay over others than the present one.
func ExpireFiles(folder, present string, keep int, keepFor time.Duration, now time.Time) error {
	list, err := os.ReadDir(folder)
	if err != nil {
		return err
	}
	var older []Aged
	for _, l := range list {
		if id, ok := snapshot.OverlaidBy(l.Name()); ok && id != present {
			err = errors.Join(err, os.Remove(filepath.Join(folder, l.Name())))
		}
		id, ok := snapshot.IDOf(l.Name())
		if info, err := l.Info(); ok && err == nil && id != present {
			older = append(older, Aged{l.Name(), info.ModTime()})
		}
	}
	for _, name := range Expired(older, keep, keepFor, now) {
		err = errors.Join(err, os.Remove(filepath.Join(folder, name)))
		if id, ok := snapshot.IDOf(name); ok {
			err = errors.Join(err, os.RemoveAll(filepath.Join(folder, snapshot.SigOf(id)))) // not every register signs
		}
	}
	return err
}
