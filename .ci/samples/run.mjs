// Runs samples of JavaScript and of DuckDB: reads a list of {id, language, code} and tells what
// each printed. Modules lie beside the packages that they import.
import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { inspect } from "node:util";
import { DuckDBInstance } from "@duckdb/node-api";

Object.assign(process.env, { TOKEN: "token", USERNAME: "user", PASSWORD: "secret" });
const work = mkdtempSync(join(import.meta.dirname, "run-"));
process.chdir(mkdtempSync(join(tmpdir(), "samples-")));
const tell = process.stdout.write.bind(process.stdout);
const database = await (await DuckDBInstance.create(":memory:")).connect();
let printed = [];
console.log = (...values) => printed.push(values.map((v) => (typeof v === "string" ? v : inspect(v, { depth: 6 }))).join(" "));

const runs = {
  async JavaScript(code, n) {
    const file = join(work, `${n}.mjs`);
    writeFileSync(file, code);
    await import(file);
  },
  async DuckDB(code) {
    const rows = await database.runAndReadAll(code);
    console.log(rows.columnNames(), rows.getRowsJson());
  },
};
for (const [n, { id, language, code }] of JSON.parse(readFileSync(process.argv[2], "utf8")).entries()) {
  printed = [];
  let error = "";
  try {
    await runs[language](code, n);
  } catch (e) {
    error = String(e.stack ?? e);
  }
  tell(`${JSON.stringify({ id, output: printed.join("\n"), error })}\n`);
}
process.exit(0);
