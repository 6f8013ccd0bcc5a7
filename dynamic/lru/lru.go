// Package lru is a bounded cache: it forgets what was not used for longest
// when the sum of the costs passes the budget.
package lru

import (
	"hash/maphash"
	"sync"
)

// shards spread the locks; a power of two.
const shards = 8

// Cache keeps values by key, safe for concurrent use. Make it with New.
type Cache[V any] struct {
	seed  maphash.Seed
	parts [shards]part[V]
}

// part is one shard: a map and a ring of its entries, the newest after root.
type part[V any] struct {
	mu      sync.Mutex
	entries map[string]*entry[V]
	root    entry[V]
	used    int64
	budget  int64
}

type entry[V any] struct {
	key        string
	value      V
	cost       int64
	prev, next *entry[V]
}

// New makes a cache whose costs add up to at most budget. A value that costs
// more than an eighth of the budget is never kept.
func New[V any](budget int64) *Cache[V] {
	c := &Cache[V]{seed: maphash.MakeSeed()}
	for i := range c.parts {
		p := &c.parts[i]
		p.entries, p.budget = map[string]*entry[V]{}, budget/shards
		p.root.prev, p.root.next = &p.root, &p.root
	}
	return c
}

func (c *Cache[V]) part(key string) *part[V] {
	return &c.parts[maphash.String(c.seed, key)&(shards-1)]
}

// Get returns the value of a key and marks it as used.
func (c *Cache[V]) Get(key string) (V, bool) {
	p := c.part(key)
	p.mu.Lock()
	defer p.mu.Unlock()
	e, ok := p.entries[key]
	if !ok {
		var none V
		return none, false
	}
	e.unlink()
	p.root.push(e)
	return e.value, true
}

// Put keeps a value in place of the key's previous one. A grown value is put
// again with its new cost.
func (c *Cache[V]) Put(key string, value V, cost int64) {
	p := c.part(key)
	p.mu.Lock()
	defer p.mu.Unlock()
	p.remove(p.entries[key])
	if cost > p.budget {
		return
	}
	e := &entry[V]{key: key, value: value, cost: cost}
	p.entries[key] = e
	p.root.push(e)
	p.used += cost
	for p.used > p.budget {
		p.remove(p.root.prev)
	}
}

// Delete forgets a key.
func (c *Cache[V]) Delete(key string) {
	p := c.part(key)
	p.mu.Lock()
	defer p.mu.Unlock()
	p.remove(p.entries[key])
}

// Prune forgets the keys that are dead.
func (c *Cache[V]) Prune(dead func(key string) bool) {
	for i := range c.parts {
		p := &c.parts[i]
		p.mu.Lock()
		for key, e := range p.entries {
			if dead(key) {
				p.remove(e)
			}
		}
		p.mu.Unlock()
	}
}

// Used is the sum of the costs of what is kept.
func (c *Cache[V]) Used() int64 {
	var sum int64
	for i := range c.parts {
		p := &c.parts[i]
		p.mu.Lock()
		sum += p.used
		p.mu.Unlock()
	}
	return sum
}

func (p *part[V]) remove(e *entry[V]) {
	if e == nil {
		return
	}
	e.unlink()
	delete(p.entries, e.key)
	p.used -= e.cost
}

func (e *entry[V]) unlink() { e.prev.next, e.next.prev = e.next, e.prev }

// push makes e the newest entry of the ring.
func (e *entry[V]) push(n *entry[V]) {
	n.prev, n.next = e, e.next
	e.next.prev, e.next = n, n
}
