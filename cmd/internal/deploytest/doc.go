// Package deploytest reads the files of site/deploy as systemd and Docker
// Compose read them, and runs their command lines as plain processes, so that
// tests hold what is shipped and not a copy of it.
//
// A [Host] says where the paths that the files name lie in a test. What only a
// service manager or a container engine gives (sandboxes, networks, restarts) is
// left to the caller.
package deploytest
