// Fetches what harvesters of DCAT-AP read of a register, as they find it, into a folder that lies like a
// site: mirror.mjs BASE FOLDER
//
// The pages in all syntaxes, from the start along `hydra:next`, and the event stream along its
// relations. Nothing is held but a page.
import { mkdirSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join, resolve } from "node:path";

const require = createRequire(join(resolve(process.env.NODE_MODULES ?? ".cache/node/node_modules"), "x.js"));
const { Parser } = require("n3");
const [base, folder] = process.argv.slice(2);
const hydraNext = "http://www.w3.org/ns/hydra/core#next", treeNode = "https://w3id.org/tree#node";

// keep fetches a document into its place, and gives its text.
async function keep(address, path = new URL(address).pathname) {
  const answer = await fetch(address);
  if (!answer.ok) throw new Error(`${address}: ${answer.status}`);
  const text = await answer.text(), to = join(folder, path ?? new URL(answer.url).pathname);
  mkdirSync(dirname(to), { recursive: true });
  writeFileSync(to, text);
  return { text, at: answer.url };
}

const leads = (text, at, predicate) => new Parser({ baseIRI: at }).parse(text).filter((q) => q.predicate.value === predicate).map((q) => q.object.value);

let pages = 0, fragments = 0;
for (let at = `${base}/api/v1/catalog/dcat/1.ttl`; at; pages++) {
  const page = await keep(at, null);
  for (const form of ["jsonld", "rdf"]) await keep(page.at.replace(/ttl$/, form));
  [at] = leads(page.text, page.at, hydraNext);
}
const told = new Set([`${base}/api/v1/ldes`]);
for (const at of told) {
  const { text } = await keep(at, at.endsWith(".ttl") || at.endsWith(".trig") ? undefined : "/api/v1/ldes/index.ttl");
  if (at.endsWith(".trig")) fragments++;
  else for (const node of leads(text, at, treeNode)) told.add(node);
}
await keep(`${base}/api/v1/ldes/shape.ttl`);
await keep(`${base}/snapshot.json`);
await keep(`${base}/api/v1/catalog/summary`, "/api/v1/catalog/summary/index.json");
console.log(`mirror: ${pages} pages in 3 syntaxes, ${fragments} fragments of the feed`);
