// Judges the MCP endpoint: judge.mjs PROGRAM SITE_DIR. scenarios.tsv says of
// every scenario of the conformance suite whether it applies to a read-only
// server; those that do must pass all their checks ("Passed: n/n") in every
// revision they belong to. A scenario that the table does not name is a failure.
import { spawn, spawnSync } from "node:child_process";
import { mkdtempSync, openSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";

const [program, site] = process.argv.slice(2);
const bin = process.env.MCP_JUDGES;
const revisions = ["2025-06-18", "2025-11-25", "2026-07-28"];
const scratch = mkdtempSync(join(tmpdir(), "assay-mcp-"));
const faults = [];

const plain = (s) => s.replace(/\x1b\[[0-9;]*m/g, "");

function run(name, ...args) {
  const r = spawnSync(join(bin, name), args, { encoding: "utf8", timeout: 120_000, env: { ...process.env, HOME: scratch } });
  if (r.error) throw new Error(`${name}: ${r.error.message}`);
  return { status: r.status, out: plain(r.stdout), err: plain(r.stderr) };
}

// serve starts the program and gives the address that it names. It logs to a
// file, because nobody reads a pipe while a judge runs.
async function serve() {
  const log = join(scratch, "serve.log");
  const child = spawn(program, ["serve", "--site", site, "--addr", "127.0.0.1:0", "--db", `sqlite:${join(scratch, "assay.db")}`],
    { stdio: ["ignore", "ignore", openSync(log, "w")] });
  for (let waited = 0; waited < 600; waited++) {
    const found = /^serving .* at (http:\/\/\S+)$/m.exec(readFileSync(log, "utf8"));
    if (found) return { child, url: found[1] + "/mcp" };
    if (child.exitCode !== null) break;
    await setTimeout(100);
  }
  child.kill();
  throw new Error("the service does not start:\n" + readFileSync(log, "utf8"));
}

function table() {
  const rows = readFileSync(".ci/mcp/scenarios.tsv", "utf8").trim().split("\n").slice(1);
  return rows.map((line) => {
    const [scenario, only, verdict, argument] = line.split("\t");
    return { scenario, only, applies: verdict.startsWith("pass"), but: verdict.split(" ").slice(2), argument };
  });
}

// scenarios lists the suite's own, with the revisions each belongs to.
function scenarios() {
  return [...run("conformance", "list", "--server").out.matchAll(/^ {2}- (\S+) \[(.*)\]$/gm)].map((m) => ({ name: m[1], in: m[2].split(",") }));
}

function judge(url, row, revision) {
  const r = run("conformance", "server", "--url", url, "--spec-version", revision, "--scenario", row.scenario, "-o", scratch);
  const said = /^Passed: (\d+)\/(\d+), (\d+) failed, (\d+) warnings$/m.exec(r.out);
  const failed = [...r.out.matchAll(/\[(\S+)\s*\] FAILURE/g)].map((m) => m[1]).sort();
  const [passed, all, , warnings] = said ? said.slice(1).map(Number) : [0, 0, 0, 0];
  const fine = said && passed > 0 && warnings === 0 && all - passed === row.but.length && failed.join() === [...row.but].sort().join();
  if (!fine) faults.push(`${revision} ${row.scenario}: ${said ? said[0] : "no result"}\n${r.out}${r.err}`);
  return fine ? all - row.but.length : 0;
}

function conformance(url) {
  const known = table();
  let checks = 0, judged = 0;
  for (const s of scenarios()) {
    for (const revision of s.in.includes("extension") ? ["extension"] : s.in) {
      const row = known.find((k) => k.scenario === s.name && (k.only === "all" || k.only === revision));
      if (!row) faults.push(`scenarios.tsv does not say whether ${s.name} applies in ${revision}`);
      else if (!row.applies && !row.argument) faults.push(`scenarios.tsv gives no argument why ${s.name} does not apply`);
      else if (row.applies && revisions.includes(revision)) {
        checks += judge(url, row, revision);
        judged++;
      }
    }
  }
  for (const row of known) if (!scenarios.names.has(row.scenario)) faults.push(`scenarios.tsv names ${row.scenario}, which the suite does not have`);
  if (judged < 20) faults.push(`only ${judged} scenarios apply`);
  return `conformance: Passed: ${checks}/${checks} checks of ${judged} scenarios in ${revisions.length} revisions`;
}

function inspect(url) {
  const ask = (era, ...args) => run("mcp-inspector", "--cli", url, "--transport", "http", "--protocol-era", era, ...args);
  let tools = 0;
  for (const era of ["legacy", "modern"]) {
    const list = ask(era, "--method", "tools/list", "--strict");
    if (list.status !== 0 || /^(Warning|Error)/m.test(list.err)) faults.push(`inspector --strict, ${era}: status ${list.status}\n${list.err.slice(0, 4000)}`);
    else tools = JSON.parse(list.out).tools.length;
    for (const args of [["tools/call", "--tool-name", "catalog_summary"], ["tools/call", "--tool-name", "search_entries", "--tool-arg", "q=water"],
      ["resources/list"], ["resources/templates/list"], ["prompts/list"],
      ["prompts/get", "--prompt-name", "find_source", "--prompt-args", "topic=air"]]) {
      const r = ask(era, "--method", ...args);
      if (r.status !== 0) faults.push(`inspector, ${era}, ${args.join(" ")}: status ${r.status}\n${r.out.slice(0, 2000)}${r.err.slice(0, 2000)}`);
    }
    const wrong = ask(era, "--method", "tools/call", "--tool-name", "get_entry", "--tool-arg", "idOrSlug=nothing-of-this-name");
    if (wrong.status !== 5) faults.push(`inspector, ${era}: an unknown entry gives status ${wrong.status}, not 5 (isError)`);
  }
  return `inspector: --strict is clean for ${tools} tools in both eras`;
}

const { child, url } = await serve();
try {
  const list = scenarios();
  scenarios.names = new Set(list.map((s) => s.name));
  console.log(conformance(url));
  console.log(inspect(url));
  const agent = spawnSync(process.execPath, [".ci/mcp/agents.mjs", url], { encoding: "utf8", timeout: 120_000 });
  process.stdout.write(agent.stdout);
  if (agent.status !== 0) faults.push(`agents: ${agent.stderr}`);
} finally {
  child.kill();
  rmSync(scratch, { recursive: true, force: true });
}
if (faults.length > 0) {
  console.error(faults.join("\n\n"));
  process.exit(1);
}
