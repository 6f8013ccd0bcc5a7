package pages

// Say is a string of the interface in a language.
func Say(lang, key string) string { return locales()[lang].str(key) }
