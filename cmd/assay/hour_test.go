//go:build unix

package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/assay-register/assay/cmd/internal/binary"
	"github.com/assay-register/assay/cmd/internal/deploytest"
	"github.com/assay-register/assay/render/wire"
)

// TestFirstHour walks through an operator's first hour with nothing but what the
// guides say, in a machine that nobody has worked on: a register from nothing to
// a published site, then one that systemd's units run, with a portal that is
// harvested and probed, and the alert that nothing is probed. Its long form waits
// until the shipped rule, as it is, fires; the short one until it is pending.
//
// Where no such machine can be made, the guide for a new register is run in an
// empty folder with an empty environment.
func TestFirstHour(t *testing.T) {
	t.Parallel()
	inside, ok := deploytest.FreshMachine(t, func(dir string) {
		program(t, "nginx")
		program(t, "prometheus")
		for from, to := range map[string]string{binary.Path(t): "assay", deploy: "deploy", filepath.Join(deploy, "..", "docs"): "docs"} {
			if out, err := exec.Command("cp", "-a", from, filepath.Join(dir, to)).CombinedOutput(); err != nil {
				t.Fatalf("%v: %s", err, out)
			}
		}
	})
	switch {
	case inside:
		newWorld(t)
		t.Run("a new register", func(t *testing.T) { firstRegister(t, freshOperator(t)) })
		t.Run("an installation", installation)
	case !ok:
		program(t, "nginx")
		t.Log("neither root nor sudo: the guide is run in an empty folder")
		o := &deploytest.Operator{Dir: t.TempDir(), Env: []string{"PATH=" + filepath.Dir(binary.Path(t)) + ":" + deploytest.Path}}
		firstRegister(t, o)
	}
}

// freshOperator is a user of the machine who has put the program into the PATH.
func freshOperator(t *testing.T) *deploytest.Operator {
	t.Helper()
	for _, args := range [][]string{{"useradd", "--create-home", "ada"}, {"install", "-m", "755", "/root/assay", "/usr/local/bin/assay"}} {
		if out, err := exec.Command(args[0], args[1:]...).CombinedOutput(); err != nil {
			t.Fatalf("%v: %v %s", args, err, out)
		}
	}
	return &deploytest.Operator{Dir: "/home/ada", Env: []string{"PATH=" + deploytest.Path}, User: credential(t, "ada")}
}

func credential(t *testing.T, name string) *syscall.Credential {
	t.Helper()
	u, err := user.Lookup(name)
	if err != nil {
		t.Fatal(err)
	}
	uid, err1 := strconv.ParseUint(u.Uid, 10, 32)
	gid, err2 := strconv.ParseUint(u.Gid, 10, 32)
	if err1 != nil || err2 != nil {
		t.Fatal(err1, err2)
	}
	return &syscall.Credential{Uid: uint32(uid), Gid: uint32(gid)}
}

// guide reads the blocks of a guide, of those sections only if some are named.
func guide(t *testing.T, name string, sections ...string) (list []deploytest.Block) {
	t.Helper()
	path := filepath.Join(deploy, "..", "docs", name)
	if _, err := os.Stat("/root/docs"); err == nil {
		path = filepath.Join("/root/docs", name)
	}
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	all, err := deploytest.Blocks(string(text))
	if err != nil {
		t.Fatal(err)
	}
	for _, b := range all {
		for _, s := range sections {
			if b.Section == s {
				list = append(list, b)
			}
		}
	}
	if sections == nil {
		list = all
	}
	return list
}

// firstRegister does what run-your-own-register.md says, to its end.
func firstRegister(t *testing.T, o *deploytest.Operator) {
	t.Helper()
	blocks := guide(t, "run-your-own-register.md")
	if len(blocks) < 8 {
		t.Fatalf("the guide has %d steps", len(blocks))
	}
	// Where the port of the guide is taken, another one stands in for it.
	port := "8460"
	if l, err := net.Listen("tcp", "127.0.0.1:"+port); err != nil {
		_, port, _ = net.SplitHostPort(freeAddr(t))
	} else {
		l.Close()
	}
	t.Cleanup(func() { stopServer(filepath.Join(o.Dir, "nginx.pid")) })
	begun := time.Now()
	for _, b := range blocks {
		b.Text = strings.ReplaceAll(b.Text, "8460", port)
		if os.Getuid() == 0 && o.User == nil {
			// The workers of a server that root starts belong to someone else, who
			// may not read below a test's directory.
			b.Text = strings.ReplaceAll(b.Text, "daemon on;\n", "daemon on;\nuser root;\n")
		}
		if err := o.Do(t.Context(), b); err != nil {
			t.Fatal(err)
		}
		if strings.Contains(b.Text, "assay check http") {
			t.Logf("from nothing to a register that is published and checked: %s", time.Since(begun).Round(time.Millisecond))
		}
	}
	if took := time.Since(begun); took > 3*time.Minute {
		t.Errorf("the guide takes %s", took)
	}
	for _, path := range []string{"harvest.json", "build.json", "public/snapshot.json", "public/api/v1/entries/bus-departures/index.json"} {
		if _, err := os.Stat(filepath.Join(o.Dir, path)); err != nil {
			t.Error(err)
		}
	}
}

// stopServer ends a server that a failed guide left running, by the id that it
// wrote down.
func stopServer(pidFile string) {
	for range 50 {
		b, err := os.ReadFile(pidFile)
		if err != nil {
			return
		}
		_ = exec.Command("kill", strings.TrimSpace(string(b))).Run()
		time.Sleep(100 * time.Millisecond)
	}
}

// installation does what operate.md says under "Install" and "Rehearse an
// alert", as root.
func installation(t *testing.T) {
	units := &deploytest.Manager{Units: "/etc/systemd/system", Host: &deploytest.Host{}}
	root := &deploytest.Operator{Dir: "/root", Env: []string{"PATH=" + deploytest.Path}, Systemctl: func(args ...string) error {
		if units.Host.User == nil {
			units.Host.User = credential(t, "assay")
		}
		return units.Do(t.Context(), args...)
	}}
	t.Cleanup(func() {
		if err := units.Close(); err != nil {
			t.Error(err)
		}
	})
	install, rehearse := guide(t, "operate.md", "Install"), guide(t, "operate.md", "Rehearse an alert")
	if len(install) != 2 || len(rehearse) != 4 {
		t.Fatalf("%d blocks of installing, %d of rehearsing", len(install), len(rehearse))
	}
	do := func(b deploytest.Block) {
		t.Helper()
		if err := root.Do(t.Context(), b); err != nil {
			t.Fatal(err)
		}
	}
	begun := time.Now()
	do(install[0])
	configure(t, root)
	do(rehearse[0])
	do(install[1])
	untilMachine(t, "the service shows the table and the portal", func() error { return shown(t, root, 5) })
	t.Logf("from nothing to a register that is harvested, published and served: %s", time.Since(begun).Round(time.Millisecond))
	checkSite(t, root)
	untilMachine(t, "every entry is probed", func() error { return counted(`assay_probes_total{outcome="up"} 5`) })

	background(t, strings.TrimSpace(rehearse[1].Text))
	untilMachine(t, "Prometheus sees the service, and nothing wrong", func() error { return alert("inactive") })
	do(rehearse[2])
	state := "pending"
	if os.Getenv("ASSAY_SOAK") != "" {
		state = "firing"
	}
	stopped := time.Now()
	untilMachine(t, "the alert", func() error { return alert(state) })
	t.Logf("the prober was stopped; AssayNothingProbed is %s after %s", state, time.Since(stopped).Round(time.Second))
	do(rehearse[3])
	untilMachine(t, "the alert ends", func() error { return alert("inactive") })
}

// configure edits assay.yaml as the guides say: the table of one, a portal as
// another describes it, and a target for the site.
func configure(t *testing.T, root *deploytest.Operator) {
	t.Helper()
	var table, name, source string
	for _, b := range guide(t, "run-your-own-register.md", "2. Say who you are and what you list") {
		switch b.Lang {
		case "sh":
			table = b.Text
		case "yaml":
			for line := range strings.Lines(b.Text) {
				if strings.HasPrefix(line, "name:") {
					name = line
				}
				if rest, ok := strings.CutPrefix(strings.TrimSpace(line), "sources: ["); ok {
					source = strings.TrimSuffix(rest, "]")
				}
			}
		}
	}
	portal := "{key: own-portal, kind: ckan, url: https://data.example.gov/, country: GB, official: Run by the town}"
	if err := root.Edit(name + "sources: [" + source + ", " + portal + "]\nto: file:///srv/register/public\n"); err != nil {
		t.Fatal(err)
	}
	if err := root.Run(t.Context(), table); err != nil {
		t.Fatal(err)
	}
}

// checkSite lets the program judge what the units made.
func checkSite(t *testing.T, root *deploytest.Operator) {
	t.Helper()
	if err := root.Run(t.Context(), "assay check /srv/register/site\nassay check /srv/register/public\nassay check http://127.0.0.1:8080\n"); err != nil {
		t.Error(err)
	}
}

// shown tells whether the service lists so many entries; a rebuild that met the
// service's own worker at a source shows the rest the next time.
func shown(t *testing.T, root *deploytest.Operator, want int) error {
	t.Helper()
	text, err := body("http://127.0.0.1:8080/api/v1/entries")
	if err != nil {
		return err
	}
	var page wire.EntriesPage
	if err := json.Unmarshal(text, &page); err != nil || page.Total == want {
		return err
	}
	if err := root.Run(t.Context(), "systemctl start assay-rebuild.service\n"); err != nil {
		t.Fatal(err)
	}
	return fmt.Errorf("%d entries of %d", page.Total, want)
}

// counted tells whether the metrics of the service have a line.
func counted(line string) error {
	text, err := body("http://127.0.0.1:8080/metrics")
	if err == nil && !strings.Contains(string(text), "\n"+line+"\n") {
		err = fmt.Errorf("the metrics lack %s", line)
	}
	return err
}

// alert tells whether Prometheus scrapes the service and has AssayNothingProbed
// in a state.
func alert(state string) error {
	text, err := body("http://127.0.0.1:9090/api/v1/query?query=up")
	if err != nil {
		return err
	}
	if !strings.Contains(string(text), `,"1"]`) {
		return fmt.Errorf("the service is not scraped: %s", text)
	}
	text, err = body("http://127.0.0.1:9090/api/v1/rules?type=alert")
	if err != nil {
		return err
	}
	var rules struct {
		Data struct {
			Groups []struct {
				Rules []struct{ Name, State, Health, LastError string }
			}
		}
	}
	if err := json.Unmarshal(text, &rules); err != nil {
		return err
	}
	for _, g := range rules.Data.Groups {
		for _, r := range g.Rules {
			if r.Name == "AssayNothingProbed" && r.Health == "ok" && r.State == state {
				return nil
			}
		}
	}
	return fmt.Errorf("no AssayNothingProbed is %s: %s", state, text)
}

func body(url string) ([]byte, error) {
	resp, err := http.Get(url)
	if err != nil {
		return nil, err
	}
	defer resp.Body.Close()
	text, err := io.ReadAll(io.LimitReader(resp.Body, 8<<20))
	if err == nil && resp.StatusCode != http.StatusOK {
		err = fmt.Errorf("%s: %s: %.300s", url, resp.Status, text)
	}
	return text, err
}

// untilMachine waits for what comes within a quarter of an hour, the longest of
// which is the ten minutes of the alert.
func untilMachine(t *testing.T, what string, ok func() error) {
	t.Helper()
	var err error
	begun := time.Now()
	for time.Since(begun) < 15*time.Minute {
		if err = ok(); err == nil {
			t.Logf("%s: after %s", what, time.Since(begun).Round(100*time.Millisecond))
			return
		}
		time.Sleep(200 * time.Millisecond)
	}
	t.Fatalf("%s: %v", what, err)
}

// background runs a command line of a guide until the test ends.
func background(t *testing.T, line string) {
	t.Helper()
	log, err := os.Create("/tmp/background.log")
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cmd := exec.CommandContext(ctx, "/bin/bash", "-c", "exec "+line)
	cmd.Dir, cmd.Env, cmd.Stdout, cmd.Stderr = "/root", []string{"PATH=" + deploytest.Path}, log, log
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		cancel()
		_ = cmd.Wait() // it is killed
		log.Close()
		if text, _ := os.ReadFile(log.Name()); t.Failed() {
			t.Logf("%s\n%s", line, text)
		}
	})
}
