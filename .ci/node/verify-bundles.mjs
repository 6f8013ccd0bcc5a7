// verify-bundles checks bundles of evidence with the very script that /verify runs in a
// browser, and prints the scores that it made again, a line of JSON each.
//
//   node verify-bundles.mjs ASSETS FOLDER [KEY]
//
// ASSETS is the folder of the site's scripts, FOLDER that of the bundles, KEY a public key of the log.
import { copyFileSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const [assets, folder, key] = process.argv.slice(2);
const dir = mkdtempSync(join(tmpdir(), "verify-bundles-"));
try {
  for (const name of ["recompute.lib.js", "verify.lib.js"]) copyFileSync(join(assets, name), join(dir, name));
  writeFileSync(join(dir, "package.json"), '{"type":"module"}');
  const { verify } = await import(pathToFileURL(join(dir, "verify.lib.js")));
  for (const name of readdirSync(folder).filter((n) => n.endsWith(".zip")).sort()) {
    try {
      const { entry, scores, log } = await verify(new Uint8Array(readFileSync(join(folder, name))), key);
      console.log(JSON.stringify({ id: entry.id, ...scores, leaves: log?.leaves ?? 0 }));
    } catch (e) {
      console.error(`${name}: ${e.message}`);
      process.exitCode = 1;
    }
  }
} finally {
  rmSync(dir, { recursive: true });
}
