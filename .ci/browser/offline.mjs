// Verifies bundles of evidence on /verify with the network off: node offline.mjs DIR BUNDLES KEY.
// DIR is the site, BUNDLES a folder of bundles of its entries, KEY the public key of its log. Each
// must be found good, with the scores that its page states, to the last digit; one that was changed
// must not.
import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { launch, serve } from "./site.mjs";

const [dir, folder, key] = process.argv.slice(2);
const { base, stop } = await serve(dir);
const browser = await launch();
try {
  const context = await browser.newContext();
  const page = await context.newPage();
  page.on("pageerror", (e) => { throw e; });
  await page.goto(`${base}/verify`, { waitUntil: "networkidle" });
  await page.locator("[data-verify] [name=key]").fill(key);
  let asked = 0;
  page.on("request", (r) => { if (!/^(data|blob):/.test(r.url())) asked++; });
  await context.setOffline(true);
  await assert.rejects(page.evaluate(() => fetch("/snapshot.json")), "the network is off");
  asked = 0;
  const verdict = page.locator("[data-verdict]");
  const check = async (name, buffer) => {
    await page.locator("[data-verify] [name=bundle]").setInputFiles({ name, mimeType: "application/zip", buffer });
    await page.waitForFunction(() => document.querySelector("[data-verdict]").dataset.state);
    return [await verdict.getAttribute("data-state"), await verdict.innerText()];
  };
  const names = readdirSync(folder).filter((n) => n.endsWith(".zip")).sort();
  for (const name of names) {
    const id = name.replace(".zip", "");
    const said = JSON.parse(readFileSync(join(dir, `api/v1/entries/${id}/index.json`), "utf8"));
    const [state, text] = await check(name, readFileSync(join(folder, name)));
    assert.equal(state, "verified", `${name}: ${text}`);
    assert.ok(text.includes(`mqa ${said.mqa_score}, trust ${said.trust_score}, ranking ${said.ranking_score}`) && text.includes(said.name_en || said.name), `${name}: ${text}`);
  }
  const spoiled = Buffer.from(readFileSync(join(folder, names[0])));
  const at = spoiled.indexOf("PK\x03\x04", 400) - 20;
  spoiled[at] ^= 1;
  const [state, text] = await check("spoiled.zip", spoiled);
  assert.equal(state, "refused", text);
  assert.equal(asked, 0, "the page asked something of the network");
  console.log(`${names.length} bundles verified offline`);
} finally {
  await browser.close();
  stop();
}
