// Judges what an agent pays and finds: agents.mjs URL [TASKS]. Tokens are those of o200k. An
// agent that thinks nothing passes the sentence of each task unchanged and takes the first
// result; then it reads the entry, its rows, and how to fetch it. A task may have several right entries, with | between
// them; belgium.tsv and belgium-held-out.tsv are for the register of Belgium that belgium.mjs builds. The latter's questions, in
// six languages, were written before the rules that answer them.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";

const { encode } = createRequire(process.env.MCP_MODULES + "/")("gpt-tokenizer/encoding/o200k_base");
const [url, file = ".ci/mcp/tasks.tsv"] = process.argv.slice(2);
const limits = { "tools/list": 6000, "a default search": 3000, "a default list": 4000, "search, entry, rows, code": 8000 };
const rightAtLeast = 18, callsAtMost = 4;
let id = 0;

async function ask(method, params) {
  const response = await fetch(url, { method: "POST", headers: { "Content-Type": "application/json", Accept: "application/json, text/event-stream", "MCP-Protocol-Version": "2025-11-25" },
    body: JSON.stringify({ jsonrpc: "2.0", id: ++id, method, params }) });
  const answer = await response.json();
  if (answer.error || answer.result.isError) throw new Error(`${method} ${JSON.stringify(params)}: ${JSON.stringify(answer).slice(0, 400)}`);
  return answer.result;
}

const call = async (name, args) => (await ask("tools/call", { name, arguments: args })).content[0].text;
const tokens = (text) => encode(text).length;
const faults = [];
const spent = {
  "tools/list": tokens(JSON.stringify((await ask("tools/list", {})).tools)),
  "a default search": tokens(await call("search_entries", { q: "water" })),
  "a default list": tokens(await call("list_entries", {})),
  "search, entry, rows, code": 0,
};
let right = 0, most = 0, tasks = 0;
for (const line of readFileSync(file, "utf8").trim().split("\n").slice(1)) {
  const [question, entry] = line.split("\t");
  tasks++;
  let calls = 1;
  const found = await call("find_data", { question });
  const first = JSON.parse(found).items[0]?.slug;
  if (entry.split("|").includes(first)) right++;
  else console.error(`"${question}" finds ${first}, not ${entry}`);
  if (!first) continue;
  const read = await call("get_entry", { idOrSlug: first });
  const rows = await call("preview_entry", { id: first });
  calls += 2;
  spent["search, entry, rows, code"] = Math.max(spent["search, entry, rows, code"], tokens(found) + tokens(read) + tokens(rows));
  most = Math.max(most, calls);
}
for (const [what, limit] of Object.entries(limits)) {
  if (spent[what] >= limit) faults.push(`${what} takes ${spent[what]} tokens, ${limit} are too many`);
}
if (right < rightAtLeast) faults.push(`${right} tasks are answered right, ${rightAtLeast} must be`);
if (most > callsAtMost) faults.push(`a task takes ${most} calls`);
console.log("agents: " + Object.entries(spent).map(([what, n]) => `${what} ${n} tokens`).join(", ") + `; ${right} of ${tasks} tasks right, at most ${most} calls`);
if (faults.length > 0) {
  console.error(faults.join("\n"));
  process.exit(1);
}
