package format

import (
	"encoding/hex"
	"math"
	"math/big"
	"strconv"
	"time"
	"unicode/utf8"

	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/format"

	"github.com/assay-register/assay/build/profile/table"
)

// parquetCell turns a value into a cell by the logical type of its column
// (Parquet, LogicalTypes.md).
func parquetCell(v parquet.Value, c *parquet.Column) table.Cell {
	if v.IsNull() {
		return table.Cell{}
	}
	if l := c.Type().LogicalType(); l != nil {
		if cell, ok := logical(v, l); ok {
			return cell
		}
	}
	switch v.Kind() {
	case parquet.Boolean:
		return table.Cell{Kind: table.Bool, Text: strconv.FormatBool(v.Boolean())}
	case parquet.Int32:
		return number(strconv.FormatInt(int64(v.Int32()), 10))
	case parquet.Int64:
		return number(strconv.FormatInt(v.Int64(), 10))
	case parquet.Float:
		return float(float64(v.Float()), 32)
	case parquet.Double:
		return float(v.Double(), 64)
	case parquet.Int96:
		return instant(int96(v))
	}
	return bytesCell(v.ByteArray())
}

// declaredType names the type of a column by its schema, in the words of
// package infer.
func declaredType(c *parquet.Column) string {
	if l := c.Type().LogicalType(); l != nil {
		switch l.Value.(type) {
		case *format.DateType:
			return "date"
		case *format.TimestampType:
			return "datetime"
		case *format.TimeType:
			return "time"
		case *format.DecimalType:
			return "decimal"
		case *format.UUIDType:
			return "id"
		case *format.JsonType, *format.BsonType:
			return "object"
		}
	}
	switch c.Type().Kind() {
	case parquet.Boolean:
		return "boolean"
	case parquet.Int32, parquet.Int64:
		return "integer"
	case parquet.Float, parquet.Double:
		return "decimal"
	case parquet.Int96:
		return "datetime"
	}
	return "string"
}

func number(text string) table.Cell { return table.Cell{Kind: table.Number, Text: text} }

// float has no cell for what is no number.
func float(v float64, bits int) table.Cell {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return table.Cell{}
	}
	text := strconv.FormatFloat(v, 'f', -1, bits)
	if v == math.Trunc(v) && math.Abs(v) < 1e15 {
		text = strconv.FormatFloat(v, 'f', 1, 64)
	}
	return number(text)
}

func bytesCell(b []byte) table.Cell {
	if utf8.Valid(b) {
		return table.Cell{Kind: table.String, Text: string(b)}
	}
	return table.Cell{Kind: table.Object}
}

func logical(v parquet.Value, l *format.LogicalType) (table.Cell, bool) {
	switch t := l.Value.(type) {
	case *format.DateType:
		return table.Cell{Kind: table.Date, Text: time.Unix(int64(v.Int32())*86400, 0).UTC().Format("2006-01-02")}, true
	case *format.TimestampType:
		return instant(unixOf(v.Int64(), &t.Unit)), true
	case *format.TimeType:
		raw := int64(v.Int32())
		if v.Kind() == parquet.Int64 {
			raw = v.Int64()
		}
		return table.Cell{Kind: table.Time, Text: unixOf(raw, &t.Unit).Format("15:04:05")}, true
	case *format.DecimalType:
		return decimal(v, int(t.Scale)), true
	case *format.UUIDType:
		if b := v.ByteArray(); len(b) == 16 {
			h := hex.EncodeToString(b)
			return table.Cell{Kind: table.String, Text: h[:8] + "-" + h[8:12] + "-" + h[12:16] + "-" + h[16:20] + "-" + h[20:]}, true
		}
	case *format.IntType:
		if !t.IsSigned && v.Kind() == parquet.Int64 {
			return number(strconv.FormatUint(v.Uint64(), 10)), true
		}
		if !t.IsSigned && v.Kind() == parquet.Int32 {
			return number(strconv.FormatUint(uint64(v.Uint32()), 10)), true
		}
	case *format.JsonType, *format.BsonType:
		return table.Cell{Kind: table.Object}, true
	}
	return table.Cell{}, false
}

func unixOf(raw int64, unit *format.TimeUnit) time.Time {
	switch unit.Value.(type) {
	case *format.MilliSeconds:
		return time.UnixMilli(raw).UTC()
	case *format.MicroSeconds:
		return time.UnixMicro(raw).UTC()
	}
	return time.Unix(raw/1e9, raw%1e9).UTC()
}

func instant(at time.Time) table.Cell {
	return table.Cell{Kind: table.DateTime, Text: at.Format("2006-01-02T15:04:05Z")}
}

// int96 is a day of the Julian calendar's count and nanoseconds within it.
func int96(v parquet.Value) time.Time {
	n := v.Int96()
	days := int64(n[2]) - 2_440_588
	nanos := int64(uint64(n[1])<<32 | uint64(n[0]))
	return time.Unix(days*86400+nanos/1e9, nanos%1e9).UTC()
}

// maxScale is far beyond the 38 digits of any decimal that is in use.
const maxScale = 100

func decimal(v parquet.Value, scale int) table.Cell {
	n := new(big.Int)
	switch v.Kind() {
	case parquet.Int32:
		n.SetInt64(int64(v.Int32()))
	case parquet.Int64:
		n.SetInt64(v.Int64())
	default:
		b := v.ByteArray()
		n.SetBytes(b)
		if len(b) > 0 && b[0] >= 0x80 {
			n.Sub(n, new(big.Int).Lsh(big.NewInt(1), uint(len(b)*8)))
		}
	}
	if scale < 0 || scale > maxScale || n.BitLen() > 400 {
		return table.Cell{Kind: table.Object}
	}
	unit := new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(scale)), nil)
	return number(new(big.Rat).SetFrac(n, unit).FloatString(scale))
}
