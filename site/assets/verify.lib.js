// Checks a bundle of evidence about an entry (/api/v1/entries/ID/bundle.zip) without asking
// anybody: ZIP, RFC 6962 trees, C2SP signed notes and checkpoints, and the rules of scores. It uses
// what browsers have: WebCrypto and DecompressionStream.
import { recompute } from "./recompute.lib.js";

const utf8 = new TextDecoder();
const bytesOf = (text) => new TextEncoder().encode(text);
// Base64 has one form for the same bytes: others are no hash and no signature.
const fromBase64 = (text) => {
  let raw = "";
  try {
    raw = atob(text);
  } catch {
    fail("what should be base64 is none: it was changed");
  }
  if (btoa(raw) !== text) fail("what should be base64 has another form: it was changed");
  return Uint8Array.from(raw, (c) => c.charCodeAt(0));
};
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

// Bounds of a bundle, in bytes and files, as render/bundle has them.
const [bundleMax, fileMax, filesMax, proofMax] = [16 << 20, 8 << 20, 64, 1 << 20];

// Where the files of a bundle were published; "" for what was made for it.
const routes = {
  "entry.json": "/api/v1/entries/{id}", "quality-score.json": "/api/v1/entries/{id}/quality-score", "checks.json": "/api/v1/entries/{id}/checks",
  "provenance.json": "/api/v1/entries/{id}/provenance", "record.json": "/api/v1/entries/{id}/record",
  "rules.json": "/api/v1/rules.json", "snapshot.json": "/snapshot.json", "documents.json": "",
  "log/proof.json": "/api/v1/log/proof?entry={id}", "log/head.json": "", "log/keys.json": "/log/keys.json",
};

async function inflate(name, bytes) {
  const reader = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw")).getReader();
  const parts = [];
  let size = 0;
  try {
    for (let next = await reader.read(); !next.done; next = await reader.read()) {
      parts.push(next.value);
      size += next.value.length;
      if (size > fileMax) break;
    }
  } catch {
    fail(`${name} cannot be read: it is cut off or was changed`);
  }
  if (size > fileMax) {
    reader.cancel().catch(() => {});
    fail(`${name} is longer than ${fileMax >> 20} MiB`);
  }
  return new Uint8Array(await new Blob(parts).arrayBuffer());
}

/** unzip reads the files of a ZIP by its central directory (APPNOTE 4.3.12). */
export async function unzip(bytes) {
  if (bytes.length > bundleMax) fail(`this has more than ${bundleMax >> 20} MiB`);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  let end = bytes.length - 22;
  while (end >= 0 && view.getUint32(end, true) !== 0x06054b50) end--;
  if (end < 0) fail("this is no ZIP, or is cut off");
  const files = new Map();
  const count = view.getUint16(end + 10, true);
  if (count > filesMax) fail(`the ZIP has ${count} files`);
  let at = view.getUint32(end + 16, true);
  for (let n = count; n > 0; n--) {
    if (at + 46 > bytes.length || view.getUint32(at, true) !== 0x02014b50) fail("the ZIP is broken: its directory is not where it says");
    const [method, size] = [view.getUint16(at + 10, true), view.getUint32(at + 20, true)];
    const name = utf8.decode(bytes.subarray(at + 46, at + 46 + view.getUint16(at + 28, true)));
    if (name !== "bundle.json" && !Object.hasOwn(routes, name)) fail(`${JSON.stringify(name.slice(0, 100))} is none of the files of a bundle`);
    if (files.has(name)) fail(`${name} is there twice`);
    if (method !== 0 && method !== 8) fail(`${name} is packed in a way that no bundle has`);
    const local = view.getUint32(at + 42, true);
    if (local + 30 > bytes.length) fail(`${name} is not where the ZIP says`);
    const start = local + 30 + view.getUint16(local + 26, true) + view.getUint16(local + 28, true);
    if (start + size > bytes.length) fail(`${name} is cut off`);
    const packed = bytes.subarray(start, start + size);
    if (method === 0 && size > fileMax) fail(`${name} is longer than ${fileMax >> 20} MiB`);
    files.set(name, method === 0 ? packed : await inflate(name, packed));
    at += 46 + view.getUint16(at + 28, true) + view.getUint16(at + 30, true) + view.getUint16(at + 32, true);
  }
  return files;
}

function parse(files, name) {
  const body = files.get(name) ?? fail(`${name} is missing`);
  try {
    return JSON.parse(utf8.decode(body));
  } catch {
    return fail(`${name} is no JSON`);
  }
}

// A file that was made for the bundle has nothing that is not read of it, so that nothing in it goes unproven.
function exact(files, name, members, nested = {}) {
  const value = parse(files, name);
  const text = utf8.decode(files.get(name));
  if (name !== "bundle.json" && text.length > proofMax) fail(`${name} has more than ${proofMax} bytes`);
  const only = (v, names) => v !== null && typeof v === "object" && Object.keys(v).every((k) => names.includes(k));
  const lists = Object.entries(nested).every(([list, names]) => Array.isArray(value?.[list]) && value[list].every((v) => only(v, names)));
  if (`${JSON.stringify(value)}\n` !== text || !only(value, members) || !lists) fail(`${name} has more than it should say, or says it otherwise: it was changed`);
  return value;
}

// A mistake that is found in a file is told with the name of the file.
async function within(name, work) {
  try {
    return await work();
  } catch (error) {
    throw error.message.startsWith(name) ? error : new Error(`${name}: ${error.message}`);
  }
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
    if (!/^(0|[1-9][0-9]{0,15})$/.test(size) || !Number.isSafeInteger(Number(size))) fail("the checkpoint has no size");
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
  if (!Number.isSafeInteger(inclusion.index) || inclusion.index < 0 || inclusion.index >= c.size || !(await included(bytesOf(inclusion.leaf), inclusion.index, c.size, inclusion.path.map(fromBase64), c.root)))
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

const proofOf = (files, name, about) => {
  const proof = exact(files, name, ["entry", "leaves"], { leaves: ["index", "leaf", "path", "checkpoint"] });
  if (proof.entry !== about) fail(`${name} is about ${JSON.stringify(proof.entry)}, not ${about}`);
  return proof;
};

// The documents of the entry and the rules have the hashes that the snapshot binds.
async function bound(files, manifest, snapshot) {
  const tree = snapshot.entry_documents;
  if (!tree) return false;
  const name = "documents.json";
  const proof = exact(files, name, ["documents", "index", "path"], { documents: ["route", "sha256"] });
  const leaf = bytesOf(proof.documents.map((d) => `${d.route} ${d.sha256}\n`).join(""));
  const path = await within(name, () => proof.path.map(fromBase64));
  const root = Uint8Array.from(tree.root_sha256.match(/[0-9a-f]{2}/g) ?? [], (x) => parseInt(x, 16));
  const there = Number.isSafeInteger(proof.index) && proof.index >= 0 && Number.isSafeInteger(tree.leaves) && proof.index < tree.leaves;
  if (!there || !(await included(leaf, proof.index, tree.leaves, path, root))) fail(`${name} does not lead to the root of the documents that snapshot.json names: one of them was changed`);
  for (const file of ["entry.json", "quality-score.json", "checks.json", "provenance.json", "rules.json"]) {
    const body = files.get(file) ?? fail(`${file} is missing`);
    const route = routes[file].replace("{id}", manifest.entry_id);
    const sum = file === "rules.json" ? snapshot.rules_sha256 : proof.documents.find((d) => d.route === route)?.sha256;
    if (!sum) fail(`${file} is not among the documents of ${manifest.entry_id} that the snapshot binds`);
    if (hex(await sha256(body)) !== sum) fail(`${file} has other bytes than the snapshot binds: it was changed`);
  }
  return true;
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
  const rules = parse(files, "rules.json");
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
  const named = await within("log/keys.json", () => chain(proofOf(files, "log/keys.json", "log.key")));
  // A key that was followed by another one signs nothing alone.
  const keys = [trusted ? await openKey(trusted) : named.at(-1)];
  const snapshot = hex(await sha256(files.get("snapshot.json")));
  const heads = await within("log/head.json", () => Promise.all(proofOf(files, "log/head.json", "snapshot.head").leaves.map((l) => proven(l, keys))));
  const head = heads.find((l) => l.type === "snapshot.head" && l.subject === manifest.snapshot && l.evidence_sha256 === snapshot);
  if (!head) fail(`log/head.json does not name the snapshot ${manifest.snapshot} with the bytes of snapshot.json: one of them was changed`);
  const said = {};
  let size = 0;
  const { leaves } = proofOf(files, "log/proof.json", manifest.entry_id);
  for (const [i, inclusion] of leaves.entries()) {
    const leaf = await within("log/proof.json", () => proven(inclusion, keys));
    if (leaf.entry !== manifest.entry_id) fail(`log/proof.json: leaf ${inclusion.index} is about another entry`);
    if (i > 0 && inclusion.index <= leaves[i - 1].index) fail(`log/proof.json: leaf ${inclusion.index} follows leaf ${leaves[i - 1].index}`);
    size = Math.max(size, leaf.size);
    for (const [field, delta] of Object.entries(leaf.verdict ?? {})) said[field] = [...((leaf.event ?? 0) <= head.event ? [] : said[field] ?? []), delta.to];
  }
  if (leaves.length === 0) fail("log/proof.json: the log says nothing about the entry");
  if (said.verification_state && !said.verification_state.includes(entry.verification_state))
    fail(`the page says ${entry.verification_state}, the log ${said.verification_state}`);
  if (said.mqa_score && !said.mqa_score.some((v) => typeof v !== "number" || Math.abs(v - made.mqa_score) < 1)) fail(`mqa_score is ${made.mqa_score}, the log says ${said.mqa_score}`);
  return { leaves: leaves.length, size, keys: named.map((k) => k.text) };
}

// The manifest names each file of the bundle, once, with its hash and where it was published.
async function manifestOf(files) {
  if (!files.has("bundle.json")) fail("this is no bundle of evidence: it has no bundle.json");
  const manifest = exact(files, "bundle.json", ["version", "base_url", "entry_id", "snapshot", "files"], { files: ["name", "route", "sha256"] });
  if (manifest.version !== 1) fail(`bundle.json is of version ${manifest.version}, not 1`);
  if (manifest.files.length !== files.size - 1 || new Set(manifest.files.map((f) => f.name)).size !== manifest.files.length)
    fail(`the bundle has ${files.size - 1} files, its manifest names ${manifest.files.length}`);
  for (const f of manifest.files) {
    const body = files.get(f.name) ?? fail(`${f.name} is missing`);
    if (hex(await sha256(body)) !== f.sha256) fail(`${f.name} has other bytes than the manifest says`);
    const route = routes[f.name].replace("{id}", manifest.entry_id);
    if ((f.route ?? "") !== route) fail(`bundle.json says that ${f.name} was published at ${JSON.stringify(f.route)}, not ${JSON.stringify(route)}`);
  }
  const snapshot = parse(files, "snapshot.json");
  if (snapshot.snapshot !== manifest.snapshot) fail(`bundle.json names the snapshot ${manifest.snapshot}, snapshot.json the snapshot ${snapshot.snapshot}`);
  if (snapshot.base_url?.replace(/\/$/, "") !== manifest.base_url) fail(`bundle.json is of the register ${manifest.base_url}, snapshot.json of ${snapshot.base_url}`);
  return { manifest, snapshot };
}

/** verify checks a bundle, given as bytes, and says what it shows; trusted is the key that the reader knows, if any. */
export async function verify(bytes, trusted) {
  const files = await unzip(bytes);
  const { manifest, snapshot } = await manifestOf(files);
  const whole = await bound(files, manifest, snapshot);
  const [entry, quality, checks] = await Promise.all(["entry.json", "quality-score.json", "checks.json"].map((n) => sealed(n, files.get(n) ?? fail(`${n} is missing`))));
  if (entry.id !== manifest.entry_id || quality.entry_id !== manifest.entry_id) fail("the documents are of several entries");
  const made = await scores(files, entry, quality, checks);
  const record = files.has("record.json") ? parse(files, "record.json") : null;
  for (const r of record?.records ?? []) {
    if (r.record != null && hex(await sha256(bytesOf(r.record))) !== r.shown_sha256) fail("record.json: the record does not have its hash: it was changed");
  }
  const logged = ["log/proof.json", "log/head.json", "log/keys.json"].some((n) => files.has(n));
  if (!logged && trusted) fail("the bundle has no log/proof.json: the key that you name signed nothing of it");
  const log = logged ? await logOf(files, manifest, entry, made, trusted) : null;
  return { manifest, entry, scores: made, log, record, bound: whole };
}
