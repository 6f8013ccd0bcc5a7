// Package verify decides what the register says about the availability of a
// source. The rules are pure functions of the recorded checks, so that a
// verdict can be replayed from its history.
package verify
