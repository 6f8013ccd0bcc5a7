package pages

import (
	"slices"

	"github.com/assay-register/assay/render/catalog"
)

// otherLanguages shows the titles and descriptions in the languages that do not
// stand above, each marked with its own, and says what a machine translated.
func (w *writer) otherLanguages(e *catalog.Entry) {
	var tags []string
	for _, tag := range slices.Concat(e.Titles.Tags(), e.Descriptions.Tags()) {
		if title, text := otherTexts(e, tag); title != "" || text != "" {
			tags = append(tags, tag)
		}
	}
	if len(tags) == 0 {
		return
	}
	slices.Sort(tags)
	w.more("entry.languages")
	for _, tag := range slices.Compact(tags) {
		w.inLanguage(e, tag)
	}
	w.endMore()
}

// otherTexts are an entry's texts under a tag, "" for those that stand above.
func otherTexts(e *catalog.Entry, tag string) (title, text string) {
	if title = e.Titles[tag]; title == e.Name || title == e.NameEn {
		title = ""
	}
	if text = e.Descriptions[tag]; text == e.Description || text == e.DescriptionEn {
		text = ""
	}
	return title, text
}

func (w *writer) inLanguage(e *catalog.Entry, tag string) {
	title, text := otherTexts(e, tag)
	lang := catalog.PlainTag(tag)
	if tag == catalog.Undetermined {
		lang = ""
	}
	if title != "" {
		w.raw("<p><strong")
		w.native(lang)
		w.raw(">")
		w.text(title)
		w.raw("</strong></p>")
	}
	if text != "" {
		w.paragraphs(text, lang)
	}
	if catalog.MachineTag(tag) {
		w.raw(`<p class="small soft">`)
		w.t("entry.machine")
		w.raw("</p>")
	}
}
