// What the judges of protocols share: a site under the address that its documents name, with
// the program to build and serve it.
import { spawn, spawnSync } from "node:child_process";
import { closeSync, existsSync, openSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";

/** A port of loopback that is free now. */
export const freePort = () => new Promise((done, fail) => {
  const server = createServer().once("error", fail);
  server.listen(0, "127.0.0.1", () => { const { port } = server.address(); server.close(() => done(port)); });
});

/**
 * A register in a folder, under the same address whenever it is opened: run gives commands to the program,
 * serve starts it and gives a function that ends it and tells its greatest memory in bytes.
 */
export async function register(program, folder, site = join(folder, "site")) {
  const kept = join(folder, "port");
  if (!existsSync(kept)) writeFileSync(kept, String(await freePort()));
  const port = Number(readFileSync(kept, "utf8"));
  const base = `http://127.0.0.1:${port}`;
  const env = { ...process.env, ASSAY_BASE_URL: base, ASSAY_DB: `sqlite:${join(folder, "assay.db")}`, ASSAY_SITE: site, ASSAY_SIGNING_KEY: join(folder, "signing.key") };
  const run = (args, input) => {
    const r = spawnSync(program, args, { env, input, encoding: "utf8", cwd: folder, maxBuffer: 2 ** 30, timeout: 3_600_000 });
    if (r.status !== 0) throw new Error(`assay ${args.join(" ")}: ${r.error ?? r.stderr + r.stdout}`);
    return r.stdout;
  };
  if (!existsSync(env.ASSAY_SIGNING_KEY)) run(["key", "create", env.ASSAY_SIGNING_KEY]);
  const serve = async () => {
    const log = openSync(join(folder, "serve.log"), "w");
    const child = spawn(program, ["serve", "--addr", `127.0.0.1:${port}`], { env, cwd: folder, stdio: ["ignore", log, log] });
    closeSync(log);
    for (let n = 0; n < 600; n++) {
      if (await fetch(`${base}/health`).then((r) => r.ok, () => false)) {
        return () => new Promise((done) => {
          const peak = /^VmHWM:\s+(\d+) kB$/m.exec(existsSync(`/proc/${child.pid}/status`) ? readFileSync(`/proc/${child.pid}/status`, "utf8") : "");
          child.once("exit", () => done(peak ? 1024 * peak[1] : 0));
          child.kill();
        });
      }
      if (child.exitCode !== null) break;
      await setTimeout(100);
    }
    child.kill();
    throw new Error("the service does not start:\n" + readFileSync(join(folder, "serve.log"), "utf8"));
  };
  return { base, run, serve };
}
