// Package month rehearses a month of a register: portals of several protocols
// that change, break and come back by a script with a seed, and the commands of
// site/deploy as they stand there, on a clock that a file moves (package
// walltime). An oracle, written from the documents and sharing no code with the
// program, says what must have happened; each difference is reported.
//
//	world     what the portals list and answer, and who asked for it
//	script    what happens to the world, and when
//	protocols how each kind of portal says what it lists
//	oracle    what a register that keeps its promises knows after each step
//	report    the differences, and what was rehearsed
//
// The tests hold the processes: they start what is deployed, move the clock,
// wait for what the oracle says, and compare.
package month
