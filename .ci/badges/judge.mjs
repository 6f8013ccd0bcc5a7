// The outside judge of our badges: badge-maker 6.0.0, the library of shields.io.
//   node judge.mjs [--update]
// It asks badge-maker for the width of each text of corpus.tsv, which the tests
// in Go hold our widths to, and compares the drawn badges of badges.txt.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { load } from './modules.mjs'

const { makeBadge } = await load('badge-maker')
const testdata = join(import.meta.dirname, '../../render/badge/testdata')
const tolerance = 2
let faults = 0
const fault = (text) => {
  faults++
  console.error(text)
}

const width = (svg) => Number(/^<svg [^>]*\bwidth="(\d+)"/.exec(svg)[1])
const theirs = (label, message) => width(makeBadge({ label, message, style: 'flat' }))

const corpus = join(testdata, 'corpus.tsv')
const lines = readFileSync(corpus, 'utf8').split('\n')
let asked = 0
const answered = lines.map((line) => {
  if (line === '' || line.startsWith('#')) return line
  const [label, message, recorded] = line.split('\t')
  const got = theirs(label, message)
  asked++
  if (got !== Number(recorded) && !process.argv.includes('--update')) {
    fault(`corpus.tsv: ${label} | ${message}: recorded ${recorded}, badge-maker says ${got}`)
  }
  return [label, message, got].join('\t')
})
if (process.argv.includes('--update')) writeFileSync(corpus, answered.join('\n'))

const unescape = (s) =>
  s.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&quot;', '"').replaceAll('&#39;', "'").replaceAll('&amp;', '&')

let drawn = 0
let worst = 0
for (const svg of readFileSync(join(testdata, 'badges.txt'), 'utf8').split('\n').filter((l) => l.startsWith('<svg'))) {
  const [left, right] = [...svg.matchAll(/<text [^>]*>([^<]*)<\/text>/g)].map((m) => unescape(m[1]))
  const [label, message] = right === undefined ? ['', left] : [left, right]
  const difference = Math.abs(width(svg) - theirs(label, message))
  worst = Math.max(worst, difference)
  drawn++
  if (difference > tolerance) fault(`badges.txt: ${label} | ${message}: ${width(svg)} px, badge-maker draws ${theirs(label, message)}`)
}

console.log(`badges: asked badge-maker for ${asked} texts and ${drawn} drawn badges, widths differ by at most ${worst} px, ${faults} faults`)
// A judge that saw nothing has judged nothing.
process.exitCode = faults > 0 || asked < 50 || drawn < 20 ? 1 : 0
