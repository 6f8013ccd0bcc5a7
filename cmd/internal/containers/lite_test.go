package containers

import (
	"database/sql"
	"errors"
	"io"
	"os"

	_ "modernc.org/sqlite"

	"github.com/assay-register/assay/render/pack"
)

// lite is a database of SQLite. It is read as a file that never changes.
type lite struct{}

const schema = `PRAGMA journal_mode=OFF; PRAGMA synchronous=OFF; PRAGMA page_size=8192;
CREATE TABLE groups (id INTEGER PRIMARY KEY, data BLOB);
CREATE TABLE routes (route TEXT PRIMARY KEY, grp INTEGER, document INTEGER) WITHOUT ROWID;
CREATE TABLE hashes (sum BLOB, grp INTEGER, document INTEGER, PRIMARY KEY (sum, grp, document)) WITHOUT ROWID;`

func create(path string) (*sql.DB, error) {
	db, err := sql.Open("sqlite", path)
	if err != nil {
		return nil, err
	}
	db.SetMaxOpenConns(1)
	_, err = db.Exec(schema)
	return db, err
}

func (lite) write(path string, each func(func(*pack.Group) error) error) error {
	db, err := create(path)
	if err != nil {
		return err
	}
	tx, err := db.Begin()
	if err != nil {
		return errors.Join(err, db.Close())
	}
	group, err1 := tx.Prepare("INSERT INTO groups VALUES (?, ?)")
	route, err2 := tx.Prepare("INSERT INTO routes VALUES (?, ?, ?)")
	hash, err3 := tx.Prepare("INSERT INTO hashes VALUES (?, ?, ?)")
	if err := errors.Join(err1, err2, err3); err != nil {
		return errors.Join(err, tx.Rollback(), db.Close())
	}
	number := 0
	err = each(func(g *pack.Group) error {
		b, err := g.MarshalBinary()
		if err == nil {
			_, err = group.Exec(number, b)
		}
		for i := range g.Documents {
			d := &g.Documents[i]
			for _, name := range []string{d.Route, d.Alias} {
				if name != "" && err == nil {
					_, err = route.Exec(name, number, i)
				}
			}
			if err == nil {
				_, err = hash.Exec(d.Sum[:8], number, i)
			}
		}
		number++
		return err
	})
	return errors.Join(err, group.Close(), route.Close(), hash.Close(), tx.Commit(), db.Close(), synced(path))
}

type liteReader struct {
	*sql.DB
	query *sql.Stmt
}

func (lite) open(path string) (reader, error) {
	db, err := sql.Open("sqlite", "file:"+path+"?immutable=1&mode=ro")
	if err != nil {
		return nil, err
	}
	q, err := db.Prepare("SELECT g.data, r.document FROM routes r JOIN groups g ON g.id = r.grp WHERE r.route = ?")
	return liteReader{db, q}, err
}

func (r liteReader) read(route string, out io.Writer) error {
	var b []byte
	var document int
	if err := r.query.QueryRow(route).Scan(&b, &document); err != nil {
		return err
	}
	var g pack.Group
	if err := g.UnmarshalBinary(b); err != nil {
		return err
	}
	return g.Write(out, document)
}

func (r liteReader) Close() error { return errors.Join(r.query.Close(), r.DB.Close()) }

// renew copies the rows inside of the database, which is the fastest way that it has.
func (lite) renew(from, to string, fresh func(int) *pack.Group) error {
	db, err := create(to)
	if err != nil {
		return err
	}
	_, err = db.Exec("ATTACH 'file:" + from + "?immutable=1' AS old; BEGIN;" +
		"INSERT INTO groups SELECT * FROM old.groups; INSERT INTO routes SELECT * FROM old.routes; INSERT INTO hashes SELECT * FROM old.hashes;")
	var groups int
	if err == nil {
		err = db.QueryRow("SELECT count(*) FROM groups").Scan(&groups)
	}
	for n := range groups {
		g := fresh(n)
		if g == nil || err != nil {
			continue
		}
		var b []byte
		if b, err = g.MarshalBinary(); err == nil {
			_, err = db.Exec("UPDATE groups SET data = ? WHERE id = ?", b, n)
		}
	}
	if err == nil {
		_, err = db.Exec("COMMIT")
	}
	return errors.Join(err, db.Close(), synced(to))
}

// synced waits until a file is on the disk, as the other containers do.
func synced(path string) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	return errors.Join(f.Sync(), f.Close())
}
