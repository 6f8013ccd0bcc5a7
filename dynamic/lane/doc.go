// Package lane answers plain requests for files before net/http sees them.
//
// What net/http does for every request (it reads on in a goroutine of its own
// while a handler runs, makes contexts and timers, sorts header fields and writes
// a page of a few kilobytes in two pieces) costs several times what a file from
// memory does. A lane is a listener in front of an http.Server. A request of the
// plainest kind is answered in its place, by the same handler or by repeating what
// that said before; at the first one of another kind the connection goes to the
// server with all that was read of it, and stays there.
//
// The head of a request is judged by a parser of its own (parse): the readers of
// HTTP at hand are made to understand as much as they can, and this one has to say
// which bytes are surely one request without a body. It may err in one direction
// only, and what is not repeated is read again by http.ReadRequest.
package lane
