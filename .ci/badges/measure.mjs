// Writes render/badge/widths.txt: the advance width of each character in
// Verdana at 11 px, as badge-maker's font metrics give it. Characters that it
// does not know are left out.
//   node .ci/badges/measure.mjs > render/badge/widths.txt
import { modules } from './modules.mjs'

const anafanafo = modules('anafanafo')
const font = '11px Verdana'
const perLine = 20

function width(code) {
  try {
    return Math.round(anafanafo(String.fromCodePoint(code), { font, guess: false }) * 100)
  } catch {
    return undefined
  }
}

const lines = []
let line, run
function close() {
  if (run) line.push(run.n > 1 ? `${run.n}*${run.width}` : `${run.width}`)
  run = undefined
}
for (let code = 0x20; code <= 0x1ffff; code++) {
  const surrogate = code >= 0xd800 && code < 0xe000
  const w = surrogate ? undefined : width(code)
  if (run && run.width === w) {
    run.n++
    continue
  }
  close()
  if (w === undefined) {
    line = undefined
    continue
  }
  if (!line || line.length > perLine) {
    line = [code.toString(16).padStart(4, '0')]
    lines.push(line)
  }
  run = { width: w, n: 1 }
}
close()

console.log(`# Advance widths of characters in Verdana at 11 px, in hundredths of a pixel,
# measured one by one with the font metrics of badge-maker 6.0.0
# (.ci/badges/measure.mjs). A line is the code point of its first character in
# hexadecimal and then one width for each following character; N*W stands for N
# characters of width W. Characters that do not occur were not known.`)
for (const l of lines) console.log(l.join(' '))
