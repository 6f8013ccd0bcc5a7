package plain

import (
	"encoding"
	"encoding/json"
	"reflect"
	"slices"
	"strings"
	"sync"
	"time"
)

// kind is how values of a type are written.
type kind uint8

const (
	// foreign is left to encoding/json.
	foreign kind = iota
	text
	whole
	truth
	instant
	object
	pointer
	list
	// table is a map from texts.
	table
	// document is read only as far as to tell where it ends.
	document
	// number may have decimals; inlined is a struct whose members belong to the
	// one that it lies in; scripter is a Scripter. Only Script writes them.
	number
	inlined
	scripter
)

// shape describes a type.
type shape struct {
	kind kind
	// elem is what a pointer points to, a list or a table consists of or a document
	// is of.
	elem    *shape
	members []member
}

// member is a field of a struct.
type member struct {
	index int
	// name is written before the value: "name":
	name  string
	shape *shape
	// empty and zero tell to leave the member out when its value is empty or
	// zero, as the tags omitempty and omitzero ask.
	empty, zero bool
}

var (
	shapes   sync.Map // reflect.Type to *shape
	timeType = reflect.TypeFor[time.Time]()

	scripterType = reflect.TypeFor[Scripter]()
	// own are the interfaces by which a type writes or reads itself.
	own = []reflect.Type{reflect.TypeFor[json.Marshaler](), reflect.TypeFor[json.Unmarshaler](),
		reflect.TypeFor[encoding.TextMarshaler](), reflect.TypeFor[encoding.TextUnmarshaler]()}
)

func shapeOf(t reflect.Type) *shape {
	if s, ok := shapes.Load(t); ok {
		return s.(*shape)
	}
	s, _ := shapes.LoadOrStore(t, newShape(t, nil))
	return s.(*shape)
}

// newShape describes a type that stands inside the given ones; a type inside
// itself is foreign.
func newShape(t reflect.Type, outer []reflect.Type) *shape {
	if slices.Contains(outer, t) {
		return &shape{}
	}
	outer = append(outer[:len(outer):len(outer)], t)
	if t == timeType {
		return &shape{kind: instant}
	}
	if d, ok := reflect.Zero(t).Interface().(interface{ of() reflect.Type }); ok {
		return &shape{kind: document, elem: newShape(d.of(), outer)}
	}
	if reflect.PointerTo(t).Implements(scripterType) {
		return &shape{kind: scripter}
	}
	for _, i := range own {
		if t.Implements(i) || reflect.PointerTo(t).Implements(i) {
			return &shape{}
		}
	}
	switch t.Kind() {
	case reflect.String:
		return &shape{kind: text}
	case reflect.Int64:
		return &shape{kind: whole}
	case reflect.Int:
		if t.Size() == 8 {
			return &shape{kind: whole}
		}
	case reflect.Bool:
		return &shape{kind: truth}
	case reflect.Float64:
		return &shape{kind: number}
	case reflect.Pointer:
		return &shape{kind: pointer, elem: newShape(t.Elem(), outer)}
	case reflect.Slice:
		if t.Elem().Kind() != reflect.Uint8 { // bytes are written in base64
			return &shape{kind: list, elem: newShape(t.Elem(), outer)}
		}
	case reflect.Map:
		if isTable(t) {
			return &shape{kind: table, elem: newShape(t.Elem(), outer)}
		}
	case reflect.Struct:
		return newObject(t, outer)
	}
	return &shape{}
}

func newObject(t reflect.Type, outer []reflect.Type) *shape {
	s := &shape{kind: object}
	for i := range t.NumField() {
		f := t.Field(i)
		tag := f.Tag.Get("json")
		if tag == "-" || !f.IsExported() && !f.Anonymous {
			continue
		}
		if f.Anonymous && tag == "" {
			inner := newShape(f.Type, outer)
			if inner.kind != object || !f.IsExported() {
				return &shape{}
			}
			s.members = append(s.members, member{index: i, shape: &shape{kind: inlined, members: inner.members}})
			continue
		}
		name, options, _ := strings.Cut(tag, ",")
		if name == "" || f.Anonymous || !isWord(name) {
			return &shape{}
		}
		m := member{index: i, name: `"` + name + `":`, shape: newShape(f.Type, outer)}
		for o := range strings.SplitSeq(options, ",") {
			switch {
			case o == "":
			case o == "omitempty":
				m.empty = true
			case o == "omitzero" && (f.Type == timeType || !judgesZero(f.Type)):
				m.zero = true
			default:
				return &shape{}
			}
		}
		s.members = append(s.members, m)
	}
	if repeats(s.members, map[string]bool{}) {
		return &shape{}
	}
	return s
}

// repeats tells whether two members bear one name: an inlined one is hidden
// then.
func repeats(members []member, seen map[string]bool) bool {
	for i := range members {
		m := &members[i]
		if m.shape.kind == inlined {
			if repeats(m.shape.members, seen) {
				return true
			}
			continue
		}
		if seen[m.name] {
			return true
		}
		seen[m.name] = true
	}
	return false
}

// judgesZero tells whether a type has a mind of its own about what is zero.
func judgesZero(t reflect.Type) bool {
	_, value := t.MethodByName("IsZero")
	_, pointed := reflect.PointerTo(t).MethodByName("IsZero")
	return value || pointed
}

// isWord tells whether a name needs no escaping and no second thought.
func isWord(name string) bool {
	for _, r := range name {
		if r != '_' && (r < 'a' || r > 'z') && (r < '0' || r > '9') {
			return false
		}
	}
	return true
}
