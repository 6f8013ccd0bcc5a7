// Package sequence writes the log of verdicts (render/translog): it turns the events of a
// store, in the order of their commits, and each snapshot into leaves, and signs what they
// become. The folder of the log is what is true: where a run that was killed ended, the
// next one goes on, so that each event is in the log exactly once. A store or a folder that
// was put back is noticed before anything is signed.
package sequence
