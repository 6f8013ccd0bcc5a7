// Reads Turtle with n3 and prints sorted N-Triples: node ntriples.mjs FILE
// A second reader of what Go wrote. Anything that n3 complains about ends it.
import { createRequire } from "node:module";
import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";

const modules = process.env.NODE_MODULES ?? resolve(import.meta.dirname ?? ".", "../../.cache/node/node_modules");
const { Parser, Writer } = createRequire(join(modules, "x.js"))("n3");

const file = process.argv[2];
const quads = new Parser({ format: "text/turtle" }).parse(readFileSync(file, "utf8"));
const writer = new Writer({ format: "N-Triples" });
const lines = new Set();
for (const q of quads) {
  if (q.subject.termType !== "NamedNode" || q.object.termType === "BlankNode") throw new Error(`${file}: blank node`);
  lines.add(writer.quadToString(q.subject, q.predicate, q.object));
}
process.stdout.write([...lines].sort().join(""));
