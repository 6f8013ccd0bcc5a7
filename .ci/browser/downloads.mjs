// Looks for the data of random datasets as a person on a phone does: downloads.mjs SITE [HOW MANY [SEED]]
// SITE is the folder of a register's snapshots. Of each dataset whose files are stated, the first screen must
// offer one of them; the page says that no terms are stated just where none are, and nothing is asked for elsewhere.
import assert from "node:assert/strict";
import { judgeWidth, views } from "./looks.mjs";
import { launch, serve } from "./site.mjs";

const [site, many = "300", seed = "1"] = process.argv.slice(2);
const phone = views.find((v) => v.width === 360);
const faults = [];
const fault = (what) => { faults.push(what); console.error(what); };
const { base, stop } = await serve(site);
const ask = async (path) => {
  const answer = await fetch(base + path);
  assert.equal(answer.status, 200, path);
  return answer.json();
};

// datasets are the addresses of all datasets of the register.
async function datasets() {
  const all = [];
  for (let next = "/api/v1/entries?type=DATASET&limit=100&fields=slug"; next;) {
    const page = await ask(next);
    all.push(...page.items.map((i) => i.slug));
    next = page.links.next;
  }
  return all;
}

// chosen takes some of a list by a generator that a seed begins (the one of C's standard, as POSIX has it).
function chosen(list, n) {
  let state = BigInt(seed);
  const rest = [...list];
  return Array.from({ length: Math.min(n, rest.length) }, () => {
    state = (state * 1103515245n + 12345n) & 0x7fffffffn;
    return rest.splice(Number((state >> 8n) % BigInt(rest.length)), 1)[0];
  });
}

// addressesOf are the files that a source states, as a browser writes their addresses.
const plain = (address) => { try { const u = new URL(address); return /^https?:$/.test(u.protocol) ? u.href : ""; } catch { return ""; } };
const filesOf = (entry) => [...new Set((entry.dataset_details?.distributions ?? []).map((d) => plain(d.download_url ?? "")).filter(Boolean))];

async function look(page, slug, told) {
  const entry = await ask(`/api/v1/entries/${slug}`);
  const files = filesOf(entry);
  await page.goto(`${base}/entry/${slug}`, { waitUntil: "load" });
  await judgeWidth(page, slug, fault);
  const links = await page.locator("main a[href]").evaluateAll((list) => list.map((a) => {
    const box = a.getBoundingClientRect();
    return { href: a.href, end: box.bottom + scrollY, seen: box.height > 0 };
  }));
  if (files.length > 0) {
    told.stated++;
    const service = (href) => files.some((f) => new URL(f).origin + new URL(f).pathname === new URL(href).origin + new URL(href).pathname);
    const offered = links.filter((l) => l.seen && (files.includes(l.href) || /^https?:/.test(l.href) && service(l.href)));
    if (offered.length === 0) fault(`${slug}: none of ${files.length} stated files is offered`);
    else if (!offered.some((l) => l.end <= phone.height)) fault(`${slug}: no file is offered on the first screen of a phone, the first at ${Math.min(...offered.map((l) => l.end))} px`);
    else told.offered++;
  }
  const text = (await page.locator("main").textContent()).replaceAll(/\s+/g, " ");
  const states = entry.license || (entry.dataset_details?.distributions ?? []).some((d) => d.license);
  const silent = /does not say on what terms|No licence is stated/.test(text);
  if (states && silent) fault(`${slug}: says that no terms are stated, which are`);
  if (!states && !silent) fault(`${slug}: does not say that no terms are stated`);
}

const browser = await launch();
const told = { stated: 0, offered: 0 };
try {
  const list = chosen(await datasets(), Number(many));
  const context = await browser.newContext({ viewport: { width: phone.width, height: phone.height } });
  await Promise.all([0, 1].map(async () => {
    const page = await context.newPage();
    page.on("request", (r) => { if (!r.url().startsWith(base) && !r.url().startsWith("data:")) fault(`${page.url()} asks ${r.url()}`); });
    page.on("pageerror", (e) => fault(`${page.url()}: ${e.message}`));
    for (let slug = list.pop(); slug; slug = list.pop()) await look(page, slug, told);
  }));
} finally {
  await browser.close();
  await stop();
}
console.log(`downloads: ${told.offered} of ${told.stated} datasets with stated files, of ${many} datasets, offer one on the first screen of a phone; ${faults.length} faults`);
process.exit(faults.length ? 1 : 0);
