// Reads the Parquet and SQLite exports where they lie, in parts, with the clients of others:
// remote.mjs --share SHARE BASE
//
// hyparquet reads two columns of the table, and all of its parts; sqlite-wasm-http finds an entry by its slug and
// counts rows by one that is indexed; a proxy counts the bytes. Each must get the rows that the
// lines of the register have, without the whole file: at most SHARE of it.
import { createServer, request } from "node:http";
import { createRequire } from "node:module";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";

const modules = resolve(process.env.NODE_MODULES ?? ".cache/protocols/node_modules");
const load = (path) => import(pathToFileURL(join(modules, path)));
const [base, share] = [process.argv[4], Number(process.argv[3])];
const WebWorker = createRequire(join(modules, "x.js"))("web-worker");
globalThis.Worker = class extends WebWorker { constructor(url) { super(url, { type: "module" }); } };
const { asyncBufferFromUrl, parquetMetadataAsync, parquetReadObjects } = await load("hyparquet/src/index.js");
const { createHttpBackend, createSQLiteThread } = await load("sqlite-wasm-http/dist/index.js");

let bytes = 0, asked = 0;
const proxy = createServer((req, res) => {
  request(base + req.url, { method: req.method, headers: { ...req.headers, host: new URL(base).host } }, (answer) => {
    if (req.method === "GET") asked++;
    answer.on("data", (chunk) => { bytes += chunk.length; });
    res.writeHead(answer.statusCode, answer.headers);
    answer.pipe(res);
  }).on("error", () => res.destroy()).end();
});
await new Promise((done) => proxy.listen(0, "127.0.0.1", done));
const through = `http://127.0.0.1:${proxy.address().port}`;

// judged gives what a question cost and found, and holds it to its share of the file.
async function judged(what, path, ask) {
  const size = Number((await fetch(base + path, { method: "HEAD" })).headers.get("content-length"));
  bytes = asked = 0;
  const found = await ask(through + path);
  const said = `${what}: ${bytes} of ${size} bytes (${(100 * bytes / size).toFixed(2)} %) in ${asked} requests`;
  if (!(asked > 1) || !(bytes < share * size)) throw new Error(`${said}, at most ${100 * share} % in several are right`);
  console.log(said);
  return found;
}

const rows = (await (await fetch(base + "/api/v1/export/entries.ndjson")).text()).trim().split("\n").map((l) => JSON.parse(l));
const same = (what, got, want) => { if (JSON.stringify(got) !== JSON.stringify(want)) throw new Error(`${what}: ${JSON.stringify(got)?.slice(0, 300)}, not ${JSON.stringify(want).slice(0, 300)}`); };
const count = (list, key) => list.reduce((all, r) => { const k = key(r) ?? ""; all[k] = (all[k] ?? 0) + 1; return all; }, {});
const sorted = (counts) => Object.entries(counts).sort(([a], [b]) => (a < b ? -1 : 1));

const columns = ["type", "access_rights"];
const table = await judged("hyparquet, two columns", "/api/v1/export/entries.parquet", async (url) => {
  const file = await asyncBufferFromUrl({ url });
  const { compressors } = await load("hyparquet-compressors/src/index.js");
  return parquetReadObjects({ file, metadata: await parquetMetadataAsync(file, { initialFetchSize: 1 << 10 }), columns, compressors });
});
same("hyparquet", sorted(count(table, (r) => `${r.type} ${r.access_rights ?? ""}`)), sorted(count(rows, (r) => `${r.type} ${r.access_rights ?? ""}`)));

// The parts hold each entry once, in the part of its country, and are what their list says.
const list = await (await fetch(base + "/api/v1/export/parquet")).json();
const inParts = [];
for (const part of list.parts) {
  const file = await asyncBufferFromUrl({ url: through + part.url.slice(list.source.length) });
  const { compressors } = await load("hyparquet-compressors/src/index.js");
  const rows = await parquetReadObjects({ file, columns: ["id", "country_code"], compressors });
  same(part.url, [file.byteLength, rows.length, rows[0]?.id ?? "", rows.at(-1)?.id ?? ""], [part.bytes, part.rows, part.first_id, part.last_id]);
  if (list.partitioned_by.length > 0) same(part.url, [...new Set(rows.map((r) => r.country_code ?? null))], [part.country_code]);
  inParts.push(...rows.map((r) => r.id));
}
same("the parts of the table", inParts.sort(), rows.map((r) => r.id).sort());
console.log(`hyparquet: ${inParts.length} entries in ${list.parts.length} parts`);

const backend = createHttpBackend({ maxPageSize: 4096, timeout: 20_000, cacheSize: 4096 });
const db = await createSQLiteThread({ http: backend });
const wanted = rows[Math.floor(rows.length / 2)];
const select = (sql, bind) => new Promise((done, fail) => {
  const out = [];
  db("exec", { sql, bind, rowMode: "array", callback: (m) => { if (m.row) out.push([...m.row]); else done(out); } }).catch(fail);
});
const found = await judged("sqlite-wasm-http, one entry", "/api/v1/export/entries.sqlite", async (url) => {
  await db("open", { filename: "file:" + encodeURI(url), vfs: "http" });
  return select("SELECT id, name FROM entries WHERE slug = $slug", { $slug: wanted.slug });
});
same("sqlite-wasm-http", found, [[wanted.id, wanted.name]]);
await db("close", {});
db.close();
await backend.close();
proxy.close();
proxy.closeAllConnections();
process.exit(0);
