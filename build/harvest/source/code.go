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
	// CodeBrokenJSON is JSON that cannot be parsed.
	CodeBrokenJSON Code = "broken_json"
	// CodeBrokenXML is XML that cannot be read.
	CodeBrokenXML Code = "broken_xml"
	// CodeNoRecords is an input in which no record was found where the format
	// has them.
	CodeNoRecords Code = "no_records"
	// CodeRepeatedPage is a live source that answers with a page it gave before.
	CodeRepeatedPage Code = "repeated_page"
	// CodeUpstreamError is an answer in which the source reports its own failure.
	CodeUpstreamError Code = "upstream_error"
	// CodeDeleted is a record that the source marks as deleted or archived.
	CodeDeleted Code = "deleted"
	// CodePrivate is a record that the source marks as not public.
	CodePrivate Code = "private"
	// CodeDraft is a record that the source marks as unfinished.
	CodeDraft Code = "draft"
	// CodeTest is a record that is there to try something out.
	CodeTest Code = "test_record"
	// CodeHidden is a record that its owner keeps out of catalogues
	// (hide_from_data_json).
	CodeHidden Code = "hidden"
	// CodeNotData is a record of a kind that the register does not list: a
	// calendar, a story, a picture.
	CodeNotData Code = "not_data"
	// CodeWindow is a listing that keeps its records for a time only, so that one which it
	// does not list may still be there.
	CodeWindow Code = "listing_window"
	// CodeUnreadable is a file that cannot be read.
	CodeUnreadable Code = "unreadable_file"
)
