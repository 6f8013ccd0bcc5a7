package query

import "slices"

// topK keeps the n best of many values; the worst of them lies on top of a
// heap.
type topK[T any] struct {
	n int
	// compare orders values from the worst to the best.
	compare func(a, b T) int
	heap    []T
}

func (k *topK[T]) add(v T) {
	if len(k.heap) < k.n {
		k.heap = append(k.heap, v)
		for i := len(k.heap) - 1; i > 0 && k.compare(k.heap[i], k.heap[(i-1)/2]) < 0; i = (i - 1) / 2 {
			k.heap[i], k.heap[(i-1)/2] = k.heap[(i-1)/2], k.heap[i]
		}
		return
	}
	if k.n == 0 || k.compare(v, k.heap[0]) <= 0 {
		return
	}
	k.heap[0] = v
	for i := 0; ; {
		least := i
		for _, child := range [2]int{2*i + 1, 2*i + 2} {
			if child < len(k.heap) && k.compare(k.heap[child], k.heap[least]) < 0 {
				least = child
			}
		}
		if least == i {
			return
		}
		k.heap[i], k.heap[least] = k.heap[least], k.heap[i]
		i = least
	}
}

// sorted are the values kept, the best first.
func (k *topK[T]) sorted() []T {
	slices.SortFunc(k.heap, func(a, b T) int { return k.compare(b, a) })
	return k.heap
}
