// Validates the DCAT-AP pages of a built site against the official shapes and
// those of the project: node shacl.mjs [--kept FOLDER SECONDS] SITE SHAPES [REPORT]
//
// With --kept FOLDER SECONDS the verdict over each document is kept in the folder, under the hashes of the document and the
// shapes; when the time is over it ends with 3, and the next call goes on there: a large register is judged in pieces.
//
// SHAPES is the folder of shapes.ttl and dcat-ap-SHACL.ttl. Each page is a graph
// of its own, as who reads it alone has it, and together they hold every entry. A member of the feed is one entry
// alone, so the class of what it leads to is that which the feed says of it. With REPORT, what was found is
// written there as a sh:ValidationReport that names the documents by their hash,
// so that `assay check` can tell what it is about. Exit status: 1 when there is
// a violation, or when more than 5 % of the entries are left out.
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, readdirSync, renameSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

const here = dirname(fileURLToPath(import.meta.url));
const require = createRequire(join(process.env.NODE_MODULES ?? resolve(here, "../../.cache/node/node_modules"), "x.js"));
const { DataFactory, Parser, Store } = require("n3");
const { default: Validator } = await import(pathToFileURL(require.resolve("rdf-validate-shacl")));

const begun = Date.now();
const given = process.argv.slice(2);
const [kept, seconds] = given[0] === "--kept" ? given.splice(0, 3).slice(1) : [undefined, Infinity];
const [site, shapesDir, report] = given;
if (!shapesDir) {
  console.error("usage: node shacl.mjs [--kept FOLDER SECONDS] SITE SHAPES [REPORT]");
  process.exit(2);
}
if (kept) mkdirSync(kept, { recursive: true });
const leftOutMax = 0.05;
const resultsMax = 100;
const sha256 = (data) => createHash("sha256").update(data).digest("hex");
const local = (iri) => iri.slice(iri.search(/[^#/]*$/));

const { namedNode, quad } = DataFactory;
// What the ontologies behind the shapes say of the classes that are used here
// (DCAT 3, DCMI Terms, vCard); the shapes ask for the broader ones.
const broader = [
  ["http://www.w3.org/ns/dcat#", "Resource", ["Dataset", "DataService", "Catalog"]],
  ["http://www.w3.org/2006/vcard/ns#", "Kind", ["Organization"]],
  ["http://purl.org/dc/terms/", "MediaTypeOrExtent", ["MediaType"]],
].flatMap(([ns, above, below]) => below.map((b) =>
  quad(namedNode(ns + b), namedNode("http://www.w3.org/2000/01/rdf-schema#subClassOf"), namedNode(ns + above))));

const profiles = [
  ["base", join(shapesDir, "shapes.ttl")],
  ["generated", join(shapesDir, "dcat-ap-SHACL.ttl")],
  ["project", join(here, "project.ttl")],
].map(([name, file]) => {
  const text = readFileSync(file, "utf8");
  const shapes = new Store(new Parser().parse(text));
  return { name, sha256: sha256(text), shapes, validator: new Validator(shapes) };
});

// pages are the Turtle pages of the newest snapshot on disk.
function pages() {
  const out = [];
  for (const id of readdirSync(join(site, "s")).sort()) {
    if (snapshot && id !== snapshot.snapshot) continue;
    const dir = join("s", id, "api/v1/catalog/dcat");
    if (!existsSync(join(site, dir))) continue;
    const list = readdirSync(join(site, dir)).filter((f) => /^\d+\.ttl$/.test(f));
    out.push(...list.sort((a, b) => parseInt(a) - parseInt(b)).map((f) => `/${dir}/${f}`));
  }
  return out;
}

const read = (route) => readFileSync(join(site, route));
const snapshot = existsSync(join(site, "snapshot.json")) ? JSON.parse(read("snapshot.json")) : undefined;
const documents = [];
const results = [];
const counts = { Violation: 0, Warning: 0, Info: 0 };
const sh = "http://www.w3.org/ns/shacl#", rdfType = namedNode("http://www.w3.org/1999/02/22-rdf-syntax-ns#type");

// classes are those of the entries of the feed; apart are results that say of a link of a member only that what it
// leads to has not the class, which another member may say.
const classes = new Set(), apart = [];

function found(document, profile, r) {
  counts[r.severity] = (counts[r.severity] ?? 0) + 1;
  if (r.severity === "Violation" && results.length < resultsMax) results.push({ document, profile, ...r, severity: undefined });
}

// told is what is kept of a result: with it its graph would stay in memory.
const told = (r) => ({ severity: r.severity ? local(r.severity.value) : "Violation", focusNode: r.focusNode?.value, resultPath: r.path?.value, value: r.value?.value,
  sourceConstraintComponent: r.sourceConstraintComponent?.value, resultMessage: r.message.map((m) => m.value).join("; ") });

// validate adds what a graph comes to under a profile to the verdict over its document.
async function validate(verdict, { name, validator, shapes }, data, alone = true) {
  for (const r of (await validator.validate(data)).results) {
    const [asked] = !alone && r.sourceConstraintComponent?.value === sh + "ClassConstraintComponent" ? shapes.getObjects(r.sourceShape, namedNode(sh + "class"), null) : [];
    const apart = asked && r.value?.termType === "NamedNode" && data.countQuads(r.value, null, null) === 0;
    verdict.results.push({ name, r: told(r), ...(apart && { member: `${r.value.value} ${local(asked.value)}` }) });
  }
}

async function judgePage(text) {
  const data = new Store(new Parser().parse(text)), verdict = { statements: data.size, results: [] };
  data.addQuads(broader);
  for (const profile of profiles) await validate(verdict, profile, data);
  return verdict;
}

// The feed, a member at a time: what each activity says of its entry passes the same shapes without what others say,
// and the activities the one that the feed names. It has no target of its own: the stream says that it is the shape of
// its members.
const feed = join(site, "api/v1/ldes");
const fragments = existsSync(feed) ? readdirSync(feed, { recursive: true }).filter((f) => f.endsWith(".trig")).sort() : [];
let feedShape;
if (fragments.length > 0) {
  const text = read("/api/v1/ldes/shape.ttl").toString(), store = new Store(new Parser().parse(text));
  const [activity] = store.getSubjects(null, namedNode("http://www.w3.org/ns/shacl#NodeShape"), null);
  store.addQuad(quad(activity, namedNode("http://www.w3.org/ns/shacl#targetSubjectsOf"), namedNode("https://www.w3.org/ns/activitystreams#object")));
  feedShape = { name: "feed", sha256: sha256(text), shapes: store, validator: new Validator(store) };
}

async function judgeFragment(text) {
  const activity = new Store(), said = new Map(), verdict = { results: [], classes: [] };
  for (const q of new Parser({ format: "TriG" }).parse(text)) {
    if (q.graph.termType === "DefaultGraph") activity.addQuad(q);
    else {
      if (!said.has(q.graph.value)) said.set(q.graph.value, new Store(broader));
      said.get(q.graph.value).addQuad(quad(q.subject, q.predicate, q.object));
    }
    if (q.predicate.equals(rdfType) && ["Dataset", "DatasetSeries", "DataService"].includes(local(q.object.value))) for (const c of [local(q.object.value), "Resource"]) verdict.classes.push(`${q.subject.value} ${c}`);
  }
  verdict.activities = activity.getQuads(null, namedNode("https://www.w3.org/ns/activitystreams#object"), null).length;
  for (const member of said.values()) for (const profile of profiles) await validate(verdict, profile, member, false);
  await validate(verdict, feedShape, activity);
  return verdict;
}

// verdictOf judges a document, or takes up what was kept of it. The program and its library are part of what is judged by.
const judges = sha256(JSON.stringify([readFileSync(fileURLToPath(import.meta.url), "utf8"), require("rdf-validate-shacl/package.json").version, [...profiles, ...(feedShape ? [feedShape] : [])].map((p) => p.sha256)]));
const all = [...pages().map((route) => ({ route, judge: judgePage })), ...fragments.map((f) => ({ route: "/api/v1/ldes/" + f, judge: judgeFragment }))];
let judgedNow = 0;
async function verdictOf({ route, judge }, n) {
  const bytes = read(route), hash = sha256(bytes), file = kept && join(kept, sha256(hash + judges) + ".json");
  if (kept && existsSync(file)) return { hash, ...JSON.parse(readFileSync(file, "utf8")) };
  if (judgedNow > 0 && Date.now() - begun > 1000 * seconds) {
    console.error(`SHACL: ${n} of ${all.length} documents are judged`);
    process.exit(3);
  }
  const verdict = await judge(bytes.toString());
  judgedNow++;
  if (kept) {
    writeFileSync(file + ".new", JSON.stringify(verdict));
    renameSync(file + ".new", file);
  }
  return { hash, ...verdict };
}

let activities = 0;
for (const [n, document] of all.entries()) {
  const verdict = await verdictOf(document, n);
  if (document.judge === judgePage) documents.push({ route: document.route, sha256: verdict.hash, statements: verdict.statements });
  activities += verdict.activities ?? 0;
  for (const c of verdict.classes ?? []) classes.add(c);
  for (const { name, r, member } of verdict.results) {
    if (member) apart.push({ document: document.route, name, r, member });
    else found(document.route, name, r);
  }
}
for (const { document, name, r, member } of apart) if (!classes.has(member)) found(document, name, r);
if (documents.length === 0) {
  console.error(`${site} holds no pages of the catalogue`);
  process.exit(2);
}

// The entries that DCAT-AP cannot hold are counted by reason in the summary.
let entries, leftOut = [];
if (snapshot) {
  entries = snapshot.entries;
  leftOut = JSON.parse(read("api/v1/catalog/summary/index.json")).dcat_left_out;
}
const missing = leftOut.reduce((n, r) => n + r.count, 0);
const conforms = counts.Violation === 0;

if (report) {
  const term = (name, more = {}) => ({ "@id": sh + name, ...more });
  const body = {
    "@context": {
      conforms: term("conforms", { "@type": "http://www.w3.org/2001/XMLSchema#boolean" }),
      results: term("result", { "@container": "@set" }), focusNode: term("focusNode", { "@type": "@id" }), resultPath: term("resultPath", { "@type": "@id" }),
      value: term("value"), resultMessage: term("resultMessage"), sourceConstraintComponent: term("sourceConstraintComponent", { "@type": "@id" }),
    },
    "@id": snapshot.base_url + "/reports/dcat-ap-shacl.jsonld", "@type": sh + "ValidationReport",
    snapshot: snapshot.snapshot, conforms, counts, results, entries, left_out: leftOut,
    shapes: profiles.map(({ name, sha256 }) => ({ name, sha256 })), documents,
  };
  mkdirSync(dirname(report), { recursive: true });
  writeFileSync(report, JSON.stringify(body) + "\n");
}
for (const r of results) console.error(`${r.document}: [${r.profile}] ${r.focusNode} ${r.resultPath ?? ""} ${r.value ?? ""}: ${r.resultMessage}`);
console.error(`SHACL: ${documents.length} pages, ${fragments.length} fragments of the feed with ${activities} activities, ${documents.reduce((n, d) => n + d.statements, 0)} statements, ${counts.Violation} violations, ` +
  `${counts.Warning} warnings, ${apart.length} links between members of the feed${entries === undefined ? "" : `; ${missing} of ${entries} entries left out ${JSON.stringify(leftOut)}`}`);
if (entries && missing / entries > leftOutMax) {
  console.error(`more than ${leftOutMax * 100} % of the entries are left out`);
  process.exit(1);
}
process.exit(conforms ? 0 : 1);
