// Package limit counts what each client asks for and says when it was too
// much. Its memory is bounded, however many clients there are.
package limit

import (
	"sync"
	"time"
)

// Window is the time over which a quota counts (decisions §6: per minute).
const Window = time.Minute

// clientsMax bounds the clients of one generation; two generations are kept.
const clientsMax = 64 << 10

// Limiter grants each client a quota a window, that of Window unless it was made for another one. A client's window begins with
// its first request. It is safe for concurrent use.
type Limiter struct {
	// Name is what clients are told the policy is called.
	Name string
	// Quota is how many requests a window has; 0 or less for any number.
	Quota int
	span  time.Duration
	now   func() time.Time

	mu sync.Mutex
	// Clients that were seen lately are in recent, those before in older. When
	// recent is full or a window old, it takes the place of older.
	recent, older map[string]*window
	turned        time.Time
}

type window struct {
	begin time.Time
	used  int
}

// Standing is where a client stands after a request.
type Standing struct {
	OK bool
	// Left is what remains of the quota until Reset has passed.
	Left  int
	Reset time.Duration
}

// New makes a limiter with a quota a minute; the clock is now.
func New(name string, quota int, now func() time.Time) *Limiter {
	return NewWithin(name, quota, Window, now)
}

// NewWithin makes a limiter with a quota in a window of another length.
func NewWithin(name string, quota int, span time.Duration, now func() time.Time) *Limiter {
	return &Limiter{Name: name, Quota: quota, span: span, now: now, recent: map[string]*window{}}
}

// Take counts one request of a client, unless its quota is spent.
func (l *Limiter) Take(client string) Standing { return l.take(client, 1) }

// Once counts one request of a client at the first call and answers the same ever after: for what
// a store may do several times until it is kept. Without a limiter all is granted.
func (l *Limiter) Once() func(client string) Standing {
	s, asked := Standing{OK: true}, l == nil
	return func(client string) Standing {
		if !asked {
			s, asked = l.Take(client), true
		}
		return s
	}
}

// TakeMany counts n requests of a client, or none of them when its quota does not have so
// many left.
func (l *Limiter) TakeMany(client string, n int) Standing {
	if l == nil || l.Quota <= 0 || n <= 0 {
		return Standing{OK: true}
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	w := l.window(client)
	s := Standing{OK: w.used+n <= l.Quota, Reset: w.begin.Add(l.span).Sub(l.now())}
	if s.OK {
		w.used += n
	}
	s.Left = l.Quota - w.used
	return s
}

// window is the present one of a client.
func (l *Limiter) window(client string) *window {
	now := l.now()
	w := l.find(client, now)
	if now.Sub(w.begin) >= l.span {
		*w = window{begin: now}
	}
	return w
}

// Peek tells where a client stands and counts nothing: OK means that Take
// would succeed.
func (l *Limiter) Peek(client string) Standing { return l.take(client, 0) }

func (l *Limiter) take(client string, n int) Standing {
	if l.Quota <= 0 {
		return Standing{OK: true}
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	w := l.window(client)
	s := Standing{OK: w.used < l.Quota, Reset: w.begin.Add(l.span).Sub(l.now())}
	if s.OK {
		w.used += n
	}
	s.Left = l.Quota - w.used
	return s
}

// find gives the window of a client, moving it among the recent ones.
func (l *Limiter) find(client string, now time.Time) *window {
	if now.Sub(l.turned) >= l.span || len(l.recent) >= clientsMax {
		l.recent, l.older, l.turned = make(map[string]*window, len(l.recent)/2), l.recent, now
	}
	w := l.recent[client]
	if w == nil {
		if w = l.older[client]; w == nil {
			w = &window{begin: now}
		}
		l.recent[client] = w
	}
	return w
}
