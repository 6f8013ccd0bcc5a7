// Whether as many results are found with a value of a filter as the page counted of it: chooses
// values at random, up to three in a row, as a reader does.
import assert from "node:assert/strict";

const number = (text) => Number(text.replaceAll(",", ""));
const plain = (html) => html.replaceAll("&#34;", '"').replaceAll("&#39;", "'").replaceAll("&amp;", "&");
const box = /<input type="?checkbox"? form="?ask"? name="?(\w+)"? value="?([^">]*?)"?( checked)?>(?:(?!<\/label>)[^])*?class="?count"?>([\d,]+)/g;

// read asks for a page of results and gives its count, and the values of its filters with theirs.
async function read(base, asked) {
  const html = await (await fetch(`${base}/search?${asked}`, { headers: { Accept: "text/html" } })).text();
  const values = [...html.matchAll(box)].map(([, name, value, checked, count]) => ({ name, value: plain(value), checked: Boolean(checked), count: number(count) }));
  return { count: number(/data-count>([\d,]+)/.exec(html)[1]), values };
}

/** numbers compares counts of questions with one of the words each, "" for none, and returns how many it compared. */
export async function numbers(base, words, rounds = 40) {
  let seed = 1;
  const one = (list) => { seed = (seed * 1103515245 + 12345) % 2 ** 31; return list[Math.floor((seed / 2 ** 31) * list.length)]; };
  let compared = 0;
  for (let round = 0; round < rounds; round++) {
    const q = one(words);
    const asked = new URLSearchParams(q ? { q } : { type: "API,DATASET,MCP_SERVER" });
    let page = await read(base, asked);
    for (let step = 0; step < 3; step++) {
      const chosen = one(page.values.filter((v) => !v.checked && !asked.has(v.name)));
      if (!chosen) break;
      asked.set(chosen.name, chosen.value);
      page = await read(base, asked);
      const now = page.values.find((v) => v.name === chosen.name && v.value === chosen.value);
      assert.equal(page.count, chosen.count, `${asked} finds other than was counted`);
      assert.equal(now?.count, chosen.count, `${asked} counts its own value anew`);
      compared++;
    }
  }
  assert.ok(compared > rounds, `only ${compared} counts were compared`);
  return compared;
}
