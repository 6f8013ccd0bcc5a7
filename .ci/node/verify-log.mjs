// verify-log holds a log of verdicts to what it promises, from the published formats only:
// RFC 6962 (trees), C2SP signed-note, tlog-checkpoint and tlog-tiles. It shares no code
// with the program that wrote the log.
//
//   node verify-log.mjs FOLDER [KEY] [--older CHECKPOINT]
//
// FOLDER is the folder of the log; KEY the public key, else the newest that the log
// names. Says what it verified, or what is wrong, and exits with 1.
import { createPublicKey, hash, verify } from "node:crypto";
import { existsSync, readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";

const args = process.argv.slice(2);
const olderAt = args.indexOf("--older");
const older = olderAt >= 0 ? args.splice(olderAt, 2)[1] : undefined;
const [folder, given] = args;

const fail = (what) => {
  console.error(`verify-log: ${what}`);
  process.exit(1);
};
const sha256 = (...parts) => hash("sha256", Buffer.concat(parts), "buffer");
const leafHash = (leaf) => sha256(Buffer.of(0), leaf);
const nodeHash = (left, right) => sha256(Buffer.of(1), left, right);

// A note: text, an empty line, and lines "— NAME BASE64(key id, signature)".
function openNote(note, key) {
  const end = note.lastIndexOf("\n\n");
  const text = note.slice(0, end + 1);
  const [name, id, encoded] = split(key);
  const raw = Buffer.from(encoded, "base64");
  if (raw[0] !== 1 || raw.length !== 33) fail(`key ${name} is not Ed25519`);
  const expected = sha256(Buffer.from(`${name}\n`), raw).subarray(0, 4);
  if (expected.toString("hex") !== id) fail(`the id of key ${name} is not its hash`);
  const der = Buffer.concat([Buffer.from("302a300506032b6570032100", "hex"), raw.subarray(1)]);
  const publicKey = createPublicKey({ key: der, format: "der", type: "spki" });
  for (const line of note.slice(end + 2).split("\n")) {
    const [dash, signer, sig] = line.split(" ");
    if (dash !== "—" || signer !== name) continue;
    const bytes = Buffer.from(sig, "base64");
    if (!bytes.subarray(0, 4).equals(expected)) continue;
    if (verify(null, Buffer.from(text), publicKey, bytes.subarray(4))) return text;
    fail("the signature of the checkpoint is wrong");
  }
  return fail(`the checkpoint is not signed by ${name}`);
}

function split(key) {
  const first = key.indexOf("+");
  const second = key.indexOf("+", first + 1);
  return [key.slice(0, first), key.slice(first + 1, second), key.slice(second + 1)];
}

function parse(text) {
  const [origin, size, root] = text.split("\n");
  return { origin, size: Number(size), root: Buffer.from(root, "base64") };
}

function path(n) {
  let out = String(n % 1000).padStart(3, "0");
  for (n = Math.floor(n / 1000); n > 0; n = Math.floor(n / 1000)) out = `x${String(n % 1000).padStart(3, "0")}/${out}`;
  return out;
}

// A tile of so many hashes or leaves: the part, or the whole one that took its place.
function tile(kind, n, width) {
  const whole = join(folder, "tile", kind, path(n));
  const part = `${whole}.p/${width}`;
  const file = width < 256 && existsSync(part) ? part : whole;
  if (!existsSync(file)) fail(`${file} is missing`);
  return readFileSync(file);
}

function leavesOf(bundle) {
  const list = [];
  for (let at = 0; at < bundle.length; ) {
    const length = bundle.readUInt16BE(at);
    list.push(bundle.subarray(at + 2, at + 2 + length));
    at += 2 + length;
  }
  return list;
}

// The roots of the log at some sizes, in one pass: a stack of the roots of whole subtrees.
function rootsAt(sizes) {
  const wanted = new Set(sizes);
  const roots = new Map([[0, sha256()]]);
  const stack = [];
  hashes.forEach((leaf, at) => {
    let h = leaf;
    for (let n = at; n % 2 === 1; n = Math.floor(n / 2)) h = nodeHash(stack.pop(), h);
    stack.push(h);
    if (wanted.has(at + 1)) roots.set(at + 1, stack.reduceRight((right, left) => nodeHash(left, right)));
  });
  return roots;
}

// The root of a list of hashes: neighbours are paired, the odd one goes up as it is.
function rootOf(hashes) {
  if (hashes.length === 0) return sha256();
  let level = hashes;
  while (level.length > 1) {
    const next = [];
    for (let i = 0; i < level.length; i += 2) next.push(i + 1 < level.length ? nodeHash(level[i], level[i + 1]) : level[i]);
    level = next;
  }
  return level[0];
}

// RFC 6962 §2.1.1, checked as RFC 9162 §2.1.3.2 says.
function included(leaf, index, size, proof, root) {
  let fn = index;
  let sn = size - 1;
  let r = leaf;
  for (const p of proof) {
    if (sn === 0) return false;
    if (fn % 2 === 1 || fn === sn) {
      r = nodeHash(p, r);
      while (fn % 2 === 0 && fn !== 0) {
        fn = Math.floor(fn / 2);
        sn = Math.floor(sn / 2);
      }
    } else {
      r = nodeHash(r, p);
    }
    fn = Math.floor(fn / 2);
    sn = Math.floor(sn / 2);
  }
  return sn === 0 && r.equals(root);
}

const signed = readFileSync(join(folder, "checkpoint"), "utf8");
const { size } = parse(signed);
const leaves = [];
for (let n = 0; n * 256 < size; n++) {
  const width = Math.min(256, size - n * 256);
  const list = leavesOf(tile("entries", n, width)).slice(0, width);
  if (list.length < width) fail(`bundle ${n} has ${list.length} leaves, it needs ${width}`);
  leaves.push(...list);
}
const named = leaves.map((l) => JSON.parse(l)).flatMap((l) => (l.type === "log.key" ? [l.key] : []));
const key = given ?? named.at(-1);
const checkpoint = parse(openNote(signed, key));
const hashes = leaves.map(leafHash);
if (!rootsAt([size]).get(size).equals(checkpoint.root)) fail(`the ${size} leaves do not make the signed root`);

// Tiles of hashes: level 0 are those of the leaves, each level above the roots of 256.
for (let level = 0, below = hashes; below.length > 0; level++) {
  for (let n = 0; n * 256 < below.length; n++) {
    const want = below.slice(n * 256, n * 256 + 256);
    const got = tile(String(level), n, want.length).subarray(0, want.length * 32);
    if (!got.equals(Buffer.concat(want))) fail(`tile ${level}/${n} holds other hashes`);
  }
  const above = [];
  for (let n = 0; (n + 1) * 256 <= below.length; n++) above.push(rootOf(below.slice(n * 256, n * 256 + 256)));
  below = above;
}

// The proofs that lie beside the tiles, and an older checkpoint: each names a size.
const beside = join(folder, "entry");
const list = (existsSync(beside) ? readdirSync(beside) : []).flatMap((name) =>
  JSON.parse(readFileSync(join(beside, name), "utf8")).leaves.map((p) => ({ name, p })));
const notes = new Map();
const opened = (note) => {
  if (!notes.has(note)) notes.set(note, parse(openNote(note, key)));
  return notes.get(note);
};
const earlier = older && opened(readFileSync(older, "utf8"));
if (earlier && earlier.size > size) fail(`the log had ${earlier.size} leaves and has ${size}`);
for (const { p } of list) opened(p.checkpoint);
const roots = rootsAt([...notes.values()].map((c) => c.size));
for (const { name, p } of list) {
  const c = opened(p.checkpoint);
  const steps = p.path.map((h) => Buffer.from(h, "base64"));
  if (!leaves[p.index]?.equals(Buffer.from(p.leaf))) fail(`${name}: leaf ${p.index} is another one in the log`);
  if (!included(leafHash(Buffer.from(p.leaf)), p.index, c.size, steps, c.root)) fail(`${name}: leaf ${p.index} is not proven`);
  if (!roots.get(c.size)?.equals(c.root)) fail(`${name}: its checkpoint is of another log`);
}
if (earlier && !roots.get(earlier.size)?.equals(earlier.root)) fail(`the log does not continue that of ${earlier.size} leaves`);
console.log(`${size} leaves, ${list.length} proofs: signed by ${key}`);
