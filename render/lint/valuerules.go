package lint

// textRules are about any text.
var textRules = []Rule{
	{ID: "text.invisible", Severity: Should, Title: "The text holds characters that nobody sees", Why: lostSearch, Remedy: "remove them", Source: unicodeStd},
	{ID: "text.control", Severity: Must, Title: "The text holds control characters", Why: "XML, CSV and database readers refuse them", Remedy: "remove them", Source: unicodeStd},
	{ID: "text.line-separator", Severity: Should, Title: "The text holds U+2028 or U+2029", Why: "readers that work line by line cut the text there", Remedy: "write a line feed", Source: unicodeStd},
	{ID: "text.carriage-return", Severity: Should, Title: "The text holds carriage returns", Why: "they show as boxes or as empty lines", Remedy: "write line feeds alone", Source: unicodeStd},
	{ID: "text.mojibake", Severity: Should, Title: "The text was decoded in the wrong character set", Why: lostSearch, Remedy: "decode it as UTF-8 where it comes from", Source: unicodeStd},
	{ID: "text.literal-escape", Severity: Should, Title: "The text holds a backslash and a letter in place of a line break", Why: "readers see \\n in the middle of sentences", Remedy: "write real line breaks", Source: practice},
	{ID: "text.markup", Severity: Should, Title: "The value holds markup", Why: "readers see tags, and programs cannot compare it", Remedy: "write plain text", Source: practice},
	{ID: "text.placeholder", Severity: Must, Title: "A placeholder stands where a text belongs", Why: lostSearch, Remedy: "write the text", Source: practice},
	{ID: "text.long", Severity: Should, Title: "The text is longer than anyone reads", Why: "lists and searches cut it", Remedy: "keep to the first paragraphs and link the rest", Source: practice},
	{ID: "text.space-around", Severity: Should, Title: "The value has white space around it", Why: "programs that compare it find no match, and some cannot open it", Remedy: "remove the white space", Source: practice},
	{ID: "value.empty", Severity: Should, Title: "The member is there and empty", Why: "programs take it for a statement", Remedy: "fill it in or leave it out", Source: practice},
	{ID: "language.tag", Severity: Must, Title: "The language tag is none", Why: "readers of that language do not get the text", Remedy: "write a BCP 47 tag such as nl", Source: bcp47},
	{ID: "language.machine", Severity: Should, Title: "Texts are marked as machine translations", Why: "strict readers do not know the tags, and take the text for the original when they cut them", Remedy: "keep the human text in its own language first", Source: bcp47, Once: true},
}

// addressRules are about addresses of the web and of mail.
var addressRules = []Rule{
	{ID: "url.unusable", Severity: Must, Title: "This is no address", Why: lostAddress, Remedy: "write an http or https address, or leave it out", Source: uriRFC},
	{ID: "url.mail", Severity: Should, Title: "An e-mail address stands where an address of the web belongs", Why: lostAddress, Remedy: "write mailto: before it, or use the member for mail", Source: mailto},
	{ID: "url.relative", Severity: Must, Title: "The address is relative", Why: "outside of your site nobody knows what it is relative to", Remedy: "write the whole address", Source: uriRFC},
	{ID: "url.scheme", Severity: Should, Title: "The address has no scheme", Why: "strict programs do not open it", Remedy: "write https:// before it", Source: uriRFC},
	{ID: "url.not-http", Severity: Should, Title: "The address is neither http nor https", Why: "browsers no longer open it", Remedy: "offer it by https", Source: uriRFC},
	{ID: "url.credentials", Severity: Must, Title: "The address holds a user name or password", Why: "it is a secret in public, and browsers refuse it", Remedy: "remove it, and change the password if there was one", Source: uriRFC},
	{ID: "url.not-public", Severity: Must, Title: "The host is reached from inside your network only", Why: lostAddress, Remedy: "write the address that the public internet reaches", Source: special},
	{ID: "url.host", Severity: Must, Title: "The host is none", Why: lostAddress, Remedy: "correct the host", Source: rootZone},
	{ID: "url.doubled", Severity: Should, Title: "A second address begins within the address", Why: lostAddress, Remedy: "keep one of the two", Source: uriRFC},
	{ID: "url.characters", Severity: Should, Title: "The address holds characters that no address has", Why: "strict programs do not open it", Remedy: "percent-encode them", Source: uriRFC},
	{ID: "mail.scheme", Severity: Should, Title: "The address of mail lacks mailto:", Why: "in RDF it becomes an address of the web", Remedy: "write mailto: before it", Source: mailto},
	{ID: "mail.characters", Severity: Should, Title: "The address of mail holds white space", Why: "mail does not arrive", Remedy: "remove it", Source: mailto},
	{ID: "mail.unusable", Severity: Should, Title: "This is no address of mail", Why: "nobody can write to you", Remedy: "write the address of a function, such as opendata@…", Source: mailto},
}

// valueRules are about dates and coded values.
var valueRules = []Rule{
	{ID: "date.unreadable", Severity: Must, Title: "This is no date", Why: lostTime, Remedy: "write YYYY-MM-DD", Source: isoDate},
	{ID: "date.interval", Severity: Should, Title: "An interval stands where a date belongs", Why: lostTime, Remedy: "write the date here and the interval in accrualPeriodicity", Source: dcatUS},
	{ID: "date.form", Severity: Should, Title: "The date is not written as YYYY-MM-DD", Why: "day and month are mistaken for each other", Remedy: "write YYYY-MM-DD", Source: isoDate},
	{ID: "date.precision", Severity: Should, Title: "The date is stated to the year or month", Why: lostTime, Remedy: "write the day", Source: isoDate},
	{ID: "date.implausible", Severity: Must, Title: "The year cannot be", Why: lostTime, Remedy: "correct the year", Source: isoDate},
	{ID: "date.types", Severity: Should, Title: "Dates are typed as xsd:date here and as xsd:dateTime there", Why: "queries that sort or compare them leave one kind out", Remedy: "use one of the two in the whole catalogue", Source: dcatAP, Once: true},
	{ID: "licence.unspecified", Severity: Must, Title: "The licence says that it is not specified", Why: lostTerms, Remedy: "choose a licence", Source: openDef},
	{ID: "licence.unknown", Severity: Should, Title: "The licence is none that is known", Why: lostTerms, Remedy: "name a standard licence by its identifier or URL", Source: openDef},
	{ID: "licence.link", Severity: Must, Title: "The licence is the address of the data", Why: lostTerms, Remedy: "name a standard licence by its identifier or URL", Source: openDef},
	{ID: "licence.software", Severity: Should, Title: "The licence is one for programs", Why: "it says nothing of data, of databases or of the use of a service", Remedy: "name a licence for data, or the terms of use", Source: openDef},
	{ID: "format.unknown", Severity: Should, Title: "No table knows this format", Why: "readers who filter by format do not find it", Remedy: "write a code of the table, such as CSV", Source: fileTypes},
	{ID: "format.spelling", Severity: Should, Title: "The format is spelt in a way of its own", Why: "readers who filter by format do not find it", Remedy: "write the code of the table", Source: fileTypes},
	{ID: "frequency.unknown", Severity: Should, Title: "No table knows this frequency", Why: lostTime, Remedy: "write a code of the table, or an interval such as R/P1M", Source: frequency},
	{ID: "frequency.form", Severity: Should, Title: "The frequency is a word where the format asks for an interval", Why: "programs of other countries do not know the word", Remedy: "write an interval such as R/P1Y, or irregular", Source: dcatUS},
	{ID: "country.code", Severity: Should, Title: "The country is no ISO 3166 code", Why: "readers who filter by country do not find it", Remedy: "write the two letters of ISO 3166-1", Source: isoCountry},
}
