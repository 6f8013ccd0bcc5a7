// Runs a command with the address of a service, its last argument: served.mjs PROGRAM [--site SITE] COMMAND...
// It serves the sample register, whose documents name the address, or a site that is built already.
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { register } from "./serve.mjs";

let [program, ...command] = process.argv.slice(2);
const folder = mkdtempSync(join(tmpdir(), "assay-served-"));
let status = 1;
try {
  const built = command[0] === "--site" && resolve(command[1]);
  const { base, run, serve } = await register(resolve(program), folder, built || join(folder, "site"));
  if (built) command = command.slice(2);
  else run(["demo", "--build-only"]);
  const stop = await serve();
  try {
    status = spawnSync(command[0], [...command.slice(1), base], { stdio: "inherit" }).status ?? 1;
  } finally {
    await stop();
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
process.exit(status);
