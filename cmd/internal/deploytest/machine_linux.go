package deploytest

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/sys/unix"
)

// insideKey names the folder of what is taken along into a fresh machine.
const insideKey = "ASSAY_TEST_MACHINE"

// outsideKey names the mount namespace that the machine must not share.
const outsideKey = "ASSAY_TEST_OUTSIDE"

// FreshMachine runs a test a second time, alone, as the first process of a
// machine that nobody has worked on: the programs of this one's packages, an
// /etc of its own, empty folders, an empty environment, processes and a network
// of its own, in which only loopback and the address [Public] are there. In the
// second run it gives true; what the folder luggage holds is in /root then.
//
// That takes the rights of root, or sudo without a password; ok is false where
// neither is there.
func FreshMachine(t *testing.T, luggage func(dir string)) (inside, ok bool) {
	t.Helper()
	if from := os.Getenv(insideKey); from != "" {
		if err := enter(t.Context(), from); err != nil {
			t.Fatal("enter the machine: ", err)
		}
		return true, true
	}
	var sudo []string
	if os.Geteuid() != 0 {
		if exec.CommandContext(t.Context(), "sudo", "-n", "true").Run() != nil {
			return false, false
		}
		sudo = []string{"sudo", "-n"}
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	outside, err := os.Readlink("/proc/self/ns/mnt")
	if err != nil {
		t.Fatal(err)
	}
	dir := Folder(t, nil)
	for _, name := range []string{"root", "luggage"} {
		if err := os.Mkdir(filepath.Join(dir, name), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	luggage(filepath.Join(dir, "luggage"))
	args := append(slices.Clone(sudo), "unshare", "--mount", "--net", "--pid", "--fork", "--kill-child", "--", "env", "-i", insideKey+"="+dir, outsideKey+"="+outside,
		"ASSAY_SOAK="+os.Getenv("ASSAY_SOAK"), self, "-test.v", "-test.run=^"+t.Name()+"$", "-test.timeout=30m")
	out, err := exec.CommandContext(t.Context(), args[0], args[1:]...).CombinedOutput()
	t.Logf("%s", out)
	if err != nil || !strings.Contains(string(out), "--- PASS: "+t.Name()) {
		t.Fatalf("in a fresh machine: %v", err)
	}
	return false, true
}

// enter makes this process live in the root folder below dir.
func enter(ctx context.Context, dir string) error {
	// Without a namespace of our own, what is mounted here would be seen, and
	// removed, from outside.
	if here, err := os.Readlink("/proc/self/ns/mnt"); err != nil || here == os.Getenv(outsideKey) {
		return errors.Join(errors.New("this is not a mount namespace of its own"), err)
	}
	if err := errors.Join(os.Setenv("PATH", Path), os.Unsetenv(insideKey), os.Unsetenv(outsideKey)); err != nil {
		return err
	}
	if err := unix.Mount("", "/", "", unix.MS_REC|unix.MS_PRIVATE, ""); err != nil {
		return fmt.Errorf("private mounts: %w", err)
	}
	root := filepath.Join(dir, "root")
	if err := unix.Mount("tmpfs", root, "tmpfs", 0, "mode=755"); err != nil {
		return fmt.Errorf("tmpfs: %w", err)
	}
	if err := errors.Join(folders(root), system(root), devices(root)); err != nil {
		return err
	}
	for from, to := range map[string]string{"/etc": "etc", filepath.Join(dir, "luggage"): "root"} {
		if out, err := exec.CommandContext(ctx, "cp", "-a", "-T", from, filepath.Join(root, to)).CombinedOutput(); err != nil {
			return fmt.Errorf("%w: %s", err, out)
		}
	}
	return errors.Join(unix.Chroot(root), os.Chdir("/root"), network())
}

// Path is where the programs of a fresh machine lie.
const Path = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"

func folders(root string) error {
	var errs []error
	for name, mode := range map[string]fs.FileMode{"root": 0o700, "home": 0o755, "srv": 0o755, "run": 0o755, "mnt": 0o755, "opt": 0o755, "proc": 0o555, "sys": 0o555, "dev": 0o755,
		"var/log": 0o755, "var/lib/nginx": 0o755, "var/spool/mail": 0o755, "var/mail": 0o755, "tmp": 0o777 | fs.ModeSticky, "var/tmp": 0o777 | fs.ModeSticky} {
		path := filepath.Join(root, name)
		errs = append(errs, os.MkdirAll(path, 0o755), os.Chmod(path, mode))
	}
	return errors.Join(errs...)
}

// system shows the packages of this machine, which nobody can change, without
// what was installed beside them.
func system(root string) error {
	for _, name := range []string{"usr", "bin", "sbin", "lib", "lib64"} {
		from, to := "/"+name, filepath.Join(root, name)
		if target, err := os.Readlink(from); err == nil {
			if err := os.Symlink(target, to); err != nil {
				return err
			}
			continue
		}
		if _, err := os.Stat(from); errors.Is(err, fs.ErrNotExist) {
			continue
		}
		err := errors.Join(os.Mkdir(to, 0o755), unix.Mount(from, to, "", unix.MS_BIND, ""), unix.Mount("", to, "", unix.MS_BIND|unix.MS_REMOUNT|unix.MS_RDONLY, ""))
		if err != nil {
			return fmt.Errorf("%s: %w", from, err)
		}
	}
	local := filepath.Join(root, "usr/local")
	if err := unix.Mount("tmpfs", local, "tmpfs", 0, "mode=755"); err != nil {
		return fmt.Errorf("/usr/local: %w", err)
	}
	return errors.Join(os.Mkdir(filepath.Join(local, "bin"), 0o755), unix.Mount("proc", filepath.Join(root, "proc"), "proc", 0, ""))
}

func devices(root string) error {
	for _, name := range []string{"null", "zero", "full", "random", "urandom"} {
		to := filepath.Join(root, "dev", name)
		if err := errors.Join(os.WriteFile(to, nil, 0o666), unix.Mount("/dev/"+name, to, "", unix.MS_BIND, "")); err != nil {
			return fmt.Errorf("/dev/%s: %w", name, err)
		}
	}
	return os.Symlink("/proc/self/fd", filepath.Join(root, "dev/fd"))
}

// Public is an address of the fresh machine that is none of a private network, so
// that what guards those lets it pass. It lies on the loopback interface of a
// network without any other.
const Public = "45.0.0.1"

func network() error {
	fd, err := unix.Socket(unix.AF_INET, unix.SOCK_DGRAM|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		return err
	}
	defer unix.Close(fd)
	up, err := unix.NewIfreq("lo")
	if err != nil {
		return err
	}
	up.SetUint16(unix.IFF_UP | unix.IFF_RUNNING)
	public, err := unix.NewIfreq("lo:1")
	if err != nil {
		return err
	}
	if err := public.SetInet4Addr([]byte{45, 0, 0, 1}); err != nil {
		return err
	}
	if err := errors.Join(unix.IoctlIfreq(fd, unix.SIOCSIFFLAGS, up), unix.IoctlIfreq(fd, unix.SIOCSIFADDR, public)); err != nil {
		return fmt.Errorf("loopback: %w", err)
	}
	return nil
}
