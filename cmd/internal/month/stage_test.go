//go:build unix

package month

import (
	"flag"
	"testing"

	"github.com/assay-register/assay/dynamic/store/storetest/pgtest"
)

var whole = flag.Bool("whole", false, "with nginx in front, an object store and a full disk; always with ASSAY_SOAK=1")

// stage is what stands around a register: its store, and what its configuration
// and its environment say of it.
type stage struct {
	// db is the URL of PostgreSQL, "" for SQLite; restart ends that server by a
	// signal and starts it again.
	db      string
	restart func(signal string)
	// front is the address of the web server before it, "" for none.
	front string
	// settings are keys of the configuration, env are variables.
	settings map[string]string
	env      []string
	// disk is where the folder of the register is a disk of its own.
	disk *disk
}

func onSQLite(t *testing.T) *stage {
	t.Helper()
	s := &stage{settings: map[string]string{}}
	if long() || *whole {
		s.disk = newDisk(t)
	}
	return s
}

func onPostgres(t *testing.T) *stage {
	t.Helper()
	s := &stage{settings: map[string]string{}}
	s.db, s.restart = pgtest.NewRestarting(t)
	return s
}

// cast calls those who have a part, before the register is deployed.
func (m *rehearsal) cast(s *stage) {
	m.people = newPeople(m.w)
	watchers, readers := newWatchers(m.t, s), &readers{}
	m.actors = []actor{m.people, readers, watchers, newOwner(m.w, watchers.post, readers), newDrift(m.w), outages{}}
	if !long() && !*whole {
		return
	}
	m.actors = append(m.actors, newMover(m.w, m.steps))
	if s.db == "" {
		m.addBucket(s)
	}
	m.addFront(s)
}
