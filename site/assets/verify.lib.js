// Checks a bundle of evidence about an entry (/api/v1/entries/ID/bundle.zip) without asking
// anybody: ZIP, RFC 6962 trees, C2SP signed notes and checkpoints, and the rules of scores. It uses
// what browsers have: WebCrypto and DecompressionStream.
import { recompute } from "./recompute.lib.js";

const utf8 = new TextDecoder();
const bytesOf = (text) => new TextEncoder().encode(text);
const fromBase64 = (text) => Uint8Array.from(atob(text), (c) => c.charCodeAt(0));
const hex = (bytes) => [...bytes].map((b) => b.toString(16).padStart(2, "0")).join("");
const same = (a, b) => a.length === b.length && a.every((v, i) => v === b[i]);
const fail = (what) => {
  throw new Error(what);
};

async function sha256(...parts) {
  const all = new Uint8Array(parts.reduce((n, p) => n + p.length, 0));
  parts.reduce((at, p) => (all.set(p, at), at + p.length), 0);
  return new Uint8Array(await crypto.subtle.digest("SHA-256", all));
}

async function inflate(bytes) {
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

/** unzip reads the files of a ZIP by its central directory (APPNOTE 4.3.12). */
export async function unzip(bytes) {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  let end = bytes.length - 22;
  while (end >= 0 && view.getUint32(end, true) !== 0x06054b50) end--;
  if (end < 0) fail("this is no ZIP");
  const files = new Map();
  let at = view.getUint32(end + 16, true);
  for (let n = view.getUint16(end + 10, true); n > 0; n--) {
    if (view.getUint32(at, true) !== 0x02014b50) fail("the ZIP is broken");
    const [method, size] = [view.getUint16(at + 10, true), view.getUint32(at + 20, true)];
    const name = utf8.decode(bytes.subarray(at + 46, at + 46 + view.getUint16(at + 28, true)));
    const local = view.getUint32(at + 42, true);
    const start = local + 30 + view.getUint16(local + 26, true) + view.getUint16(local + 28, true);
    const packed = bytes.subarray(start, start + size);
    if (files.has(name)) fail(`${name} is there twice`);
    files.set(name, method === 0 ? packed : await inflate(packed));
    at += 46 + view.getUint16(at + 28, true) + view.getUint16(at + 30, true) + view.getUint16(at + 32, true);
  }
  return files;
}

// The key of a signed note: NAME+ID+BASE64 (C2SP signed-note).
async function openKey(key) {
  const first = key.indexOf("+");
  const second = key.indexOf("+", first + 1);
  const [name, id, raw] = [key.slice(0, first), key.slice(first + 1, second), fromBase64(key.slice(second + 1))];
  if (raw[0] !== 1 || raw.length !== 33) fail(`the key ${name} is not Ed25519`);
  const expected = (await sha256(bytesOf(`${name}\n`), raw)).subarray(0, 4);
  if (hex(expected) !== id) fail(`the id of the key ${name} is not its hash`);
  return { name, id: expected, verifier: await crypto.subtle.importKey("raw", raw.subarray(1), { name: "Ed25519" }, false, ["verify"]) };
}

// The checkpoint of a note that one of the keys signed.
async function openNote(note, keys) {
  const end = note.lastIndexOf("\n\n");
  const text = note.slice(0, end + 1);
  for (const line of note.slice(end + 2).split("\n")) {
    const [dash, signer, signature] = line.split(" ");
    if (dash !== "—") continue;
    const bytes = fromBase64(signature);
    const key = keys.find((k) => k.name === signer && same(k.id, bytes.subarray(0, 4)));
    if (!key) continue;
    if (!(await crypto.subtle.verify("Ed25519", key.verifier, bytes.subarray(4), bytesOf(text)))) fail("the signature of the checkpoint is wrong");
    const [origin, size, root] = text.split("\n");
    return { origin, size: Number(size), root: fromBase64(root) };
  }
  return fail("the checkpoint is not signed by the key");
}

// RFC 6962, section 2.1.1, checked as RFC 9162, section 2.1.3.2, says.
async function included(leaf, index, size, path, root) {
  let [fn, sn, r] = [index, size - 1, await sha256(Uint8Array.of(0), leaf)];
  for (const p of path) {
    if (sn === 0) return false;
    if (fn % 2 === 1 || fn === sn) {
      r = await sha256(Uint8Array.of(1), p, r);
      while (fn % 2 === 0 && fn !== 0) [fn, sn] = [Math.floor(fn / 2), Math.floor(sn / 2)];
    } else {
      r = await sha256(Uint8Array.of(1), r, p);
    }
    [fn, sn] = [Math.floor(fn / 2), Math.floor(sn / 2)];
  }
  return sn === 0 && same(r, root);
}

async function proven(inclusion, keys) {
  const c = await openNote(inclusion.checkpoint, keys);
  if (inclusion.index < 0 || inclusion.index >= c.size || !(await included(bytesOf(inclusion.leaf), inclusion.index, c.size, inclusion.path.map(fromBase64), c.root)))
    fail(`leaf ${inclusion.index} is not in the log whose root is signed: it was changed, or never logged`);
  return { ...JSON.parse(inclusion.leaf), size: c.size };
}

// The keys of the log: each is in a checkpoint that the key before it signed.
async function chain(proof) {
  const keys = [];
  for (const inclusion of proof.leaves) {
    const leaf = JSON.parse(inclusion.leaf);
    if (leaf.type !== "log.key") fail("a leaf of the keys names none");
    const own = { ...(await openKey(leaf.key)), text: leaf.key };
    const before = keys.at(-1);
    if (before && leaf.evidence_sha256 !== hex(await sha256(bytesOf(before.text)))) fail("the keys of the log do not follow one another");
    await proven(inclusion, [before ?? own]);
    keys.push(own);
  }
  if (keys.length === 0) fail("the bundle names no key");
  return keys;
}

// The hash of an answer is that of the body without its last member, the manifest.
async function sealed(name, body) {
  const text = utf8.decode(body);
  const at = text.lastIndexOf(',"manifest":{');
  const document = JSON.parse(text);
  if (at < 0 || hex(await sha256(bytesOf(`${text.slice(0, at)}}`))) !== document.manifest.answer_sha256)
    fail(`${name}: the answer does not have the hash that its manifest names: it was changed`);
  return document;
}

async function scores(files, entry, quality, checks) {
  const rules = JSON.parse(utf8.decode(files.get("rules.json") ?? fail("rules.json is missing")));
  if (rules.rubric_version !== quality.rubric_version) fail("the scores are of other rules than the bundle has");
  const made = recompute(rules, entry, quality, checks);
  for (const name of ["mqa_score", "mqa_tier", "trust_score", "ranking_score"]) {
    for (const page of [entry, quality]) {
      if (page[name] !== undefined && page[name] !== made[name]) fail(`${name} is ${made[name]} by the rules, the page says ${page[name]}`);
    }
  }
  for (const a of quality.axes) {
    if (a.value !== (made.axes[a.id] ?? null)) fail(`${a.id} is ${made.axes[a.id] ?? null} by the rules, the page says ${a.value}`);
  }
  return made;
}

async function logOf(files, manifest, entry, made, trusted) {
  const read = (name) => JSON.parse(utf8.decode(files.get(name) ?? fail(`${name} is missing`)));
  const named = await chain(read("log/keys.json"));
  const keys = trusted ? [await openKey(trusted)] : named;
  const snapshot = hex(await sha256(files.get("snapshot.json") ?? fail("snapshot.json is missing")));
  const heads = await Promise.all(read("log/head.json").leaves.map((l) => proven(l, keys)));
  const head = heads.find((l) => l.type === "snapshot.head" && l.subject === manifest.snapshot && l.evidence_sha256 === snapshot);
  if (!head) fail(`the log does not name the snapshot ${manifest.snapshot} with these bytes`);
  const said = {};
  let size = 0;
  const { leaves } = read("log/proof.json");
  for (const inclusion of leaves) {
    const leaf = await proven(inclusion, keys);
    if (leaf.entry !== manifest.entry_id) fail(`leaf ${inclusion.index} is about another entry`);
    size = Math.max(size, leaf.size);
    for (const [field, delta] of Object.entries(leaf.verdict ?? {})) said[field] = [...((leaf.event ?? 0) <= head.event ? [] : said[field] ?? []), delta.to];
  }
  if (leaves.length === 0) fail("the log says nothing about the entry");
  if (said.verification_state && !said.verification_state.includes(entry.verification_state))
    fail(`the page says ${entry.verification_state}, the log ${said.verification_state}`);
  if (said.mqa_score && !said.mqa_score.some((v) => typeof v !== "number" || Math.abs(v - made.mqa_score) < 1)) fail(`mqa_score is ${made.mqa_score}, the log says ${said.mqa_score}`);
  return { leaves: leaves.length, size, keys: named.map((k) => k.text) };
}

/** verify checks a bundle, given as bytes, and says what it shows; trusted is the key that the reader knows, if any. */
export async function verify(bytes, trusted) {
  const files = await unzip(bytes);
  const manifest = JSON.parse(utf8.decode(files.get("bundle.json") ?? fail("this is no bundle of evidence")));
  if (manifest.version !== 1 || manifest.files.length !== files.size - 1) fail("the bundle has other files than its manifest names");
  for (const f of manifest.files) {
    const body = files.get(f.name) ?? fail(`${f.name} is missing`);
    if (hex(await sha256(body)) !== f.sha256) fail(`${f.name} has other bytes than the manifest says`);
  }
  const [entry, quality, checks] = await Promise.all(["entry.json", "quality-score.json", "checks.json"].map((n) => sealed(n, files.get(n) ?? fail(`${n} is missing`))));
  if (entry.id !== manifest.entry_id || quality.entry_id !== manifest.entry_id) fail("the documents are of several entries");
  const made = await scores(files, entry, quality, checks);
  const record = files.has("record.json") ? JSON.parse(utf8.decode(files.get("record.json"))) : null;
  for (const r of record?.records ?? []) {
    if (r.record != null && hex(await sha256(bytesOf(r.record))) !== r.shown_sha256) fail("the record does not have its hash: it was changed");
  }
  const log = files.has("log/proof.json") ? await logOf(files, manifest, entry, made, trusted) : null;
  return { manifest, entry, scores: made, log, record };
}
