package xmltree

import "strings"

// All are the elements at a path of names below n, in the order of the
// document. A name "*" is any element.
func (n *Node) All(path ...string) []*Node {
	list := []*Node{n}
	for _, name := range path {
		var next []*Node
		for _, at := range list {
			for _, c := range at.Children {
				if name == "*" || c.Name == name {
					next = append(next, c)
				}
			}
		}
		list = next
	}
	return list
}

// First is the first element at a path, or an empty one that stands nowhere.
func (n *Node) First(path ...string) *Node {
	for _, found := range n.All(path...) {
		return found
	}
	return &Node{}
}

// Has tells whether there is an element at a path.
func (n *Node) Has(path ...string) bool { return len(n.All(path...)) > 0 }

// Value is the text of the first element at a path, without white space around
// it.
func (n *Node) Value(path ...string) string { return strings.TrimSpace(n.First(path...).Text) }

// Each visits n and all elements below it.
func (n *Node) Each(visit func(*Node)) {
	visit(n)
	for _, c := range n.Children {
		c.Each(visit)
	}
}
