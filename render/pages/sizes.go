package pages

// Size writes a number of bytes in words.
func (t *locale) Size(n int64) string {
	v, i := float64(n), 0
	for v >= 1000 && i < len(t.sizes)-1 {
		v, i = v/1000, i+1
	}
	decimals := 1
	if i == 0 || v >= 100 {
		decimals = 0
	}
	return t.decimal(v, decimals) + "\u00a0" + t.sizes[i]
}

// Decimal writes a number with so many decimals, -1 for as many as it has.
func (t *locale) Decimal(v float64, decimals int) string { return t.decimal(v, decimals) }
