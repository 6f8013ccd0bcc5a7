package verify

import "sync"

// wanted counts the runs of this process that were asked for entries of a host. A session with what is due there
// gives the host back to them.
type wanted struct {
	mu    sync.Mutex
	hosts map[string]int
}

// add counts a run until done is called.
func (w *wanted) add(hosts []string) (done func()) {
	w.count(hosts, 1)
	return func() { w.count(hosts, -1) }
}

func (w *wanted) count(hosts []string, by int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.hosts == nil {
		w.hosts = map[string]int{}
	}
	for _, host := range hosts {
		if w.hosts[host] += by; w.hosts[host] == 0 {
			delete(w.hosts, host)
		}
	}
}

func (w *wanted) is(host string) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.hosts[host] > 0
}
