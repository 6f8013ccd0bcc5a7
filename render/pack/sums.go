package pack

// KindSum tells what the frames of a kind hold and take, in bytes.
type KindSum struct {
	Kind          Kind
	Frames        int
	Bytes, Stored int64
}

// Sums adds up the frames by kind, in the order of the kinds; the tables of the
// groups come last.
func (x *Reader) Sums() (list []KindSum, err error) {
	var sums [kinds]KindSum
	for number := range x.Directory.Groups {
		g, _, err := x.group(number)
		if err != nil {
			return nil, err
		}
		for _, f := range g.frames {
			s := &sums[f.kind]
			s.Frames++
			s.Bytes += int64(f.size)
			s.Stored += int64(f.packed)
		}
		t := &sums[Table]
		t.Frames++
		t.Stored += int64(len(g.packed))
	}
	for k := range sums {
		sums[k].Kind = Kind(k)
		if sums[k].Frames > 0 {
			list = append(list, sums[k])
		}
	}
	return list, nil
}
