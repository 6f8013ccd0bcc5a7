package main

import (
	"flag"
	"fmt"
	"os"
	"runtime"
	"sync"
)

func main() {
	share := flag.Float64("share", 1, "the share of the entries that is looked at, evenly over their ids")
	all := flag.Bool("all", false, "every rule must have had something to compare")
	file := flag.String("forms", "", "the file with the forms of code that tests execute")
	flag.Parse()
	if flag.NArg() != 1 || *share <= 0 || *share > 1 {
		flag.Usage()
		os.Exit(2)
	}
	var code forms
	var err error
	if *file != "" {
		code, err = readForms(*file)
	}
	var r *report
	if err == nil {
		r, err = read(site(flag.Arg(0)), int(1 / *share), code)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "agree:", err)
		os.Exit(1)
	}
	if !r.tell(os.Stdout, *all) {
		os.Exit(1)
	}
}

// read judges every step-th entry.
func read(from site, step int, code forms) (*report, error) {
	ids, err := from.ids()
	if err != nil {
		return nil, err
	}
	states, err := from.states(ids)
	if err != nil {
		return nil, err
	}
	r := newReport()
	next := make(chan string)
	var wg sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		wg.Go(func() {
			for id := range next {
				r.judge(from, id, states, code)
			}
		})
	}
	for i := 0; i < len(ids); i += step {
		next <- ids[i]
	}
	close(next)
	wg.Wait()
	return r, nil
}
