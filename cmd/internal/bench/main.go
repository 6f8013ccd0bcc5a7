//go:build linux

// Command bench measures the two big batches, the build of a site and the
// import of a register, against plain programs that do nothing but write the
// same files or insert the same rows. `make bench` runs `bench run`, and `bench scale`,
// which measures what a register costs that grows and changes, and `bench protocols`, which
// part of a build goes into the documents of protocols.
//
// Every measured program is a process of its own, so that its time, processor
// time and peak memory are its own. The other verbs are these processes:
//
//	generate  write a large register as NDJSON, made from the sample register
//	import    import it into an empty store (ours)
//	build     build a site from a store (ours)
//	change    change some entries of a store
//	publish   publish a snapshot file into a directory (ours)
//	serve     ask the service for searches (ours)
//	plan      note the files of a finished site
//	write     write the files of a plan (the plain program)
//	dump      note the rows of a finished store
//	insert    insert the rows of a dump (the plain program)
//	clean     remove a folder
//	hugo      write what a site says of each entry for another generator
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"runtime"
	"runtime/pprof"
	"syscall"
)

// verb is one of the programs; it declares its flags and returns what runs.
type verb func(*flag.FlagSet) func(context.Context) error

var verbs = map[string]verb{
	"run": runVerb, "scale": scaleVerb, "protocols": protocolsVerb, "generate": generateVerb, "import": importVerb, "build": buildVerb, "change": changeVerb, "check": checkVerb, "publish": publishVerb, "serve": serveVerb,
	"plan": planVerb, "write": writeVerb, "dump": dumpVerb, "insert": insertVerb, "clean": cleanVerb, "hugo": hugoVerb,
}

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	err := start(ctx, os.Args[1:])
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

func start(ctx context.Context, args []string) (err error) {
	if len(args) == 0 || verbs[args[0]] == nil {
		return errors.New("name a verb: run, scale, protocols, generate, import, build, change, check, publish, serve, plan, write, dump, insert, clean, hugo")
	}
	flags := flag.NewFlagSet(args[0], flag.ContinueOnError)
	cpu := flags.String("cpuprofile", "", "write a CPU profile to this file")
	mem := flags.String("memprofile", "", "write a profile of all allocations to this file")
	do := verbs[args[0]](flags)
	if err := flags.Parse(args[1:]); err != nil {
		return err
	}
	if *cpu != "" {
		f, err := os.Create(*cpu)
		if err != nil {
			return err
		}
		if err := pprof.StartCPUProfile(f); err != nil {
			return err
		}
		defer func() { pprof.StopCPUProfile(); f.Close() }()
	}
	if err := do(ctx); err != nil {
		return fmt.Errorf("%s: %w", args[0], err)
	}
	if *mem == "" {
		return nil
	}
	f, err := os.Create(*mem)
	if err != nil {
		return err
	}
	runtime.GC()
	return errors.Join(pprof.Lookup("allocs").WriteTo(f, 0), f.Close())
}
