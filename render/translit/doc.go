// Package translit turns names in any script into plain ASCII, so that every
// entry can have a slug that a person can type.
//
// The languages that a reader would notice when wrong have tables of their own,
// after the standard of the country: Ukrainian (Cabinet resolution 55 of 2010),
// Bulgarian (Transliteration Act of 2009), Greek (ELOT 743 / ISO 843,
// transcription), Russian and Belarusian (BGN/PCGN without apostrophes),
// Serbian (its own Latin alphabet) and Macedonian. Latin letters lose
// their marks: ü becomes u, not ue, because the same letter is German, Turkish,
// Spanish and Hungarian and the language is rarely known. Every other script
// goes through unidecode, which reads Chinese characters as Mandarin, also in
// Japanese names; that is stable, and stable is what a slug needs.
package translit
