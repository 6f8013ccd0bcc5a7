// Reads every feed of a built site with parsers written by others and compares
// what they find: node judge.mjs SITE_DIR
import fs from 'node:fs'
import path from 'node:path'
import { createRequire } from 'node:module'
import { pathToFileURL } from 'node:url'

const require = createRequire(process.env.FEED_JUDGES + '/')
const load = async (name) => import(pathToFileURL(require.resolve(name)))
const { parseFeed: feedsmith } = await load('feedsmith')
const { parseFeed: rowan } = await load('@rowanmanning/feed-parser')
const RSSParser = require('rss-parser')

const site = process.argv[2]
const base = JSON.parse(fs.readFileSync(path.join(site, 'snapshot.json'), 'utf8')).base_url
const root = path.join(site, 'api', 'v1', 'feeds')
const faults = []
const must = (ok, route, text) => { if (!ok) faults.push(`${route}: ${text}`) }

// feedsOf lists the feeds as routes and files.
function * feedsOf (dir) {
  for (const d of fs.readdirSync(dir, { withFileTypes: true })) {
    const file = path.join(dir, d.name)
    // The bulk exports share the folder and are no feeds.
    if (d.isDirectory() && file !== path.join(root, 'export')) yield * feedsOf(file)
    else if (/\.(rss|json|atom)$/.test(d.name)) {
      const route = '/' + path.relative(site, file).replace(/\/index\.(xml|rss|atom|json)$/, '')
      yield { route, text: fs.readFileSync(file, 'utf8') }
    }
  }
}

// shape reads the ids, self link and dates of a feed as feedsmith sees it.
function shape (format, feed) {
  const items = feed.items ?? feed.entries ?? []
  const self = format === 'json' ? feed.feed_url : (format === 'rss' ? feed.atom?.links : feed.links)?.find((l) => l.rel === 'self')?.href
  const dates = items.flatMap((i) => [i.pubDate, i.published, i.updated, i.date_published, i.date_modified]).filter(Boolean)
  const updated = feed.updated ?? feed.lastBuildDate
  return { self, ids: items.map((i) => i.guid?.value ?? i.id), dates, updated, items }
}

function judgeDates (route, s, format) {
  for (const d of s.dates) must(!Number.isNaN(Date.parse(d)), route, `no date: ${d}`)
  must(s.dates.length >= s.ids.length, route, 'an item has no date')
  if (format === 'json') return
  const latest = Math.max(...s.dates.map(Date.parse))
  must(!Number.isNaN(Date.parse(s.updated)), route, `updated is no date: ${s.updated}`)
  must(s.ids.length === 0 || format === 'rss' ? Date.parse(s.updated) >= latest : Date.parse(s.updated) === latest, route, 'updated is not the latest change')
}

async function judge (route, text) {
  const { format, feed } = feedsmith(text)
  const s = shape(format, feed)
  must(['rss', 'atom', 'json'].includes(format), route, `feedsmith takes it for ${format}`)
  must(s.self === base + route, route, `self is ${s.self}`)
  must(s.ids.every((i) => /^urn:uuid:[0-9a-f-]{36}(#[a-z]+-\d{8}T\d{6}Z)?$/.test(i)), route, 'an id is no urn:uuid')
  must(new Set(s.ids).size === s.ids.length, route, 'an id stands twice')
  judgeDates(route, s, format)
  // The other two read XML only; the rules of JSON Feed 1.1 are a Go test.
  if (format === 'json') return { format, ...s }
  const other = rowan(text)
  must(JSON.stringify(other.items.map((i) => i.id)) === JSON.stringify(s.ids), route, 'feed-parser finds other ids')
  must(other.title === feed.title || other.title === feed.title?.value, route, 'feed-parser finds another title')
  const third = await new RSSParser().parseString(text)
  must(JSON.stringify(third.items.map((i) => i.guid ?? i.id)) === JSON.stringify(s.ids), route, 'rss-parser finds other ids')
  must(third.items.every((i) => i.isoDate && i.link), route, 'rss-parser finds an item without date or link')
  return { format, ...s }
}

const seen = {}
for (const { route, text } of feedsOf(root)) {
  try {
    seen[route] = await judge(route, text)
  } catch (e) {
    must(false, route, `cannot be read: ${e.message}`)
  }
}
// The forms of one list say the same.
for (const route of Object.keys(seen).filter((r) => r.endsWith('/atom'))) {
  for (const form of ['json', 'rss']) {
    const other = seen[route.replace(/atom$/, form)]
    if (other) must(JSON.stringify(other.ids) === JSON.stringify(seen[route].ids), route, `${form} lists other items`)
  }
}
for (const r of ['rss', 'atom', 'json', 'rss/verified']) must(seen['/api/v1/feeds/' + r], '/api/v1/feeds/' + r, 'is missing')
console.log(`${Object.keys(seen).length} feeds, ${Object.values(seen).reduce((n, s) => n + s.ids.length, 0)} items, ${faults.length} faults`)
for (const f of faults.slice(0, 50)) console.error(f)
process.exit(faults.length ? 1 : 0)
