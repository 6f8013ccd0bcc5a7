// Has the register of a whole country read by clients of its protocols: belgium.mjs PROGRAM [FOLDER [JUDGE...]]
//
// The catalogue of Belgium (some 18,000 records) is harvested and built in FOLDER, a temporary one by default,
// and served. Each judge must pass, in bounded memory: the SHACL shapes of DCAT-AP in all pages and the event
// stream, rapper and rdflib in all syntaxes, OWSLib, HTTP::OAI, CKAN, hyparquet and sqlite-wasm-http, the questions of an agent, our own
// harvest over every view, all pages of entries read for contradictions, the browser for 300 random datasets on a phone, and last ldes-client on two days. Without the capture it says so and passes. A FOLDER is kept, so
// that a JUDGE, a part of the names below, can be asked again: what was harvested and fetched is not made anew.
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join, resolve } from "node:path";
import { register } from "./serve.mjs";

const [program, kept, ...only] = process.argv.slice(2);
const capture = resolve(process.env.ASSAY_CAPTURES ?? "../shared/data", "dcat-large/belgium-full-2025-04.ttl.gz");
const shapes = join(resolve(process.env.ASSAY_STANDARDS ?? "../shared/standards"), "dcat-ap-3.0.1/shapes");
if (!existsSync(capture)) {
  console.error(`belgium: MISSING CAPTURE: ${capture} (ASSAY_CAPTURES names the folder). NOTHING WAS JUDGED.`);
  process.exit(0);
}
const folder = kept ? resolve(kept) : mkdtempSync(join(process.env.ASSAY_SCRATCH ?? tmpdir(), "assay-belgium-"));
mkdirSync(folder, { recursive: true });
const serverMax = 1 << 30;
// A judge in pieces that ends with this is asked to go on; what it judged is kept beside the mirror.
const again = 3, pieceSeconds = 300;
const faults = [];

// judge runs one; a failure is told at the end, so that one does not hide the next.
function judge(what, command, args, more = {}) {
  if (only.length === 0 || only.some((name) => what.includes(name))) always(what, command, args, more);
}

// always runs one that others need, also where it is not asked for.
function always(what, command, args, more = {}) {
  const begun = Date.now();
  const r = spawnSync(command, args, { stdio: "inherit", env: { ...process.env, ...more } });
  if (r.status === again && args.includes("--kept")) return always(what, command, args, more);
  console.log(`belgium: ${what}: ${r.status === 0 ? "passed" : "FAILED"} in ${Math.round((Date.now() - begun) / 1000)} s`);
  if (r.status !== 0) faults.push(what);
}

try {
  const { base, run, serve } = await register(resolve(program), folder);
  const config = join(folder, "assay.yaml");
  writeFileSync(config, JSON.stringify({ sources: [{ key: "belgium", kind: "dcat", url: "https://data.gov.be/", file: capture, title: "belgium", official: "read by clients", country: "BE" }] }));
  // Records without a title are rejected, with which a run ends with 1.
  if (!existsSync(join(folder, "assay.db"))) try { run(["harvest", "belgium", "--config", config, "--report", join(folder, "report.json")]); } catch (e) { if (!existsSync(join(folder, "report.json"))) throw e; }
  run(["build", "--config", config]);
  const stop = await serve();
  try {
    const mirror = join(folder, "mirror");
    if (only.length === 0 || !existsSync(mirror)) {
      rmSync(mirror, { recursive: true, force: true });
      always("the pages and the event stream are fetched", process.execPath, [".ci/protocols/mirror.mjs", base, mirror]);
    }
    if (existsSync(shapes)) judge("SHACL in pieces, with a heap of 1 GiB", process.execPath, ["--max-old-space-size=1024", ".ci/dcat/shacl.mjs", "--kept", join(folder, "shacl"), String(pieceSeconds), mirror, shapes]);
    else console.error(`belgium: MISSING JUDGE: the official shapes (${shapes})`);
    const pages = join(mirror, "s", readdirSync(join(mirror, "s"))[0], "api/v1/catalog/dcat");
    const all = readdirSync(pages).filter((f) => f.endsWith(".ttl")).map((f) => join(pages, f)).sort();
    judge("rapper reads the same in Turtle and RDF/XML", ".ci/dcat/rapper.sh", all);
    // A page in three syntaxes takes rdflib a minute: a page at a time, so that no more than one is held.
    for (const page of all) judge(`rdflib reads one graph, ${basename(page)}`, "/usr/bin/python3", [".ci/dcat/jsonld.py", page]);
    judge("json-gold reads one graph", "go", ["test", "-vet=off", "-count=1", "-timeout", "2h", "-run", "^TestSiteIsOneGraph$", "./render/dcat"], { DCAT_SITE: mirror, DCAT_PAGES: all.map((page) => basename(page)).join(","), GOMEMLIMIT: "1GiB" });
    judge("pages that contradict nothing", "go", ["run", "./cmd/internal/agree", "-forms", "render/usage/testdata/forms.json", base]);
    judge("OWSLib", "/usr/bin/python3", [".ci/protocols/owslib_client.py", base]);
    judge("HTTP::OAI", "/usr/bin/perl", [".ci/protocols/oai.pl", base]);
    judge("CKAN", "/usr/bin/python3", [".ci/protocols/ckan.py", base]);
    judge("Parquet and SQLite by ranges, at most 2 %", process.execPath, [".ci/protocols/remote.mjs", "--share", "0.02", base]);
    for (const tasks of ["belgium", "belgium-held-out"]) judge(`an agent's questions (${tasks})`, process.execPath, [".ci/mcp/agents.mjs", `${base}/mcp`, `.ci/mcp/${tasks}.tsv`], { MCP_MODULES: resolve(".cache/mcp/node_modules") });
    judge("our own harvest of every view", "go", ["test", "-vet=off", "-count=1", "-timeout", "2h", "-run", "TestComesBackAtScale", "./cmd/assay"], { ASSAY_REGISTER: base, ASSAY_REGISTER_DB: `sqlite:${join(folder, "assay.db")}`, ASSAY_PROGRAM: resolve(program) });
  } finally {
    const peak = await stop();
    console.log(`belgium: the service took at most ${Math.round(peak / (1 << 20))} MiB`);
    if (peak > serverMax) faults.push("the service's memory");
  }
  judge("300 datasets on a phone", ".ci/browser/downloads.sh", [join(folder, "site")], { ASSAY: resolve(program) });
  judge("ldes-client, two days", process.execPath, ["--max-old-space-size=4096", ".ci/protocols/ldes.mjs", program, folder], { LOG_LEVEL: "error" });
} finally {
  if (!kept) rmSync(folder, { recursive: true, force: true });
}
if (faults.length > 0) {
  console.error(`belgium: ${faults.length} judges failed: ${faults.join(", ")}`);
  process.exit(1);
}
