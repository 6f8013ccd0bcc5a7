// Holds the event stream to what the client of others makes of it: ldes.mjs PROGRAM [ENTRIES]
//
// ldes-client replays the feed, is interrupted, goes on, and must end with exactly the
// statements of the entries' own documents. Then one entry in a hundred says something else
// and two are taken away; a day later the client that was there before must fetch less than 3 % of the
// bytes of the first time and end with the register again. ENTRIES is a file for assay import, or a
// folder with a register that is built (belgium.mjs); else it is the sample register.
import { createHash } from "node:crypto";
import { createReadStream, mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { createInterface } from "node:readline";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { register } from "./serve.mjs";

const modules = process.env.NODE_MODULES ?? ".cache/protocols/node_modules";
const require = createRequire(resolve(modules, "x.js"));
const { Parser } = require("n3");
const { replicateLDES, intoConfig } = await import(pathToFileURL(join(modules, "ldes-client/dist/lib/client.js")));
const [program, entries] = process.argv.slice(2);
const built = entries && statSync(entries).isDirectory();
const folder = built ? resolve(entries) : mkdtempSync(join(tmpdir(), "assay-ldes-"));
const as = "https://www.w3.org/ns/activitystreams#", dcat = "http://www.w3.org/ns/dcat#", hydraNext = "http://www.w3.org/ns/hydra/core#next";
const shareMax = 0.03;

// replay runs the client with what it kept, up to a number of members, and gives what it fetched.
async function replay(base, known, upTo = Infinity) {
  let bytes = 0;
  const pages = [];
  const counted = async (url, options) => {
    const response = await fetch(url, options);
    const body = Buffer.from(await response.arrayBuffer());
    bytes += body.length;
    pages.push(String(url));
    const answer = new Response(body, { status: response.status, headers: response.headers });
    Object.defineProperty(answer, "url", { value: response.url });
    return answer;
  };
  const failures = [];
  // One fetch at a time: ldes-client 0.3.0 takes a page that it is just sending for as fetched, and may end before it read it.
  const client = replicateLDES(intoConfig({ url: base + "/api/v1/ldes", statePath: join(folder, "state"), fetch: counted, noShape: true, concurrentFetches: 1 }), "ascending");
  client.on("error", (e) => failures.push(e));
  const reader = client.stream({ highWaterMark: 1 }).getReader();
  let members = 0;
  for (let m = await reader.read(); !m.done; m = await reader.read()) {
    members++;
    known.push(about(m.value));
    if (members >= upTo) { await reader.cancel(); break; }
  }
  if (failures.length) throw new Error(`ldes-client: ${failures.join("; ")}`);
  return { bytes, pages, members };
}

const line = (q) => JSON.stringify([q.subject.value, q.predicate.value, q.object.termType, q.object.value, q.object.language ?? "", q.object.datatype?.value ?? ""]);

// said is a hash of statements in their order: a register may be larger than memory.
const said = (quads) => createHash("sha256").update([...new Set(quads.map(line))].sort().join("\n")).digest("base64");

// about is what is kept of a member: which entry it is of, when it was told, and a hash of what it says.
function about({ id, quads }) {
  const own = quads.filter((q) => q.subject.value === id.value && q.graph.value === "");
  const of = (predicate) => own.find((q) => q.predicate.value === as + predicate).object.value;
  return { object: of("object"), when: of("published"), gone: own.some((q) => q.object.value === as + "Delete"), says: said(quads.filter((q) => q.graph.value === id.value)) };
}

// last is what the members say of each entry, deleted ones left out. A member that was told
// twice, before and after the interruption, counts once.
function last(members) {
  const all = new Map();
  for (const { object, when, gone, says } of members) {
    const before = all.get(object);
    if (!before || before.when <= when) all.set(object, { when, gone, says });
  }
  for (const [object, { gone }] of all) if (gone) all.delete(object);
  return all;
}

const read = async (url) => {
  const response = await fetch(url);
  if (!response.ok) throw new Error(`${url}: ${response.status}`);
  return new Parser({ baseIRI: response.url }).parse(await response.text());
};

// listed are the entries of the catalogue of DCAT-AP, page by page.
async function listed(base) {
  const all = new Set();
  for (let at = base + "/api/v1/catalog/dcat/1.ttl"; at;) {
    const page = await read(at);
    for (const q of page) if ([dcat + "dataset", dcat + "service"].includes(q.predicate.value) && /\/id\/[0-9a-f-]{36}$/.test(q.object.value)) all.add(q.object.value);
    at = page.find((q) => q.predicate.value === hydraNext)?.object.value;
  }
  return all;
}

async function compare(what, base, members) {
  const have = last(members), want = await listed(base);
  const faults = [...want].filter((e) => !have.has(e)).map((e) => `${e} is missing`);
  faults.push(...[...have.keys()].filter((e) => !want.has(e)).map((e) => `${e} should be gone`));
  for (const e of want) {
    if (have.has(e) && said(await read(e + ".ttl")) !== have.get(e).says) faults.push(`${e}: the feed says something else than its document`);
  }
  if (faults.length || want.size === 0) throw new Error(`${what}: ${faults.length} of ${want.size} entries differ:\n${faults.slice(0, 5).join("\n")}`);
  return want.size;
}

// change has one entry in a hundred say something else, takes two away, and gives the ids of all of them.
async function change(run, date) {
  const out = [], changed = [];
  let n = 0, gone = 0;
  run(["export", "--file", "all.ndjson"]);
  for await (const text of createInterface({ input: createReadStream(join(folder, "all.ndjson")) })) {
    const row = text.startsWith('{"kind":"entry"') && JSON.parse(text);
    if (!row || row.entry.status !== "ACTIVE" || !row.entry.dataset) continue;
    if (++n % 100 === 50) {
      for (const [lang, text] of Object.entries(row.entry.descriptions ?? {})) row.entry.descriptions[lang] = text === row.entry.description ? text + " One sentence more." : text;
      row.entry.description += " One sentence more.";
    } else if (gone < 2 && n % 50 === 7) { Object.assign(row.entry, { status: "REMOVED", status_reason: "gone", removed_at: date }); gone++; } else continue;
    row.entry.updated_at = date;
    changed.push(row.entry.id);
    out.push(JSON.stringify(row));
  }
  writeFileSync(join(folder, "changed.ndjson"), out.join("\n") + "\n");
  run(["import", "--strict", "changed.ndjson"]);
  return changed;
}

// news holds what the client was told to what there was to tell: each changed entry once, and others only if they say
// something else, as those do whose series ended with one that was taken away. Nothing is told that is known.
function news(changed, before, told) {
  const of = (object) => object.slice(object.lastIndexOf("/") + 1);
  const all = new Set(told.map((m) => of(m.object)));
  const faults = changed.filter((id) => !all.has(id)).map((id) => `${id} changed and was not told`);
  if (all.size !== told.length) faults.push(`${told.length} members tell of ${all.size} entries`);
  for (const m of told) if (!m.gone && before.get(m.object)?.says === m.says) faults.push(`${m.object} was told and says what it said`);
  if (faults.length) throw new Error(`the second day: ${faults.length} faults:\n${faults.slice(0, 5).join("\n")}`);
}

try {
  const { base, run, serve } = await register(resolve(program), folder);
  if (built); else if (entries) { run(["import", "--strict", resolve(entries)]); run(["build"]); } else run(["demo", "--build-only"]);
  let stop = await serve();
  const members = [];
  const all = (await replay(base, [])).bytes;
  rmSync(join(folder, "state"), { recursive: true, force: true });
  const first = await replay(base, members, 60);
  const rest = await replay(base, members);
  const count = await compare("the first day", base, members);
  const { as_of } = await (await fetch(base + "/snapshot.json")).json();
  await stop();
  const day = new Date(Math.max(Date.parse(as_of), Date.now()) + 86_400_000).toISOString().slice(0, 19) + "Z";
  const changed = await change(run, day);
  run(["build", "--at", day]);
  stop = await serve();
  const before = last(members), second = await replay(base, members);
  await compare("the second day", base, members);
  await stop();
  news(changed, before, members.slice(-second.members));
  const share = second.bytes / all;
  const told = `ldes-client: ${count} entries in ${all} bytes, interrupted after ${first.members} and gone on with ${rest.members}; a day later ${changed.length} were changed, ${second.members} say something else, in ${second.bytes} bytes (${(100 * share).toFixed(2)} %)`;
  if (share >= shareMax) throw new Error(told + `: more than ${100 * shareMax} %`);
  console.log(told);
} finally {
  if (!built) rmSync(folder, { recursive: true, force: true });
}
