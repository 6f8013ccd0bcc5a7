package snapshot

import (
	"bytes"
	"strings"
	"testing"
)

func TestPieceIsTheSamePackedOrNot(t *testing.T) {
	texts := []string{"", "a", strings.Repeat("a long piece ", 500), "", "the last one"}
	var room, used []byte
	for _, packed := range []bool{false, true} {
		s := &Stream{Packed: packed}
		var data bytes.Buffer
		for _, text := range texts {
			b := []byte(text)
			if packed {
				b = Pack(make([]byte, 0, PackedMax(len(b))), b)
			}
			data.Write(b)
			s.Ends = append(s.Ends, int64(data.Len()))
		}
		s.Data = bytes.NewReader(data.Bytes())
		for i, text := range texts {
			var err error
			if room, used, err = s.Piece(room, used, i); err != nil || string(room) != text {
				t.Errorf("packed %v: piece %d has %d bytes, %v", packed, i, len(room), err)
			}
		}
	}
}

func TestBrokenPieceIsAnError(t *testing.T) {
	s := &Stream{Packed: true, Data: strings.NewReader("\xff\xff\xff\xff\xff\xff"), Ends: []int64{6}}
	if _, _, err := s.Piece(nil, nil, 0); err == nil {
		t.Error("six bytes of nothing are no piece")
	}
}
