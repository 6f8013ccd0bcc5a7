// The demo as a visitor starts it, for what walks through it.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";

// startDemo starts `assay demo` with its files in a folder. What it says of itself is found by the
// patterns: each name of patterns gets the first group of its own. said tells all that it wrote,
// ended is its exit code.
export async function startDemo(temporary, patterns) {
  const demo = spawn(process.env.ASSAY ?? "bin/assay", ["demo", "--addr", "127.0.0.1:0"], { env: { ...process.env, TMPDIR: temporary }, stdio: ["ignore", "ignore", "pipe"] });
  const ended = new Promise((done) => demo.once("exit", done));
  let said = "";
  await new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(`the demo did not start: ${said}`)), 240_000);
    demo.stderr.on("data", (piece) => {
      said += piece;
      if (!/serving .* at http/.test(said)) return;
      clearTimeout(timer);
      resolve();
    });
    ended.then((code) => reject(new Error(`the demo ended with ${code}: ${said}`)));
  });
  const find = (pattern) => { const m = pattern.exec(said); assert.ok(m, `the demo does not say ${pattern}`); return m[1]; };
  return { demo, ended, said: () => said, guide: Object.fromEntries(Object.entries(patterns).map(([name, pattern]) => [name, find(pattern)])) };
}

// until asks again and again, for a number of milliseconds, and gives the first answer that is one.
export async function until(what, ask, ms = 60_000) {
  for (const end = Date.now() + ms; Date.now() < end;) {
    const answer = await ask();
    if (answer) return answer;
    await new Promise((done) => setTimeout(done, 50));
  }
  return assert.fail(`${what} did not come`);
}
