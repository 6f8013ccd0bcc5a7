package lru

import (
	"fmt"
	"sync"
	"testing"
)

func TestKeepsWithinBudgetAndForgetsTheOldest(t *testing.T) {
	c := New[int](shards * 10)
	for i := range 1000 {
		c.Put(fmt.Sprint(i), i, 3)
		if v, ok := c.Get(fmt.Sprint(i)); !ok || v != i {
			t.Fatalf("key %d was not kept: %d %v", i, v, ok)
		}
		if c.Used() > shards*10 {
			t.Fatalf("cost %d passes the budget", c.Used())
		}
	}
	if _, ok := c.Get("0"); ok {
		t.Error("the oldest value is still there")
	}
}

func TestAUsedValueStays(t *testing.T) {
	c := New[int](shards * 4)
	c.Put("kept", 1, 2)
	for i := range 500 {
		c.Put(fmt.Sprint(i), i, 2)
		if _, ok := c.Get("kept"); !ok {
			t.Fatal("a value that is used all the time was forgotten")
		}
	}
}

func TestPutReplacesAndRecharges(t *testing.T) {
	c := New[string](shards * 100)
	c.Put("a", "old", 10)
	c.Put("a", "new", 30)
	if v, _ := c.Get("a"); v != "new" || c.Used() != 30 {
		t.Errorf("got %q, cost %d", v, c.Used())
	}
	c.Put("a", "too large", 101)
	if _, ok := c.Get("a"); ok || c.Used() != 0 {
		t.Errorf("a value beyond the budget was kept, cost %d", c.Used())
	}
	c.Put("b", "x", 1)
	c.Delete("b")
	c.Delete("b")
	if _, ok := c.Get("b"); ok || c.Used() != 0 {
		t.Error("a deleted value was kept")
	}
}

func TestPrune(t *testing.T) {
	c := New[int](shards * 100)
	for i := range 40 {
		c.Put(fmt.Sprint(i%2, "-", i), i, 1)
	}
	c.Prune(func(key string) bool { return key[0] == '0' })
	if c.Used() != 20 {
		t.Errorf("%d are kept, want 20", c.Used())
	}
	for i := range 40 {
		if v, ok := c.Get(fmt.Sprint(i%2, "-", i)); ok != (i%2 == 1) || ok && v != i {
			t.Errorf("after it %d is %d, %v", i, v, ok)
		}
	}
	c.Put("0-0", 7, 1)
	if v, ok := c.Get("0-0"); !ok || v != 7 {
		t.Errorf("put again it is %d, %v", v, ok)
	}
}

func TestConcurrentUse(t *testing.T) {
	c := New[int](shards * 64)
	var wg sync.WaitGroup
	for w := range 8 {
		wg.Go(func() {
			for i := range 5000 {
				k := fmt.Sprint((i * (w + 1)) % 97)
				switch i % 3 {
				case 0:
					c.Put(k, i, int64(i%9))
				case 1:
					c.Get(k)
				default:
					c.Delete(k)
				}
			}
		})
	}
	wg.Wait()
	if c.Used() > shards*64 || c.Used() < 0 {
		t.Errorf("cost %d", c.Used())
	}
}
