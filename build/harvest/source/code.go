package source

// Code names a class of faults in foreign input.
type Code string

// The classes of faults. Reports count by them.
const (
	// CodeTruncatedGzip is a gzip file that ends before its end.
	CodeTruncatedGzip Code = "truncated_gzip"
	// CodeCorruptGzip is a gzip file with damaged content.
	CodeCorruptGzip Code = "corrupt_gzip"
	// CodeTruncated is an input that broke off.
	CodeTruncated Code = "truncated_input"
	// CodeInputTooLarge is an input beyond the byte limit.
	CodeInputTooLarge Code = "input_too_large"
	// CodeDecompressionBomb is a compressed input that unfolds beyond measure.
	CodeDecompressionBomb Code = "decompression_bomb"
	// CodeRecordTooLarge is one record beyond the record limit.
	CodeRecordTooLarge Code = "record_too_large"
	// CodeInvalidUTF8 is text that is not UTF-8.
	CodeInvalidUTF8 Code = "invalid_utf8"
	// CodeControlCharacter is text with characters that no format carries.
	CodeControlCharacter Code = "control_character"
	// CodeUnbalancedQuotes is a CSV field that is opened and never closed.
	CodeUnbalancedQuotes Code = "unbalanced_quotes"
	// CodeColumnCount is a CSV row with more or fewer columns than the header.
	CodeColumnCount Code = "wrong_column_count"
	// CodeMissingHeader is a CSV file without the expected header.
	CodeMissingHeader Code = "missing_header"
	// CodeFrontMatter is a markdown file whose YAML front matter is absent or
	// broken.
	CodeFrontMatter Code = "broken_front_matter"
	// CodeMissingName is a record without a name.
	CodeMissingName Code = "missing_name"
	// CodeMissingURL is a record without any usable address.
	CodeMissingURL Code = "missing_url"
	// CodeBadURL is a record whose only address cannot be used.
	CodeBadURL Code = "bad_url"
	// CodeInvalidField is a value that breaks a rule of its field.
	CodeInvalidField Code = "invalid_field"
	// CodeUnreadable is a file that cannot be read.
	CodeUnreadable Code = "unreadable_file"
)
