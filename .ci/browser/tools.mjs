// Uses what a page offers beyond reading: looks into files, runs operations in the console, copies
// code, keeps pictures; on a telephone and a desktop, in light and dark, and with axe:
// node tools.mjs DIR. The register's proxy reaches no loopback address, so its answers are made
// here, in its form, from files of each format; every other request goes to the service, and none
// may go elsewhere.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { launch, routesOf, serve } from "./site.mjs";

const [dir] = process.argv.slice(2);
const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const { base, stop } = await serve(dir);
const browser = await launch();

const pages = routesOf(dir).filter((r) => r.route.startsWith("/entry/")).map((r) => r.route);
const holding = (what, least = 1) => {
  const found = pages.filter((route) => readFileSync(join(dir, `${route}/index.html`), "utf8").includes(what));
  assert.ok(found.length >= least, `${found.length} pages hold ${what}`);
  return found;
};

const parquet = readFileSync(new URL("testdata/towns.parquet", import.meta.url));
const files = {
  CSV: "name;inhabitants\r\n\"Namur; \"\"the\"\" town\";110000\r\n<b>Huy</b>;21000\r\n",
  JSON: JSON.stringify({ meta: {}, rows: [{ name: "Namur" }, { name: "Huy" }] }),
  GeoJSON: JSON.stringify({ type: "FeatureCollection", features: [{ type: "Feature", properties: { name: "Namur" }, geometry: { type: "Point", coordinates: [4.8, 50.4] } }] }),
  NDJSON: '{"name":"Namur"}\n{"name":"Huy"}\n',
  Parquet: parquet,
};
const asked = [];

/** proxy answers as POST /api/v1/proxy does: text as it is, other bytes in base64, parts as asked. */
function proxy(format, wrong) {
  return (route) => {
    const q = route.request().postDataJSON();
    asked.push(q);
    if (wrong) return route.fulfill({ status: wrong, json: { title: "refused", detail: "The request cannot be forwarded.", status: wrong } });
    const whole = Buffer.from(files[format] ?? format);
    const [, from, to] = /bytes=(\d+)-(\d+)/.exec(q.headers?.Range ?? "") ?? [];
    const body = q.method === "HEAD" ? Buffer.alloc(0) : from ? whole.subarray(+from, +to + 1) : whole;
    const text = body.toString("utf8");
    const plain = Buffer.from(text).equals(body) && !text.includes("\0");
    return route.fulfill({ json: { status: from ? 206 : 200, headers: { "Content-Length": String(whole.length) }, duration_ms: 3, truncated: false, url: "http://x.example/", curl: "", ...(plain ? { body: text } : { body_base64: body.toString("base64") }) } });
  };
}

let foreign = 0;
async function open(route, look = {}) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, acceptDownloads: true, ...look });
  await context.grantPermissions(["clipboard-read", "clipboard-write"], { origin: base });
  const page = await context.newPage();
  page.on("request", (r) => { if (!r.url().startsWith(base) && !/^(data|blob):/.test(r.url())) { foreign++; console.error("foreign request", r.url()); } });
  page.on("pageerror", (e) => { throw e; });
  await page.goto(base + route, { waitUntil: "networkidle" });
  return page;
}

async function fine(page, what) {
  await page.evaluate(axe);
  const found = await page.evaluate(async () => (await window.axe.run(document, { resultTypes: ["violations"] })).violations.map((v) => `${v.id}: ${v.nodes[0].html.slice(0, 200)}`));
  assert.deepEqual(found, [], what);
  const [wide, room] = await page.evaluate(() => [document.documentElement.scrollWidth, innerWidth]);
  assert.ok(wide <= room, `${what} is ${wide} wide, there are ${room}`);
}

const looks = [{}, { viewport: { width: 360, height: 740 }, colorScheme: "dark" }];

for (const look of looks) {
  for (const format of Object.keys(files)) {
    const page = await open(holding("data-open")[0], look);
    await page.route("**/api/v1/proxy", proxy(format));
    const button = page.locator("[data-open]");
    await button.evaluate((b, f) => { b.dataset.format = f; b.dataset.separator = ""; b.dataset.encoding = ""; }, format);
    await button.click();
    const cells = page.locator("[data-open] ~ .stack td");
    await cells.first().waitFor();
    assert.match(await cells.first().textContent(), /Namur/, format);
    if (format === "CSV") assert.equal(await cells.nth(2).textContent(), "<b>Huy</b>", "what a file holds is never markup");
    await fine(page, `${format} in a page`);
    await page.context().close();
  }
  const refused = await open(holding("data-open")[0], look);
  await refused.route("**/api/v1/proxy", proxy("CSV", 403));
  await refused.locator("[data-open]").click();
  assert.match(await refused.locator("[role=alert]").textContent(), /could not be read\. The request cannot be forwarded/);
  await refused.context().close();

  for (const route of [holding('data-runs="yes"')[0], "/docs/api"]) {
    const page = await open(route, look);
    await page.route("**/api/v1/proxy", proxy('{"town":"Namur"}'));
    if (route === "/docs/api") await page.evaluate(() => { document.querySelector("#listEntries, details.card").open = true; });
    await page.locator("[data-console]:visible").first().click();
    const form = page.locator("form.card:has(pre code)");
    await form.waitFor();
    assert.match(await form.locator("code").last().textContent(), /^curl -sSLg? '/);
    await form.locator("select[aria-label]").last().selectOption("Python");
    assert.match(await form.locator("code").last().textContent(), /^import requests/);
    await fine(page, `the console of ${route}`);
    await form.locator("button[type=submit]").click();
    await form.locator("[role=status]:has-text('HTTP 200')").waitFor();
    assert.match(await form.locator("pre").first().textContent(), route === "/docs/api" ? /[{[]/ : /Namur/);
    await page.context().close();
  }
}

const copied = await open(holding('class=samples')[0]);
await copied.locator(".samples summary").nth(1).click();
await copied.locator(".samples details[open] .copy").click();
assert.equal(await copied.evaluate(() => navigator.clipboard.readText()), await copied.locator(".samples details[open] pre").textContent());

const link = readFileSync(join(dir, `${holding("vscode:mcp/install")[0]}/index.html`), "utf8").match(/href="(vscode:mcp\/install[^"]+)"/)[1];
assert.ok(JSON.parse(decodeURIComponent(link.replaceAll("&amp;", "&").split("?")[1])).name, link);

const pictured = pages.find((route) => readFileSync(join(dir, `${route}/index.html`), "utf8").includes("data-picture"));
if (pictured) {
  const page = await open(pictured);
  for (const [label, pattern] of [["SVG", /^<svg[^>]*xmlns="http:\/\/www.w3.org\/2000\/svg"/], ["CSV", /,/]]) {
    const button = page.locator("figure[data-picture]").first().getByRole("button", { name: label });
    if (!(await button.count())) continue;
    const [download] = await Promise.all([page.waitForEvent("download"), button.click()]);
    assert.match(readFileSync(await download.path(), "utf8"), pattern, label);
  }
}

assert.equal(foreign, 0, "requests to other origins");
await browser.close();
await stop();
console.log(`tools: files of ${Object.keys(files).length} formats, consoles, code and pictures work; ${asked.length} requests by way of the register, 0 elsewhere`);
