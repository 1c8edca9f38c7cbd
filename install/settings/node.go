package settings

import "github.com/tailscale/hujson"

// Node is one value of a parsed file, for those who judge it (package host models how a client reads it).
type Node struct {
	Name string // its key in the object around it; empty in a list

	f *File
	v hujson.Value
}

// Root returns the whole settings object.
func (f *File) Root() Node { return Node{f: f, v: f.root} }

// Kind names the JSON type: "an object", "a list", "a string", "a number", "a boolean" or "null".
func (n Node) Kind() string { return kind(n.v) }

// Get returns the value at the path of keys below n, of doubled keys the last.
func (n Node) Get(path ...string) (Node, bool) {
	v, ok := get(n.v, path...)
	if !ok {
		return Node{}, false
	}
	name := n.Name
	if len(path) > 0 {
		name = path[len(path)-1]
	}
	return Node{Name: name, f: n.f, v: v}, true
}

// Children returns the members or elements of n, in the order of the text.
func (n Node) Children() []Node {
	var nodes []Node
	for _, c := range children(n.v) {
		nodes = append(nodes, Node{Name: c.name, f: n.f, v: c.value})
	}
	return nodes
}

// Text returns the string that n is, empty when it is none.
func (n Node) Text() string { return text(n.v) }

// True reports whether n is the literal true.
func (n Node) True() bool { return n.v.Value.Kind() == 't' }

// Same reports whether n and o are the same place of the text.
func (n Node) Same(o Node) bool { return n.v.StartOffset == o.v.StartOffset }

// Above reports whether n is a number above zero.
func (n Node) Above() bool {
	lit, ok := n.v.Value.(hujson.Literal)
	return ok && lit.Kind() == '0' && lit.Float() > 0
}

// Position returns the line and column (from 1) where n starts.
func (n Node) Position() (line, column int) { return n.f.position(n.v.StartOffset) }
