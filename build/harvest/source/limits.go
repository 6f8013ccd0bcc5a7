package source

// Limits bounds what is read from one input. A zero field takes its default.
type Limits struct {
	// Bytes is the longest input after decompression, in bytes.
	Bytes int64
	// Record is the longest record, in bytes.
	Record int
	// Ratio is how many times larger than its compressed form an input may
	// become; it is looked at only beyond RatioFrom bytes.
	Ratio int64
	// RatioFrom is the size in bytes from which Ratio counts.
	RatioFrom int64
	// Files is how many files of an archive are read.
	Files int
}

// Defaults: 16 GiB and a ratio of 250 let a register of a million entries
// through; 10 MiB is the record limit of the register.
const (
	defaultBytes     = 16 << 30
	defaultRecord    = 10 << 20
	defaultRatio     = 250
	defaultRatioFrom = 16 << 20
	defaultFiles     = 100_000
)

// OrDefault fills the zero fields.
func (l Limits) OrDefault() Limits {
	if l.Bytes == 0 {
		l.Bytes = defaultBytes
	}
	if l.Record == 0 {
		l.Record = defaultRecord
	}
	if l.Ratio == 0 {
		l.Ratio = defaultRatio
	}
	if l.RatioFrom == 0 {
		l.RatioFrom = defaultRatioFrom
	}
	if l.Files == 0 {
		l.Files = defaultFiles
	}
	return l
}
