//go:build unix

package pgtest

import (
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"strconv"
	"sync"
	"syscall"
	"time"
)

const (
	superuser    = "postgres"
	startTimeout = 30 * time.Second
)

// cluster is a running PostgreSQL.
type cluster struct {
	// bin is the folder of the programs, dir that of the data and the socket.
	bin, dir string
	keeper   *exec.Cmd
	// leash is held open by the test binary; the keeper stops the cluster
	// when it closes, however the test binary ends.
	leash io.WriteCloser
	// migrate makes the template, failure is why it could not be made.
	migrate sync.Once
	failure error
}

// keep runs the server until standard input ends, then removes all. A line of
// input is a signal by which the server is stopped, to be started again.
const keep = `run() {
	"$1/postgres" -D "$2/data" -k "$2" -h '' -F -c full_page_writes=off -c synchronous_commit=off \
		-c max_connections=200 -c max_wal_size=128MB >>"$2/log" 2>&1 </dev/null &
}
run "$1" "$2"
while read -r signal; do
	kill -"$signal" $!
	wait $!
	run "$1" "$2"
done
kill -QUIT $!
wait $!
cd / && rm -rf "$2"`

func start() (*cluster, error) {
	bin, err := findPrograms()
	if err != nil {
		return nil, err
	}
	dir, err := os.MkdirTemp(base(), "assaypg")
	if err != nil {
		return nil, err
	}
	c := &cluster{bin: bin, dir: dir}
	if err := c.boot(); err != nil {
		log, _ := os.ReadFile(filepath.Join(dir, "log"))
		c.stop()
		return nil, fmt.Errorf("%w\n%s", err, log)
	}
	return c, nil
}

// base is where the cluster lies: a socket path has at most 107 bytes, so a long
// name of the folder for temporary files is not taken.
func base() string {
	if dir := os.TempDir(); len(dir) < 60 {
		return dir
	}
	return "/tmp"
}

func (c *cluster) boot() error {
	attr, err := c.credential()
	if err != nil {
		return err
	}
	if err := c.initialise(attr); err != nil {
		return err
	}
	c.keeper = exec.Command("/bin/sh", "-c", keep, "keep", c.bin, c.dir)
	c.keeper.Dir = c.dir
	// Ctrl-C on the tests must not stop the keeper before it has cleaned up.
	attr.Setpgid = true
	c.keeper.SysProcAttr = attr
	if c.leash, err = c.keeper.StdinPipe(); err != nil {
		return err
	}
	if err := c.keeper.Start(); err != nil {
		return fmt.Errorf("start keeper: %w", err)
	}
	return c.wait()
}

// initialise makes the data folder, with a default order that differs from
// byte order where the version can, so that a forgotten COLLATE "C" shows.
func (c *cluster) initialise(attr *syscall.SysProcAttr) error {
	var err error
	for _, locale := range [][]string{{"--locale-provider=icu", "--icu-locale=en", "--locale=C"}, {"--locale=C"}} {
		args := append([]string{"-D", c.dir + "/data", "-U", superuser, "-A", "trust", "-E", "UTF8", "--no-sync"}, locale...)
		cmd := exec.Command(c.bin+"/initdb", args...)
		cmd.Dir, cmd.SysProcAttr = c.dir, attr
		out, fail := cmd.CombinedOutput()
		if fail == nil {
			return nil
		}
		err = fmt.Errorf("initdb: %w: %s", fail, out)
	}
	return err
}

// credential lets root's tests run the server as another user, because
// PostgreSQL refuses to run as root.
func (c *cluster) credential() (*syscall.SysProcAttr, error) {
	if os.Geteuid() != 0 {
		return &syscall.SysProcAttr{}, nil
	}
	u, err := user.Lookup(superuser)
	if err != nil {
		return nil, fmt.Errorf("as root, PostgreSQL needs the user %s: %w", superuser, err)
	}
	uid, err := strconv.ParseUint(u.Uid, 10, 32)
	if err != nil {
		return nil, fmt.Errorf("uid %s: %w", u.Uid, err)
	}
	gid, err := strconv.ParseUint(u.Gid, 10, 32)
	if err != nil {
		return nil, fmt.Errorf("gid %s: %w", u.Gid, err)
	}
	if err := os.Chown(c.dir, int(uid), int(gid)); err != nil {
		return nil, err
	}
	return &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: uint32(uid), Gid: uint32(gid)}}, nil
}

func (c *cluster) wait() error {
	var err error
	for end := time.Now().Add(startTimeout); time.Now().Before(end); time.Sleep(20 * time.Millisecond) {
		if err = c.tool("pg_isready", "-q"); err == nil {
			return nil
		}
	}
	return fmt.Errorf("the server is not ready after %s: %w", startTimeout, err)
}

func (c *cluster) stop() {
	if c.leash != nil {
		_ = c.leash.Close()
		_ = c.keeper.Wait()
	}
	_ = os.RemoveAll(c.dir)
}
