// Package feed renders what is new in the register for feed readers, below
// /api/v1/feeds/:
//
//	rss, atom, json                  the latest 50 entries by published_at
//	rss/verified                     the latest 50 of them that are VERIFIED
//	country/{code}/{atom,json}       the latest 50 of a country
//	institution/{id}/{atom,json}     the latest 50 of an institution
//	entry/{id}.atom                  the life of one entry: added, changed,
//	                                 deprecated, verdicts and scores that moved
//
// The three forms of a feed say the same, so a country and an institution have
// the two that every reader knows, and an entry, of which there are most, has
// one file and no directory of its own. Everything that becomes visible is one
// item of the lists of new entries; later changes are items of the entry's own
// feed.
//
// An item's id is urn:uuid:{entry id} in every list, with #{event}-{time} behind
// it in the entry's feed, so a reader that follows two lists sees an entry once.
// A feed's id is a UUIDv5 of its route. No id holds the address of the register.
// published is when the entry became visible, updated its last change of content;
// a feed's updated is the latest of what it shows. Lists show no verdict, because
// checks would change items whose dates stand still.
//
// RSS and JSON Feed are the structs of gorilla/feeds v1.2.0, extended by
// embedding and written by encoding/xml and jsonx. Its own writers are not used:
// RSS has no atom:link and one category; JSON Feed leaves out an empty items,
// which is required, has no language for an item, and escapes HTML; Atom has one
// link, so no rel=self, an empty updated where an item has no date, and
// categories as text in place of a term. Post-processing would have to parse
// what it wrote. Atom is written here altogether: every entry has such a feed,
// and by reflection it takes ten times as long.
package feed
