// Command agree reads the pages of the entries of a built site, in every
// language, and names what in them contradicts the rest of the page, the page in
// another language, or what the register publishes about the entry as JSON and as
// badges. It reads HTML as a browser does and knows the words by itself: nothing
// of what renders the pages is used here.
//
//	agree [-share 0.1] [-all] [-forms FILE] DIR|URL
//
// Every rule tells how often it had something to compare; with -all one that never
// had is a fault, for it would pass whatever pages say.
package main
