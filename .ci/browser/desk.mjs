// Walks through what people write, with a real service, store and mail:
// node desk.mjs WORKDIR. With the keyboard alone a source is suggested, a
// moderator approves a candidate, its page appears, a reader watches it and
// confirms by the link in the mail; then the forms without scripts.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFileSync, readdirSync, existsSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { launch, serve } from "./site.mjs";

const [work] = process.argv.slice(2);
const assay = process.env.ASSAY ?? "bin/assay";
const db = `sqlite:${join(work, "desk.db")}`, site = join(work, "desk"), mail = join(work, "mail"), base0 = "http://127.0.0.1:8080";
const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
execFileSync(assay, ["demo", "--addr", "127.0.0.1:0", "--build-only", "--base-url", base0, "--db", db, "--out", site], { stdio: ["ignore", "ignore", "pipe"] });
const token = execFileSync(assay, ["admin", "token", "create", "--role", "admin", "--name", "Ada", "--db", db], { stdio: ["ignore", "pipe", "pipe"] }).toString().trim();
const { base, stop } = await serve(site, ["--db", db, "--base-url", base0, "--mail-dir", mail, "--rebuild", "--worker=false", "--limit-writes", "0"]);
const browser = await launch();

// reach presses Tab until what has the focus fits.
async function reach(page, selector) {
  for (let i = 0; i < 400; i++) {
    await page.keyboard.press("Tab");
    if (await page.evaluate((s) => document.activeElement.matches(s), selector)) return;
  }
  assert.fail(`${selector} is not reached by Tab on ${page.url()}`);
}
async function enter(page, selector) {
  await reach(page, selector);
  await Promise.all([page.waitForNavigation({ waitUntil: "load" }), page.keyboard.press("Enter")]);
}
async function type(page, selector, text) {
  await reach(page, selector);
  await page.keyboard.type(text);
}
const says = async (page, text) => assert.ok((await page.locator("main").textContent()).includes(text), `${page.url()} lacks "${text}"`);

// until asks again and again, for at most half a minute.
async function until(what, ask) {
  for (let i = 0; i < 300; i++) {
    const answer = await ask();
    if (answer) return answer;
    await new Promise((done) => setTimeout(done, 100));
  }
  return assert.fail(`${what} did not come`);
}

async function suggest(page) {
  await page.goto(`${base}/submit`);
  await type(page, "#f-url", "https://data.example.gov/rivers");
  await enter(page, "main form button");
  assert.match(page.url(), /\/submission\//);
  await says(page, "Received");
}

async function approve(page) {
  await page.goto(`${base}/admin/queue`);
  assert.match(page.url(), /\/admin\/login/);
  await type(page, "#f-token", token);
  await enter(page, "main form.form button");
  assert.match(page.url(), /\/admin\/queue$/);
  const form = page.locator("form[action$='/approve']").first();
  const id = (await form.getAttribute("action")).split("/").at(-2);
  await type(page, `form[action$='${id}/approve'] input[name=reason]`, "seen with the ministry");
  await enter(page, `form[action$='${id}/approve'] .line button`);
  await says(page, "Approved.");
  const entry = await until("the entry", async () => {
    const answer = await page.request.get(`${base}/api/v1/entries/${id}`);
    return answer.status() === 200 ? answer.json() : null;
  });
  await until("the page of the entry", async () => (await page.request.get(`${base}/entry/${entry.slug}`)).status() === 200);
  await until("the entry among the results", async () => (await (await page.request.get(`${base}/api/v1/entries/search?q=${encodeURIComponent(entry.name)}`)).json()).items.some((i) => i.entry.id === id));
  return entry;
}

async function watch(page, entry) {
  await page.goto(`${base}/entry/${entry.slug}`);
  await enter(page, "a[href*='/watch?entry=']");
  assert.equal(await page.locator("#f-entry").inputValue(), entry.slug);
  await type(page, "#f-email", "reader@example.org");
  await enter(page, "main form button");
  await says(page, "look into your mail");
  const letter = await until("the mail", () => {
    const files = existsSync(mail) ? readdirSync(mail, { recursive: true }).filter((f) => f.endsWith(".eml")) : [];
    return files.length > 0 ? readFileSync(join(mail, files[0]), "utf8") : null;
  });
  const link = /http:\/\/\S*\/watches\/verify\/[\w.~-]+/.exec(letter.replaceAll("=\r\n", "").replaceAll("=\n", "").replaceAll("=3D", "="));
  assert.ok(link, `no link to confirm in ${letter}`);
  await page.goto(link[0].replace(base0, base));
  await reach(page, "button");
  await page.keyboard.press("Enter");
  await page.waitForLoadState("load");
  await until("the confirmation", async () => /confirm|watch/i.test(await page.locator("h1").textContent()) && (await page.locator("form[method=post] button").count()) !== 1);
}

// sound judges the pages of the desk in light and dark, wide and narrow.
async function sound(page) {
  const routes = ["/submit?url=x", "/report?entry=x", "/watch?entry=x", "/admin/login?to=%2Fadmin", "/admin", "/admin/queue", "/admin/submissions", "/admin/entry?id=ign-altitude",
    "/admin/sources", "/admin/institutions", "/admin/webhooks", "/admin/jobs", "/admin/audit", "/admin/tokens"];
  for (const [width, colorScheme] of [[1280, "light"], [360, "dark"]]) {
    await page.setViewportSize({ width, height: 900 });
    await page.emulateMedia({ colorScheme });
    for (const route of routes) {
      await page.goto(base + route);
      await page.evaluate(axe);
      const faults = await page.evaluate(() => axe.run(document).then((r) => r.violations.map((v) => `${v.id} ${v.nodes[0].target}`)));
      assert.deepEqual(faults, [], `${route} at ${width}, ${colorScheme}`);
      assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), `${route} is wider than ${width}`);
    }
  }
}

async function withoutScripts(page, entry) {
  await page.goto(`${base}/report?entry=${entry.slug}`);
  await page.locator("#f-message").fill("The licence is wrong");
  await page.locator("main form button").click();
  await says(page, "Thank you");
  await page.goto(`${base}/admin/login`);
  await page.locator("#f-token").fill(token);
  await page.locator("main form.form button").click();
  await page.goto(`${base}/admin/queue?kind=reports`);
  await says(page, "The licence is wrong");
  await page.locator("form[action*='/admin/reports/'] input[name=reason]").first().fill("corrected");
  await page.locator("form[action*='/admin/reports/'] .line button").first().click();
  await says(page, "The report is closed.");
}

try {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, bypassCSP: true });
  const page = await context.newPage();
  await suggest(page);
  const entry = await approve(page);
  await watch(page, entry);
  await sound(page);
  await context.close();
  const plain = await browser.newContext({ javaScriptEnabled: false });
  await withoutScripts(await plain.newPage(), entry);
  await plain.close();
  console.log("desk: suggested, approved, shown, found, watched, confirmed, reported and decided");
} finally {
  await browser.close();
  await stop();
}
