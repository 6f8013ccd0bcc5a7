// Reads Turtle with n3 and prints sorted N-Triples: node ntriples.mjs FILE...
// A second reader of what Go wrote. Anything that n3 complains about ends it.
import { createRequire } from "node:module";
import { readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";

const modules = process.env.NODE_MODULES ?? resolve(import.meta.dirname ?? ".", "../../.cache/node/node_modules");
const { Parser, Writer } = createRequire(join(modules, "x.js"))("n3");

const writer = new Writer({ format: "N-Triples" });
for (const file of process.argv.slice(2)) {
  const lines = new Set();
  for (const q of read(file)) {
    if (q.subject.termType !== "NamedNode" || q.object.termType === "BlankNode") throw new Error(`${file}: blank node`);
    lines.add(writer.quadToString(q.subject, q.predicate, q.object));
  }
  writeFileSync(1, [...lines].sort().join(""));
}

function read(file) {
  try {
    return new Parser({ format: "text/turtle" }).parse(readFileSync(file, "utf8"));
  } catch (e) {
    throw new Error(`${file}: ${e.message}`);
  }
}
